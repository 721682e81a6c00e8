/**
 * Runs tasks: takes them, executes them and hands their outcomes over.
 */
@NullMarked
package io.asynq.server.work;

import org.jspecify.annotations.NullMarked;
