package io.asynq.broker.redis;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

import com.google.protobuf.InvalidProtocolBufferException;
import io.asynq.BrokerException;
import io.asynq.TaskInfo;
import io.asynq.TaskState;
import io.asynq.broker.TaskMessage;
import io.asynq.broker.TaskReader;
import org.jspecify.annotations.Nullable;

/**
 * Reads single tasks (protocol 6.22).
 */
final class RedisTaskReader implements TaskReader {

	private final ScriptRunner scripts;

	private final Clock clock;

	RedisTaskReader(ScriptRunner scripts, Clock clock) {
		this.scripts = scripts;
		this.clock = clock;
	}

	@Override
	public Optional<TaskInfo> find(String queue, String id) {
		Keys keys = Keys.of(queue);
		String subject = "task '" + id + "' of queue '" + queue + "'";
		List<Object> answer = this.scripts.runList(LuaScript.READ_TASK, subject, List.of(keys.task(id)), id,
				keys.prefix());
		if (answer.isEmpty()) {
			return Optional.empty();
		}
		if (answer.size() == 1) {
			throw new BrokerException(keys.task(id) + " is no hash in Redis, so there is no " + subject, null);
		}
		try {
			TaskMessage message = StoredMessages.decode(queue, Text.utf8(id), (byte[]) answer.get(0));
			return Optional.of(info(message, state(subject, Text.of(answer.get(1))), Text.of(answer.get(2)),
					(byte[]) answer.get(3)));
		}
		catch (InvalidProtocolBufferException ex) {
			throw new BrokerException("The message of " + subject + " cannot be decoded: it was not written by asynq",
					ex);
		}
	}

	private TaskInfo info(TaskMessage message, TaskState state, String score, byte[] result) {
		return TaskInfo.builder(message.id(), message.queue(), message.toTask(), state)
			.maxRetry(message.maxRetry())
			.retried(message.retried())
			.lastError(message.errorMessage().isEmpty() ? null : message.errorMessage())
			.lastFailedAt(instant(message.lastFailedAtSeconds()))
			.timeout(Duration.ofSeconds(message.timeoutSeconds()))
			.deadline(instant(message.deadlineSeconds()))
			.group(message.group().isEmpty() ? null : message.group())
			.nextProcessAt(nextProcessAt(state, score))
			.retention(Duration.ofSeconds(message.retentionSeconds()))
			.completedAt(instant(message.completedAtSeconds()))
			.result(result)
			.build();
	}

	private @Nullable Instant nextProcessAt(TaskState state, String score) {
		if (state == TaskState.PENDING) {
			return this.clock.instant();
		}
		return score.isEmpty() ? null : Text.instant(score);
	}

	private static TaskState state(String subject, String state) {
		if (state.isEmpty()) {
			throw new BrokerException("The " + subject + " has no state and stands in no container", null);
		}
		return TaskState.of(state);
	}

	private static @Nullable Instant instant(long seconds) {
		return (seconds != 0) ? Text.instant(seconds) : null;
	}

}
