package io.asynq.cli.bulk;

import java.util.List;

import io.asynq.operations.ActionReport;

/**
 * What was done with many tasks.
 *
 * @param queue the queue
 * @param state the state they were in
 * @param done how many it was done with
 * @param failed those it was not done with
 */
record BulkResult(String queue, String state, long done, List<ActionReport.Failure> failed) {
}
