package io.asynq.test.ledger;

import java.time.Instant;
import java.util.List;

/**
 * A call of an aggregator, whose task may have been stored or not.
 */
public record Aggregation(TaskKey digest, String worker, Instant time, List<String> members) {

}
