/**
 * What is left when a worker is killed.
 */
@NullMarked
package io.asynq.interop.crash;

import org.jspecify.annotations.NullMarked;
