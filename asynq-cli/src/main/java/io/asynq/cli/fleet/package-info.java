/**
 * Commands for servers and periodic tasks.
 */
@NullMarked
package io.asynq.cli.fleet;

import org.jspecify.annotations.NullMarked;
