package io.asynq.inspect;

/**
 * A node of a Redis cluster.
 *
 * @param id the name it has in the cluster
 * @param address {@code host:port}
 */
public record ClusterNode(String id, String address) {
}
