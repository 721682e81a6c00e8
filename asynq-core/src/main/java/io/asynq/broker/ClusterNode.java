package io.asynq.broker;

/**
 * A node of a Redis cluster (asynq O21).
 *
 * @param id the name it has in the cluster
 * @param address {@code host:port}
 */
public record ClusterNode(String id, String address) {
}
