package io.asynq.benchmarks.rivals;

/**
 * The message of RQueue, which writes any object as JSON but passes plain text to a
 * listener unchanged.
 */
record RqueueTask(String payload) {

}
