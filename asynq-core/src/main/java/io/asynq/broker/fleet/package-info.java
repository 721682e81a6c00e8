/**
 * Which servers and schedulers are alive, as they publish it.
 */
@NullMarked
package io.asynq.broker.fleet;

import org.jspecify.annotations.NullMarked;
