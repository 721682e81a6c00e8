package io.asynq.reliability.ledger;

import java.time.Instant;
import java.util.List;

/**
 * One call of an aggregator, whose task may have been stored or not.
 *
 * @param digest the task that it made
 * @param worker the name of the worker
 * @param time when it was called
 * @param members the ids of the tasks it was given
 */
public record Aggregation(TaskKey digest, String worker, Instant time, List<String> members) {

}
