package io.asynq.benchmarks.rivals;

/**
 * What RQueue carries: it writes any object as JSON, and hands a bare text to a listener
 * as it was written.
 *
 * @param payload the payload
 */
record RqueueTask(String payload) {

}
