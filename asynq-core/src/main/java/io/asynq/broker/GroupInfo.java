package io.asynq.broker;

/**
 * A group of a queue (asynq O02).
 *
 * @param name its name
 * @param size how many tasks wait in it; those that are being aggregated do not count
 */
public record GroupInfo(String name, long size) {
}
