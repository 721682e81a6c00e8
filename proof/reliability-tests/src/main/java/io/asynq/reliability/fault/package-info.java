/** The faults of workers and Redis. */
@NullMarked
package io.asynq.reliability.fault;

import org.jspecify.annotations.NullMarked;
