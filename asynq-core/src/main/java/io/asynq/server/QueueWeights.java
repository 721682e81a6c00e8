package io.asynq.server;

import java.util.Map;

/** If strict, a queue is used only when all of a higher weight are empty. */
public record QueueWeights(Map<String, Integer> weights, boolean strict) {
}
