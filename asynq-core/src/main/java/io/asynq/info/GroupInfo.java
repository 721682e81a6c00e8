package io.asynq.info;

/**
 * A group of a queue.
 *
 * @param name its name
 * @param size how many tasks wait in it; those that are being aggregated do not count
 */
public record GroupInfo(String name, long size) {
}
