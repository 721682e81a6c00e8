package io.asynq.reliability.nodes;

import java.time.Duration;
import java.util.List;

/**
 * The result of the experiment.
 *
 * @param tasks the number of tasks
 * @param pickUp how long those of healthy queues waited while a node hung, at the 99th
 * percentile
 * @param findings the violations, empty if there are none
 */
public record HungMasterResult(int tasks, Duration pickUp, List<String> findings) {
}
