package io.asynq.internal.enqueue;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

import io.asynq.TaskState;
import io.asynq.internal.redis.Keys;
import io.asynq.internal.redis.TaskMessage;
import io.asynq.internal.redis.TaskMessageCodec;
import io.asynq.internal.redis.Text;

public record NewTask(EnqueueRequest request, TaskMessage message, byte[] bytes) {

	private static final List<String> NAMES = List.of("state", "id", "message", "at", "group", "lock", "ttl",
			"replaces");

	public static NewTask of(EnqueueRequest request) {
		TaskMessage message = request.message();
		if (request.lockTtl() != null) {
			Keys keys = Keys.of(message.queue());
			String lock = (request.lockKey() != null) ? keys.uniqueByKey(message.type(), request.lockKey())
					: keys.unique(message.type(), message.payload());
			message = message.toBuilder().uniqueKey(lock).build();
		}
		return new NewTask(request, message, TaskMessageCodec.encode(message));
	}

	public String id() {
		return this.message.id();
	}

	public String queue() {
		return this.message.queue();
	}

	public String subject() {
		return Text.task(queue(), id());
	}

	/** Pending at once, without a lock and replacing no other, which is cheapest. */
	public boolean isPlain() {
		return this.request.lockTtl() == null && state() == TaskState.PENDING && !replaces();
	}

	public boolean replaces() {
		return this.request.replacesArchived();
	}

	public TaskState state() {
		if (this.request.placement() instanceof Placement.Scheduled) {
			return TaskState.SCHEDULED;
		}
		return (this.request.placement() instanceof Placement.Grouped) ? TaskState.AGGREGATING : TaskState.PENDING;
	}

	public Object at() {
		return (this.request.placement() instanceof Placement.Scheduled later) ? Text.seconds(later.at()) : "";
	}

	public String group() {
		return (state() != TaskState.PENDING) ? this.message.group() : "";
	}

	public List<Object> lock() {
		Duration ttl = this.request.lockTtl();
		return (ttl != null) ? List.of(this.message.uniqueKey(), ttl.toSeconds()) : List.of();
	}

	public List<Object> args() {
		List<Object> args = new ArrayList<>(List.of(state().wireName(), id(), this.bytes, at(), group()));
		args.addAll(lock().isEmpty() ? List.of("", "") : lock());
		args.add(replaces() ? 1 : "");
		return args;
	}

	public List<Object> named() {
		List<Object> named = new ArrayList<>();
		List<Object> values = args();
		for (int i = 0; i < NAMES.size(); i++) {
			named.addAll(List.of(NAMES.get(i), values.get(i)));
		}
		return named;
	}

}
