/** The processes of a comparison: Redis, the peers and the delaying proxy. */
@NullMarked
package io.asynq.benchmarks.process;

import org.jspecify.annotations.NullMarked;
