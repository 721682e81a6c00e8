package io.asynq.inspect;

/**
 * A group of a queue.
 *
 * @param size how many tasks wait in it; those that are being aggregated do not count
 */
public record GroupInfo(String name, long size) {
}
