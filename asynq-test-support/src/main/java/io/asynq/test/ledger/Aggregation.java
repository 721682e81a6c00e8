package io.asynq.test.ledger;

import java.time.Instant;
import java.util.List;

/**
 * One call of an aggregator, whose task may have been stored or not.
 *
 * @param time when it was called
 * @param members the ids of the tasks in the group
 */
public record Aggregation(TaskKey digest, String worker, Instant time, List<String> members) {

}
