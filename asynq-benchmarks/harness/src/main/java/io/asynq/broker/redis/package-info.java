/** Benchmarks of package-private scripts, keys and messages, in the same package. */
@NullMarked
package io.asynq.broker.redis;

import org.jspecify.annotations.NullMarked;
