package io.asynq.reliability.nodes;

import java.time.Duration;
import java.util.List;

/**
 * What the experiment has shown.
 *
 * @param tasks how many tasks there were
 * @param pickUp how long those of healthy queues waited while a node hung, at the 99th
 * percentile
 * @param findings what is not as it must be, empty when everything is
 */
public record HungMasterResult(int tasks, Duration pickUp, List<String> findings) {
}
