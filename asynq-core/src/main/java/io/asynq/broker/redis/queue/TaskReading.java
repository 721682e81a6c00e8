package io.asynq.broker.redis.queue;

import java.time.Clock;
import java.util.List;
import java.util.Optional;

import com.google.protobuf.InvalidProtocolBufferException;
import io.asynq.BrokerException;
import io.asynq.TaskInfo;
import io.asynq.TaskState;
import io.asynq.broker.message.TaskMessage;
import io.asynq.broker.redis.Keys;
import io.asynq.broker.redis.LuaScript;
import io.asynq.broker.redis.ScriptRunner;
import io.asynq.broker.redis.StoredMessages;
import io.asynq.broker.redis.Text;

/**
 * Reads single tasks.
 */
final class TaskReading {

	private final ScriptRunner scripts;

	private final Clock clock;

	TaskReading(ScriptRunner scripts, Clock clock) {
		this.scripts = scripts;
		this.clock = clock;
	}

	Optional<TaskInfo> find(String queue, String id) {
		Keys keys = Keys.of(queue);
		String subject = Text.task(queue, id);
		List<Object> answer = this.scripts.runList(LuaScript.READ_TASK, subject, List.of(keys.task(id)), keys.prefix(),
				keys.ownPrefix(), id);
		if (answer.isEmpty()) {
			return Optional.empty();
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
			throw new BrokerException("The " + subject + " has no state and is in no container", null);
		}
		return TaskState.of(state);
	}

}
