package io.asynq.spring.boot.test;

import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Arrays;
import java.util.Comparator;

import io.asynq.TaskInfo;
import io.asynq.TaskState;
import io.asynq.internal.inspect.TaskInfos;
import io.asynq.internal.redis.TaskMessage;
import io.asynq.internal.worker.LeasedTask;
import org.jspecify.annotations.Nullable;

/** A task and what has become of it, guarded by the lock of {@link RecordedTasks}. */
final class RecordedTask {

	static final Comparator<RecordedTask> BY_ARRIVAL = Comparator.comparingLong((task) -> task.order);

	/** As Redis orders sorted sets. */
	static final Comparator<RecordedTask> BY_SCORE = Comparator.<RecordedTask>comparingLong((task) -> task.score)
		.thenComparing((task) -> task.message.id().getBytes(StandardCharsets.UTF_8), Arrays::compareUnsigned);

	TaskMessage message;

	TaskState state = TaskState.PENDING;

	/** In seconds: when it is due, was archived, expires or has joined its group. */
	long score;

	/** Rises with every task that comes to its place. */
	long order;

	@Nullable Instant pendingSince;

	/** The attempt that runs. */
	@Nullable LeasedTask attempt;

	/** Whether it has joined its group, to which it then goes back whenever it is due. */
	boolean joined;

	/** In seconds. */
	@Nullable Long unhandledSince;

	byte[] result = {};

	RecordedTask(TaskMessage message) {
		this.message = message;
	}

	TaskInfo info(Instant now) {
		return TaskInfos.builder(this.message, this.state, String.valueOf(this.score), this.result, now).build();
	}

}
