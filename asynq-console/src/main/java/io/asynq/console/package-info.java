/**
 * The web console: what an application configures and may replace.
 */
@NullMarked
package io.asynq.console;

import org.jspecify.annotations.NullMarked;
