package io.asynq.operate.survey;

import java.time.Instant;
import java.util.List;
import java.util.Map;

import io.asynq.TaskState;
import org.jspecify.annotations.Nullable;

/**
 * Tasks of one type that have failed for the same reason.
 *
 * @param key identifies the group
 * @param type the type
 * @param signature what their errors have in common; empty if they have no text
 * @param count how many were found
 * @param exact whether all tasks were looked at, none came or went meanwhile, and no
 * archive has dropped any
 * @param queues how many by queue
 * @param states how many by state
 * @param firstSeen the earliest last failure, {@code null} if none tells it
 * @param lastSeen the latest one
 * @param trend how many have failed last in each twelfth of the last hour, the latest at
 * the end
 * @param samples some of them
 */
public record FailureGroup<T>(String key, String type, String signature, long count, boolean exact,
		Map<String, Long> queues, Map<TaskState, Long> states, @Nullable Instant firstSeen, @Nullable Instant lastSeen,
		List<Long> trend, List<T> samples) {
}
