package io.asynq.reliability.load;

import io.asynq.TaskOptions;
import io.asynq.reliability.ledger.TaskKey;

/**
 * A task to be enqueued.
 *
 * @param key its name
 * @param kind what it is for
 * @param work what its handler does
 * @param options its options, the id among them
 */
record PlannedTask(TaskKey key, TaskKind kind, Work work, TaskOptions options) {

}
