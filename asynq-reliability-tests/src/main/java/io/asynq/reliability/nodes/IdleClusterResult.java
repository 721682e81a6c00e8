package io.asynq.reliability.nodes;

import java.time.Duration;
import java.util.List;

/** The result of the experiment. */
public record IdleClusterResult(int faults, int tasks, Duration longest, List<String> findings) {
}
