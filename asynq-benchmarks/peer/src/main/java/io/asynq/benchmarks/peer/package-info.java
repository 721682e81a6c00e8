/**
 * What all Java peers share: commands on standard input, counting and meters; the README
 * has the protocol.
 */
package io.asynq.benchmarks.peer;
