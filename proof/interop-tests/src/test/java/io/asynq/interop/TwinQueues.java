package io.asynq.interop;

import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

import io.asynq.TaskState;
import io.asynq.internal.redis.RedisState;
import io.asynq.internal.redis.TaskMessage;

/**
 * Queues with tasks in every state, to be compared with each other.
 */
final class TwinQueues {

	private final RedisState state;

	private final Instant now;

	TwinQueues(RedisState state, Instant now) {
		this.state = state;
		this.now = now;
	}

	/**
	 * Adds a task of each state, whose id is the name of the state.
	 */
	void seedEveryState(String queue) {
		for (TaskState state : TaskState.stored()) {
			seed(queue, state, state.wireName(), 5);
		}
	}

	/**
	 * Adds a task, to a group {@code g} if it is to be aggregated.
	 * @param queue the queue
	 * @param state its state
	 * @param id its id
	 * @param seconds where it stands among others
	 */
	void seed(String queue, TaskState state, String id, int seconds) {
		Instant at = this.now.plusSeconds(600 + seconds);
		TaskMessage message = message(queue, id);
		switch (state) {
			case PENDING -> this.state.seedPending(message);
			case ACTIVE -> this.state.seedActive(at, message);
			case SCHEDULED -> this.state.seedScheduled(at, message);
			case RETRY -> this.state.seedRetry(at, message);
			case ARCHIVED -> this.state.seedArchived(this.now.minusSeconds(600 - seconds), message);
			case COMPLETED -> this.state.seedCompleted(at, message);
			case AGGREGATING ->
				this.state.seedGrouped(this.now.plusSeconds(seconds), message.toBuilder().group("g").build());
		}
	}

	/**
	 * Reads a queue in a comparable form: without {@code pending_since}, which Go writes
	 * for some tasks only, and with archive times in minutes.
	 */
	SortedMap<String, Object> contents(String queue) {
		SortedMap<String, Object> contents = new TreeMap<>();
		this.state.dump(queue).forEach((key, value) -> {
			String name = key.replace("{" + queue + "}", "{queue}");
			if (name.startsWith("asynq:{queue}:t:")) {
				TreeMap<String, String> fields = new TreeMap<>();
				((Map<?, ?>) value).forEach((field, text) -> fields.put((String) field, (String) text));
				fields.remove("pending_since");
				fields.remove("msg");
				contents.put(name, fields);
				TaskMessage message = this.state.stored(queue, name.substring("asynq:{queue}:t:".length()));
				contents.put(name + " payload", new String(message.payload(), StandardCharsets.ISO_8859_1));
			}
			else if (name.endsWith(":archived")) {
				TreeMap<String, Long> minutes = new TreeMap<>();
				((Map<?, ?>) value).forEach((id, score) -> minutes.put((String) id,
						Math.round(((Long) score - this.now.getEpochSecond()) / 60.0)));
				contents.put(name, minutes);
			}
			else {
				contents.put(name, value);
			}
		});
		return contents;
	}

	static TaskMessage message(String queue, String id) {
		return RedisState.message(queue, id).retentionSeconds(60).build();
	}

}
