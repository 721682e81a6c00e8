/**
 * The interactive view of queues in a terminal.
 */
@NullMarked
package io.asynq.cli.dash;

import org.jspecify.annotations.NullMarked;
