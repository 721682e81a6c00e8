package io.asynq.reliability.nodes;

import java.time.Duration;
import java.util.List;

/** The result of the experiment. */
public record HungMasterResult(int tasks, Duration pickUp, List<String> findings) {
}
