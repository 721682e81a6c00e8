/**
 * Runs tasks: takes as many as there are idle workers, executes them and hands their
 * outcomes over.
 */
@NullMarked
package io.asynq.server.work;

import org.jspecify.annotations.NullMarked;
