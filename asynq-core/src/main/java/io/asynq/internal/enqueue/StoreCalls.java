package io.asynq.internal.enqueue;

import java.time.Clock;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

import io.asynq.BrokerException;
import io.asynq.TaskState;
import io.asynq.internal.redis.Batches;
import io.asynq.internal.redis.Keys;
import io.asynq.internal.redis.LuaScript;
import io.asynq.internal.redis.PublishedQueues;
import io.asynq.internal.redis.ScriptRunner;
import io.asynq.internal.redis.ScriptTime;
import io.asynq.internal.redis.SeveralQueues;
import io.asynq.internal.redis.Text;

final class StoreCalls implements SharedCalls.Store {

	private final ScriptRunner scripts;

	private final SeveralQueues several;

	private final Clock clock;

	private final ScriptTime time;

	private final PublishedQueues published;

	StoreCalls(ScriptRunner scripts, Clock clock, ScriptTime time, PublishedQueues published) {
		this.published = published;
		this.scripts = scripts;
		this.several = new SeveralQueues(scripts);
		this.clock = clock;
		this.time = time;
	}

	boolean maySpanQueues() {
		return this.several.arePossible();
	}

	@Override
	public long store(NewTask task) {
		this.published.publish(task.queue());
		if (task.replaces()) {
			return codes(task.queue(), List.of(task))[0];
		}
		return (task.state() == TaskState.PENDING) ? storePending(task) : storeWaiting(task);
	}

	/** Each chunk may take as long as one call. */
	@Override
	public List<StoreAnswer> storeAll(List<NewTask> tasks) {
		StoreAnswer[] answers = new StoreAnswer[tasks.size()];
		List<Item> items = new ArrayList<>(answers.length);
		for (int i = 0; i < answers.length; i++) {
			items.add(new Item(i, tasks.get(i)));
		}
		try {
			chunks(items).forEach((chunk) -> this.scripts.within(() -> {
				store(listed(byQueue(chunk), answers), answers);
				return answers;
			}));
		}
		catch (BrokerException ex) {
			// Nobody knows yet whether this is a cluster
			put(ex, items, answers);
		}
		return Arrays.asList(answers);
	}

	private List<List<Item>> chunks(List<Item> items) {
		this.scripts.seesCluster();
		return this.several.arePossible() ? batches(items)
				: byQueue(items).values().stream().flatMap((own) -> batches(own).stream()).toList();
	}

	/** Leaves out queues that cannot be listed. */
	private Map<String, List<Item>> listed(Map<String, List<Item>> byQueue, StoreAnswer[] answers) {
		byQueue.entrySet().removeIf((queue) -> {
			try {
				this.published.publish(queue.getKey());
				return false;
			}
			catch (BrokerException ex) {
				put(ex, queue.getValue(), answers);
				return true;
			}
		});
		return byQueue;
	}

	private void store(Map<String, List<Item>> byQueue, StoreAnswer[] answers) {
		if (byQueue.size() > 1 && storeTogether(byQueue, answers)) {
			return;
		}
		byQueue.forEach((queue, items) -> {
			try {
				put(codes(queue, tasks(items)), items, answers);
			}
			catch (BrokerException ex) {
				put(ex, items, answers);
			}
		});
	}

	/** Returns {@code false} if Redis refused the call as a whole. */
	private boolean storeTogether(Map<String, List<Item>> byQueue, StoreAnswer[] answers) {
		boolean plain = byQueue.values().stream().flatMap(List::stream).map(Item::task).allMatch(NewTask::isPlain);
		List<SeveralQueues.Call> calls = new ArrayList<>(byQueue.size());
		byQueue.forEach((queue, items) -> calls
			.add(new SeveralQueues.Call(queue, List.of(Keys.of(queue).pending()), args(plain, queue, tasks(items)))));
		List<List<Item>> items = List.copyOf(byQueue.values());
		try {
			List<SeveralQueues.Answer> read = this.several
				.call(plain ? LuaScript.ENQUEUE_PENDING_BATCH_SEVERAL : LuaScript.STORE_SEVERAL, calls);
			for (int i = 0; i < read.size(); i++) {
				BrokerException error = read.get(i).error();
				if (error != null) {
					put(error, items.get(i), answers);
				}
				else {
					put(read.get(i).answer().stream().mapToInt((code) -> ((Long) code).intValue()).toArray(),
							items.get(i), answers);
				}
			}
			return !read.isEmpty();
		}
		catch (BrokerException ex) {
			items.forEach((each) -> put(ex, each, answers));
			return true;
		}
	}

	private int[] codes(String queue, List<NewTask> tasks) {
		boolean plain = tasks.stream().allMatch(NewTask::isPlain);
		return this.scripts.runCodes(plain ? LuaScript.ENQUEUE_PENDING_BATCH : LuaScript.STORE, Text.queue(queue),
				List.of(Keys.of(queue).pending()), args(plain, queue, tasks));
	}

	/** {@code plain} tasks have a cheaper script. */
	private List<Object> args(boolean plain, String queue, List<NewTask> tasks) {
		Keys keys = Keys.of(queue);
		List<Object> args = new ArrayList<>(3 + tasks.size() * 8);
		args.addAll(plain ? List.of(keys.taskPrefix(), now()) : List.of(keys.prefix(), this.time.argument(), now()));
		for (NewTask task : tasks) {
			args.addAll(plain ? List.of(task.id(), task.bytes()) : task.args());
		}
		return args;
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

	private long now() {
		return Text.nanos(this.clock.instant());
	}

	private static Map<String, List<Item>> byQueue(List<Item> items) {
		Map<String, List<Item>> byQueue = new LinkedHashMap<>();
		items.forEach((item) -> byQueue.computeIfAbsent(item.task().queue(), (queue) -> new ArrayList<>()).add(item));
		return byQueue;
	}

	private static List<List<Item>> batches(List<Item> items) {
		return Batches.of(items, (item) -> item.task().bytes().length);
	}

	private static List<NewTask> tasks(List<Item> items) {
		return items.stream().map(Item::task).toList();
	}

	private static void put(int[] codes, List<Item> items, StoreAnswer[] answers) {
		for (int i = 0; i < codes.length; i++) {
			answers[items.get(i).index()] = StoreAnswer.of(codes[i]);
		}
	}

	private static void put(BrokerException error, List<Item> items, StoreAnswer[] answers) {
		items.forEach((item) -> answers[item.index()] = StoreAnswer.of(error));
	}

	private record Item(int index, NewTask task) {
	}

}
