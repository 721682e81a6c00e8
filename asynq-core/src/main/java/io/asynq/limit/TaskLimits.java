package io.asynq.limit;

import io.asynq.Broker;
import io.asynq.internal.broker.RedisBroker;
import io.asynq.internal.limit.LimitRule;
import io.asynq.internal.limit.LimitStore;

/**
 * Changes the numbers of limits while servers run, for all servers of this Redis and
 * those that start later, whatever they are configured with. Tasks that start from then
 * on follow, tasks that wait within ten seconds. Safe for concurrent use.
 */
public final class TaskLimits {

	private final LimitStore store;

	private TaskLimits(LimitStore store) {
		this.store = store;
	}

	/**
	 * Creates the object without touching Redis; the caller closes the broker.
	 */
	public static TaskLimits create(Broker broker) {
		return new TaskLimits(RedisBroker.of(broker).limits());
	}

	/**
	 * Changes both numbers of a limit, so {@code TaskLimit.concurrent(5)} also removes
	 * its rate.
	 * @param name its name; of a limit that no server has, the change is kept until one
	 * has it
	 * @param limit the new numbers; the key is not used: each server knows it
	 * @throws io.asynq.BrokerException if Redis cannot be reached or fails
	 */
	public void change(String name, TaskLimit limit) {
		this.store.change(name, LimitRule.of(limit));
	}

	/**
	 * Undoes changes of a limit: what servers are configured with applies again.
	 * @throws io.asynq.BrokerException if Redis cannot be reached or fails
	 */
	public void reset(String name) {
		this.store.change(name, null);
	}

}
