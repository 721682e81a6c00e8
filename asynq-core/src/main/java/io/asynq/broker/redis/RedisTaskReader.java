package io.asynq.broker.redis;

import java.time.Clock;
import java.util.List;
import java.util.Optional;

import com.google.protobuf.InvalidProtocolBufferException;
import io.asynq.BrokerException;
import io.asynq.TaskInfo;
import io.asynq.TaskState;
import io.asynq.broker.TaskMessage;
import io.asynq.broker.TaskReader;

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
			return Optional.of(
					TaskInfos
						.builder(message, state(subject, Text.of(answer.get(1))), Text.of(answer.get(2)),
								(byte[]) answer.get(3), this.clock.instant())
						.build());
		}
		catch (InvalidProtocolBufferException ex) {
			throw new BrokerException("The message of " + subject + " cannot be decoded: it was not written by asynq",
					ex);
		}
	}

	private static TaskState state(String subject, String state) {
		if (state.isEmpty()) {
			throw new BrokerException("The " + subject + " has no state and stands in no container", null);
		}
		return TaskState.of(state);
	}

}
