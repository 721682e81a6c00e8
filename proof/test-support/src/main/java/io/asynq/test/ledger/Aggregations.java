package io.asynq.test.ledger;

import java.util.List;
import java.util.Map;

/**
 * @param made calls of aggregators by the new task
 * @param given the ids that handlers got, by the task
 */
public record Aggregations(Map<TaskKey, Aggregation> made, Map<TaskKey, List<String>> given) {

}
