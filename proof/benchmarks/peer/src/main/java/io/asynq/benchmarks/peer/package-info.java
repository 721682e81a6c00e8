/** What all Java peers share; the README has the protocol. */
package io.asynq.benchmarks.peer;
