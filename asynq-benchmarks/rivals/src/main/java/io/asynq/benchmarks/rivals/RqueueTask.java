package io.asynq.benchmarks.rivals;

/**
 * The message of RQueue, which writes any object as JSON but passes plain text to a
 * listener unchanged.
 *
 * @param payload the payload
 */
record RqueueTask(String payload) {

}
