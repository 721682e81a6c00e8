package io.asynq.broker.redis;

import java.time.Clock;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

import io.asynq.BrokerException;
import io.asynq.broker.EnqueueRequest;
import io.asynq.broker.EnqueueResult;
import io.asynq.broker.EnqueueStatus;
import io.asynq.broker.Placement;
import io.asynq.broker.TaskEnqueuer;
import io.asynq.broker.TaskMessage;

/**
 * Stores new tasks (protocol 6.1–6.5).
 */
final class RedisEnqueuer implements TaskEnqueuer {

	private final ScriptRunner scripts;

	private final Clock clock;

	private final ScriptTime time;

	private final PublishedQueues published;

	RedisEnqueuer(ScriptRunner scripts, Clock clock, ScriptTime time, PublishedQueues published) {
		this.scripts = scripts;
		this.clock = clock;
		this.time = time;
		this.published = published;
	}

	@Override
	public EnqueueStatus enqueue(EnqueueRequest request) {
		StoredTask task = StoredTask.of(request);
		this.published.publish(task.queue());
		if (request.placement() instanceof Placement.Scheduled later) {
			return schedule(task, later.at());
		}
		return (request.placement() instanceof Placement.Grouped) ? addToGroup(task) : enqueue(task);
	}

	@Override
	public List<EnqueueResult> enqueueAll(List<EnqueueRequest> requests) {
		EnqueueResult[] results = new EnqueueResult[requests.size()];
		Map<String, List<StoredTask>> byQueue = new LinkedHashMap<>();
		for (int i = 0; i < results.length; i++) {
			StoredTask task = StoredTask.of(requests.get(i), i);
			byQueue.computeIfAbsent(task.queue(), (queue) -> new ArrayList<>()).add(task);
		}
		byQueue.forEach((queue, tasks) -> {
			for (List<StoredTask> batch : Batches.of(tasks, (task) -> task.bytes().length)) {
				enqueueBatch(queue, batch, results);
			}
		});
		return Arrays.asList(results);
	}

	private EnqueueStatus enqueue(StoredTask task) {
		long now = Text.nanos(this.clock.instant());
		if (task.isUnique()) {
			return status(this.scripts.runLong(LuaScript.ENQUEUE_UNIQUE, task.subject(),
					List.of(task.key(), task.keys().pending(), task.lock()), task.id(), task.bytes(), now,
					task.lockSeconds()));
		}
		return status(this.scripts.runLong(LuaScript.ENQUEUE, task.subject(),
				List.of(task.key(), task.keys().pending()), task.id(), task.bytes(), now));
	}

	private EnqueueStatus schedule(StoredTask task, Instant at) {
		long seconds = Text.seconds(at);
		if (task.isUnique()) {
			return status(this.scripts.runLong(LuaScript.SCHEDULE_UNIQUE, task.subject(),
					List.of(task.key(), task.keys().scheduled(), task.lock()), task.id(), task.bytes(), seconds,
					task.group(), task.lockSeconds()));
		}
		return status(this.scripts.runLong(LuaScript.SCHEDULE, task.subject(),
				List.of(task.key(), task.keys().scheduled()), task.id(), task.bytes(), seconds, task.group()));
	}

	private EnqueueStatus addToGroup(StoredTask task) {
		List<String> keys = new ArrayList<>(List.of(task.key(), task.keys().group(task.group()), task.keys().groups()));
		if (task.isUnique()) {
			keys.add(task.lock());
		}
		return status(this.scripts.runLong(LuaScript.ADD_TO_GROUP, task.subject(), keys, task.id(), task.bytes(),
				this.time.argument(), task.group(), task.lockSeconds()));
	}

	private void enqueueBatch(String queue, List<StoredTask> batch, EnqueueResult[] results) {
		try {
			this.published.publish(queue);
			int[] codes = batch.stream().allMatch(StoredTask::isPlain) ? sendPlain(queue, batch) : send(queue, batch);
			for (int i = 0; i < codes.length; i++) {
				results[batch.get(i).index()] = EnqueueResult.of(status(codes[i]));
			}
		}
		catch (BrokerException ex) {
			for (StoredTask task : batch) {
				results[task.index()] = EnqueueResult.unknown(ex);
			}
		}
	}

	private int[] sendPlain(String queue, List<StoredTask> batch) {
		Keys keys = Keys.of(queue);
		List<Object> args = new ArrayList<>(2 + batch.size() * 2);
		args.add(keys.taskPrefix());
		args.add(Text.nanos(this.clock.instant()));
		for (StoredTask task : batch) {
			args.add(task.id());
			args.add(task.bytes());
		}
		return this.scripts.runCodes(LuaScript.ENQUEUE_PENDING_BATCH, Text.queue(queue), List.of(keys.pending()), args);
	}

	private int[] send(String queue, List<StoredTask> batch) {
		Keys keys = Keys.of(queue);
		List<Object> args = new ArrayList<>(4 + batch.size() * 7);
		args.addAll(
				List.of(keys.taskPrefix(), keys.groupPrefix(), Text.nanos(this.clock.instant()), this.time.argument()));
		batch.forEach((task) -> task.addTo(args));
		return this.scripts.runCodes(LuaScript.ENQUEUE_BATCH, Text.queue(queue),
				List.of(keys.pending(), keys.scheduled(), keys.groups()), args);
	}

	private static EnqueueStatus status(long code) {
		return switch ((int) code) {
			case 1 -> EnqueueStatus.ENQUEUED;
			case 0 -> EnqueueStatus.ID_CONFLICT;
			case -1 -> EnqueueStatus.DUPLICATE;
			default -> EnqueueStatus.BROKEN;
		};
	}

	/**
	 * A request in the form in which it is sent.
	 */
	private record StoredTask(int index, EnqueueRequest request, TaskMessage message, byte[] bytes, Keys keys) {

		static StoredTask of(EnqueueRequest request) {
			return of(request, 0);
		}

		static StoredTask of(EnqueueRequest request, int index) {
			TaskMessage message = request.message();
			Keys keys = Keys.of(message.queue());
			if (request.lockTtl() != null) {
				message = message.toBuilder().uniqueKey(keys.unique(message.type(), message.payload())).build();
			}
			return new StoredTask(index, request, message, TaskMessageCodec.encode(message), keys);
		}

		String queue() {
			return this.message.queue();
		}

		String id() {
			return this.message.id();
		}

		String key() {
			return this.keys.task(this.message.id());
		}

		String group() {
			return this.message.group();
		}

		boolean isUnique() {
			return this.request.lockTtl() != null;
		}

		boolean isPlain() {
			return !isUnique() && this.request.placement() instanceof Placement.Pending;
		}

		String lock() {
			return this.message.uniqueKey();
		}

		long lockSeconds() {
			return (this.request.lockTtl() != null) ? this.request.lockTtl().toSeconds() : 0;
		}

		String subject() {
			return "task '" + id() + "' of queue '" + queue() + "'";
		}

		void addTo(List<Object> args) {
			Placement placement = this.request.placement();
			if (placement instanceof Placement.Scheduled later) {
				args.addAll(List.of("scheduled", id(), this.bytes, Text.seconds(later.at())));
			}
			else {
				args.addAll(List.of((placement instanceof Placement.Grouped) ? "grouped" : "pending", id(), this.bytes,
						""));
			}
			boolean grouped = !(placement instanceof Placement.Pending);
			args.addAll(List.of(grouped ? group() : "", lock(), isUnique() ? lockSeconds() : ""));
		}

	}

}
