/**
 * What an operator does; used by the actuator endpoint, the console and the command line.
 */
@NullMarked
package io.asynq.operations;

import org.jspecify.annotations.NullMarked;
