package io.asynq.operate;

import io.asynq.TaskState;
import org.jspecify.annotations.Nullable;

/**
 * All tasks of one state, or of one group.
 *
 * @param queue their queue
 * @param state their state
 * @param group their group, for aggregating tasks only
 */
public record TaskSelection(String queue, TaskState state, @Nullable String group) {
}
