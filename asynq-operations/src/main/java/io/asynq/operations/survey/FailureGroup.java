package io.asynq.operations.survey;

import java.time.Instant;
import java.util.List;
import java.util.Map;

import io.asynq.TaskState;
import org.jspecify.annotations.Nullable;

/**
 * Tasks of one type that have failed for the same reason.
 *
 * @param exact whether all tasks were looked at, none came or went meanwhile, and no
 * archive has dropped any
 * @param earliestLastFailure they may have failed before; {@code null} if unknown
 * @param lastHour how many had their last failure in each twelfth of the last hour, the
 * latest at the end
 * @param found whether the text that was looked for is in their type, or in one of their
 * errors as it was written
 */
public record FailureGroup<T>(String key, String type, String signature, long count, boolean exact,
		Map<String, Long> queues, Map<TaskState, Long> states, @Nullable Instant earliestLastFailure,
		@Nullable Instant latestLastFailure, List<Long> lastHour, boolean found, List<T> samples) {
}
