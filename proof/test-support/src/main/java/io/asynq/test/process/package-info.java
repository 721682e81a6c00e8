/**
 * Programs and commands in their own processes.
 */
@NullMarked
package io.asynq.test.process;

import org.jspecify.annotations.NullMarked;
