/**
 * The processes of a comparison: Redis, the peers, the delaying proxy.
 */
@NullMarked
package io.asynq.benchmarks.process;

import org.jspecify.annotations.NullMarked;
