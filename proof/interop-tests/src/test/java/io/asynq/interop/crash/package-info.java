/**
 * What is left after a worker was killed.
 */
@NullMarked
package io.asynq.interop.crash;

import org.jspecify.annotations.NullMarked;
