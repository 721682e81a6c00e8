package io.asynq.reliability.nodes;

import java.time.Duration;
import java.util.List;

/**
 * The result of the experiment.
 *
 * @param faults how many there were
 * @param tasks the number of tasks
 * @param longest how long the task waited that waited longest
 * @param findings the violations, empty if there are none
 */
public record IdleClusterResult(int faults, int tasks, Duration longest, List<String> findings) {
}
