package io.asynq.broker.redis;

import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;

import io.asynq.broker.Broker;
import io.asynq.broker.limit.LimitClaim;
import io.asynq.broker.limit.LimitClass;
import io.asynq.broker.limit.LimitRule;
import io.asynq.broker.message.Due;
import io.asynq.broker.message.EnqueueRequest;
import io.asynq.broker.message.LeasedTask;
import io.asynq.broker.message.Outcome;
import io.asynq.broker.message.Placement;
import io.asynq.broker.message.TaskMessage;

/**
 * Has tasks take tokens of limits and wait for them, as servers do.
 */
public final class LimitSeeds {

	private final Broker broker;

	public LimitSeeds(Broker broker) {
		this.broker = broker;
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
		LimitClass limits = limits(queue, needs);
		if (!this.broker.limits().take(List.of(new LimitClaim(limits, id, "an attempt"))).get(0).granted()) {
			throw new IllegalStateException("No token is free of " + Arrays.toString(needs));
		}
		return this;
	}

	/**
	 * Enqueues a task, and has it wait.
	 * @param queue a queue without pending tasks
	 */
	public LimitSeeds park(String queue, String id, String... needs) {
		LimitClass limits = limits(queue, needs);
		TaskMessage message = RedisState.message(queue, id).build();
		this.broker.enqueuer().enqueue(new EnqueueRequest(message, new Placement.Pending(), null));
		LeasedTask task = this.broker.dequeuer().dequeue(queue, 1).tasks().get(0);
		this.broker.completer().report(List.of(new Outcome.Wait(task, limits, Due.in(Duration.ofHours(1)), false)));
		this.broker.limits().lineUp(List.of(limits));
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
