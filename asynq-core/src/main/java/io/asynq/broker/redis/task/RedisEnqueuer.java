package io.asynq.broker.redis.task;

import java.time.Clock;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

import io.asynq.AsynqException;
import io.asynq.BrokerException;
import io.asynq.TaskState;
import io.asynq.broker.TaskEnqueuer;
import io.asynq.broker.message.EnqueueRequest;
import io.asynq.broker.redis.Batches;
import io.asynq.broker.redis.Keys;
import io.asynq.broker.redis.LuaScript;
import io.asynq.broker.redis.NewTask;
import io.asynq.broker.redis.PublishedQueues;
import io.asynq.broker.redis.Refusal;
import io.asynq.broker.redis.ScriptRunner;
import io.asynq.broker.redis.ScriptTime;
import io.asynq.broker.redis.Text;

/**
 * Stores new tasks.
 */
public final class RedisEnqueuer implements TaskEnqueuer {

	private final ScriptRunner scripts;

	private final Clock clock;

	private final ScriptTime time;

	private final PublishedQueues published;

	public RedisEnqueuer(ScriptRunner scripts, Clock clock, ScriptTime time, PublishedQueues published) {
		this.scripts = scripts;
		this.clock = clock;
		this.time = time;
		this.published = published;
	}

	@Override
	public void enqueue(EnqueueRequest request) {
		NewTask task = NewTask.of(request);
		this.published.publish(task.queue());
		Refusal.throwIfAny(task.message(), store(task));
	}

	@Override
	public List<Optional<AsynqException>> enqueueAll(List<EnqueueRequest> requests) {
		List<Optional<AsynqException>> results = new ArrayList<>(
				Collections.nCopies(requests.size(), Optional.<AsynqException>empty()));
		Map<String, List<Item>> byQueue = new LinkedHashMap<>();
		for (int i = 0; i < requests.size(); i++) {
			NewTask task = NewTask.of(requests.get(i));
			byQueue.computeIfAbsent(task.queue(), (queue) -> new ArrayList<>()).add(new Item(i, task));
		}
		byQueue.forEach((queue, items) -> {
			for (List<Item> batch : Batches.of(items, (item) -> item.task().bytes().length)) {
				enqueueBatch(queue, batch, results);
			}
		});
		return results;
	}

	private void enqueueBatch(String queue, List<Item> batch, List<Optional<AsynqException>> results) {
		List<NewTask> tasks = batch.stream().map(Item::task).toList();
		try {
			this.published.publish(queue);
			int[] codes = tasks.stream().allMatch(NewTask::isPlain) ? storePlain(queue, tasks) : store(queue, tasks);
			for (int i = 0; i < codes.length; i++) {
				results.set(batch.get(i).index(), Refusal.of(tasks.get(i).message(), codes[i]));
			}
		}
		catch (BrokerException ex) {
			batch.forEach((item) -> results.set(item.index(), Optional.of(ex)));
		}
	}

	private long store(NewTask task) {
		if (task.replaces()) {
			return store(task.queue(), List.of(task))[0];
		}
		return (task.state() == TaskState.PENDING) ? storePending(task) : storeWaiting(task);
	}

	private long storePending(NewTask task) {
		Keys keys = Keys.of(task.queue());
		List<Object> args = new ArrayList<>(List.of(task.id(), task.bytes(), now()));
		args.addAll(task.lock());
		return this.scripts.runLong(LuaScript.ENQUEUE, task.subject(), List.of(keys.task(task.id()), keys.pending()),
				args.toArray());
	}

	private long storeWaiting(NewTask task) {
		Keys keys = Keys.of(task.queue());
		String container = (task.state() == TaskState.SCHEDULED) ? keys.scheduled() : keys.group(task.group());
		List<Object> args = new ArrayList<>(
				List.of(task.id(), task.bytes(), task.at(), task.group(), this.time.argument()));
		args.addAll(task.lock());
		return this.scripts.runLong(LuaScript.ENQUEUE_WAITING, task.subject(),
				List.of(keys.task(task.id()), container, keys.groups()), args.toArray());
	}

	private int[] storePlain(String queue, List<NewTask> tasks) {
		Keys keys = Keys.of(queue);
		List<Object> args = new ArrayList<>(2 + tasks.size() * 2);
		args.add(keys.taskPrefix());
		args.add(now());
		for (NewTask task : tasks) {
			args.add(task.id());
			args.add(task.bytes());
		}
		return this.scripts.runCodes(LuaScript.ENQUEUE_PENDING_BATCH, Text.queue(queue), List.of(keys.pending()), args);
	}

	private int[] store(String queue, List<NewTask> tasks) {
		Keys keys = Keys.of(queue);
		List<Object> args = new ArrayList<>(List.of(keys.prefix(), this.time.argument(), now()));
		boolean replacing = tasks.stream().anyMatch(NewTask::replaces);
		tasks.forEach((task) -> args.addAll(replacing ? task.argsToReplace() : task.args()));
		return this.scripts.runCodes(replacing ? LuaScript.REPLACE : LuaScript.STORE, Text.queue(queue),
				List.of(keys.pending()), args);
	}

	private long now() {
		return Text.nanos(this.clock.instant());
	}

	private record Item(int index, NewTask task) {
	}

}
