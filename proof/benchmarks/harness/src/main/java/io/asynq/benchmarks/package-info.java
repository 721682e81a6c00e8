/** Runs peers in turn and compares their results. */
package io.asynq.benchmarks;
