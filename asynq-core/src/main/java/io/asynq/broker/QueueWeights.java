package io.asynq.broker;

import java.util.Map;

/**
 * The queues a server works on.
 *
 * @param weights weight by queue name, each at least 1, as configured
 * @param strict whether a queue is touched only when all heavier ones are empty
 */
public record QueueWeights(Map<String, Integer> weights, boolean strict) {
}
