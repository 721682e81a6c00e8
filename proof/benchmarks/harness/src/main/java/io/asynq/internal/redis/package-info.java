/** Benchmarks of package-private scripts, keys and messages, in the same package. */
@NullMarked
package io.asynq.internal.redis;

import org.jspecify.annotations.NullMarked;
