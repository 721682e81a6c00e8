/**
 * Runs peers in turn and compares what they did.
 */
package io.asynq.benchmarks;
