package io.asynq.reliability.ledger;

import java.util.List;
import java.util.Map;

/**
 * What aggregators and the handlers of their tasks have seen.
 *
 * @param made calls of aggregators by the task that they made
 * @param given the ids that handlers were given, by the task that they ran
 */
public record Aggregations(Map<TaskKey, Aggregation> made, Map<TaskKey, List<String>> given) {

}
