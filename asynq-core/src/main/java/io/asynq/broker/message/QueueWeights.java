package io.asynq.broker.message;

import java.util.Map;

/**
 * The queues a server works on.
 *
 * @param weights weight by queue name, each at least 1, as configured
 * @param strict whether a queue is used only when all queues of a higher weight are empty
 */
public record QueueWeights(Map<String, Integer> weights, boolean strict) {
}
