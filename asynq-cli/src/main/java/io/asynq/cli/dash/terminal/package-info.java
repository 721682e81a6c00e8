/**
 * What can be drawn in a terminal, and the keys that come from it.
 */
@NullMarked
package io.asynq.cli.dash.terminal;

import org.jspecify.annotations.NullMarked;
