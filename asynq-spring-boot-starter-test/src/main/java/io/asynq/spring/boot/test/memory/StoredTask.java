package io.asynq.spring.boot.test.memory;

import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Arrays;
import java.util.Comparator;

import io.asynq.TaskInfo;
import io.asynq.TaskState;
import io.asynq.internal.inspect.TaskInfos;
import io.asynq.internal.redis.TaskMessage;
import org.jspecify.annotations.Nullable;

/**
 * A task and its place. Used with the store's lock held.
 */
final class StoredTask {

	/** As Redis orders sorted sets. */
	static final Comparator<StoredTask> BY_SCORE = Comparator.<StoredTask>comparingLong((task) -> task.score)
		.thenComparing((task) -> task.message.id().getBytes(StandardCharsets.UTF_8), Arrays::compareUnsigned);

	/**
	 * The order in which tasks that joined their group in the same second are aggregated.
	 */
	static final Comparator<StoredTask> BY_ARRIVAL = Comparator.<StoredTask>comparingLong((task) -> task.score)
		.thenComparingLong((task) -> task.arrival);

	TaskMessage message;

	TaskState state;

	/**
	 * In seconds: when it is due, was archived, expires or joined its group; unused
	 * otherwise.
	 */
	long score;

	/** Rises with every task that joins a group. */
	long arrival;

	@Nullable Instant pendingSince;

	/** The attempt that holds it while it is active. */
	@Nullable String fence;

	/** The group to which it goes back whenever it is due. */
	@Nullable String group;

	/** The group that it joins the first time it is due. */
	@Nullable String laterGroup;

	/** The set in which it was taken out of its group, until that is finished. */
	@Nullable String staged;

	/** Since when it waits for a handler, in seconds. */
	@Nullable Long unhandledSince;

	byte[] result = {};

	StoredTask(TaskMessage message, TaskState state) {
		this.message = message;
		this.state = state;
	}

	TaskInfo info(Instant now) {
		return TaskInfos.builder(this.message, this.state, String.valueOf(this.score), this.result, now).build();
	}

}
