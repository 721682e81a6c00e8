package io.asynq.internal.redis;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.IntStream;

import io.asynq.internal.broker.RedisBroker;
import io.asynq.internal.enqueue.EnqueueRequest;
import io.asynq.internal.enqueue.Placement;
import io.asynq.internal.lane.Lanes;
import io.asynq.internal.lane.QueueRound;
import io.asynq.internal.limit.LimitClaim;
import io.asynq.internal.limit.LimitRule;
import io.asynq.internal.limit.LimitStore;
import io.asynq.internal.limit.WaitingTasks;
import io.asynq.internal.worker.Due;
import io.asynq.internal.worker.LeasedTask;
import io.asynq.internal.worker.LimitClass;
import io.asynq.internal.worker.Outcome;

/**
 * Has tasks take tokens of limits and wait for them, as servers do.
 */
public final class LimitSeeds {

	private final RedisBroker broker;

	private final Set<String> woken = new LinkedHashSet<>();

	private final WaitingTasks tasks;

	public LimitSeeds(RedisBroker broker) {
		this.broker = broker;
		this.tasks = new WaitingTasks(broker.limits(), new QueueRound("limits", Lanes.single()), this.woken::add);
	}

	/** Announces a limit of running tasks. */
	public LimitSeeds concurrent(String limit, int concurrent) {
		this.broker.limits().announce(Map.of(limit, new LimitRule(concurrent, 0, 0, null)));
		return this;
	}

	/** Announces a limit of starts: ten per second. */
	public LimitSeeds tenPerSecond(String limit) {
		this.broker.limits().announce(Map.of(limit, new LimitRule(0, 100_000, 10, "10/s")));
		return this;
	}

	/**
	 * Takes tokens for a task that need not exist.
	 * @param needs a limit, or limit and key with a colon between them
	 */
	public LimitSeeds hold(String queue, String id, String... needs) {
		if (!take(queue, id, false, needs)) {
			throw new IllegalStateException("No token is free of " + Arrays.toString(needs));
		}
		return this;
	}

	/**
	 * Enqueues a task, and has it wait.
	 * @param queue a queue without pending tasks
	 */
	public LimitSeeds park(String queue, String id, String... needs) {
		return park(RedisState.message(queue, id).build(), needs);
	}

	/** Like {@link #park(String, String, String...)}, a certain task. */
	public LimitSeeds park(TaskMessage message, String... needs) {
		String queue = message.queue();
		LimitClass limits = limits(queue, needs);
		this.broker.enqueuer().enqueue(new EnqueueRequest(message, new Placement.Pending(), null));
		LeasedTask task = this.broker.dequeuer().dequeue(queue, 1).tasks().get(0);
		this.broker.completer().report(List.of(new Outcome.Wait(task, limits, Due.in(Duration.ofHours(1)))));
		this.tasks.wake(this.broker.limits().lineUp(List.of(limits)));
		return this;
	}

	/**
	 * Takes tokens for a task.
	 * @param woken whether it waited, and it is its turn
	 */
	public boolean take(String queue, String id, boolean woken, String... needs) {
		return this.broker.limits()
			.take(List.of(new LimitClaim(limits(queue, needs), id, "an attempt", woken)))
			.equals(List.of(LimitStore.Answer.GRANTED));
	}

	/**
	 * Gives the tokens of a task back.
	 * @return the queues with tasks whose turn it is
	 */
	public Set<String> release(String queue, String id, String... needs) {
		this.woken.clear();
		this.tasks
			.wake(this.broker.limits().release(List.of(new LimitClaim(limits(queue, needs), id, "an attempt", false))));
		return Set.copyOf(this.woken);
	}

	/**
	 * Enqueues a task for each of many keys of a limit, and has all wait.
	 * @param queue a queue without pending tasks
	 * @param limit another limit that all of them need
	 */
	public LimitSeeds parkKeys(String queue, int keys, String limit, String limitWithKeys) {
		for (int from = 0; from < keys; from += 500) {
			int end = Math.min(from + 500, keys);
			this.broker.enqueuer()
				.enqueueAll(IntStream.range(from, end)
					.mapToObj((i) -> new EnqueueRequest(RedisState.message(queue, "k" + i).build(),
							new Placement.Pending(), null))
					.toList());
			List<LeasedTask> tasks = new ArrayList<>();
			while (tasks.size() < end - from) {
				tasks.addAll(this.broker.dequeuer().dequeue(queue, 500).tasks());
			}
			List<Outcome.Wait> waits = tasks.stream()
				.map((task) -> new Outcome.Wait(task, limits(queue, limit, limitWithKeys + ":" + task.message().id()),
						Due.in(Duration.ofHours(1))))
				.toList();
			this.broker.completer().report(waits);
			this.tasks.wake(this.broker.limits().lineUp(waits.stream().map(Outcome.Wait::needs).toList()));
		}
		return this;
	}

	private static LimitClass limits(String queue, String... needs) {
		return LimitClass.of(queue, Arrays.stream(needs).map((need) -> {
			int colon = need.indexOf(':');
			return (colon < 0) ? LimitClass.need(need)
					: LimitClass.need(need.substring(0, colon), need.substring(colon + 1));
		}).toList());
	}

}
