package io.asynq.spring.boot.test;

import java.time.Clock;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

import io.asynq.handler.TaskAggregators;
import io.asynq.internal.enqueue.TaskMessageFactory;
import io.asynq.internal.event.Observers;
import io.asynq.internal.group.AggregatorCalls;
import io.asynq.internal.group.GroupAggregation;
import io.asynq.internal.group.GroupStore;
import io.asynq.internal.worker.ServerCounters;
import io.asynq.server.ServerOptions;
import io.asynq.server.ServerPolicies;

/**
 * Has due groups turned into tasks, in the caller's thread. Used by one thread at a time.
 */
final class GroupRuns {

	private final GroupStore store;

	private final ServerOptions options;

	private final TaskAggregators aggregators;

	private final GroupAggregation aggregation;

	/** Groups that stay as they are until {@link #begin()}, by queue and group. */
	private final Set<List<String>> failed = new HashSet<>();

	GroupRuns(GroupStore store, TaskAggregators aggregators, ServerOptions options, ServerPolicies policies,
			Observers observers, Clock clock) {
		this.store = store;
		this.options = options;
		this.aggregators = aggregators;
		ServerCounters counters = new ServerCounters(options.queues().weights().keySet());
		this.aggregation = new GroupAggregation(new AggregatorCalls(store, counters, observers.observations()), store,
				this.aggregators, options, observers.events(), new TaskMessageFactory(clock, policies.interceptors()));
	}

	/**
	 * Gives groups whose aggregator has failed another try.
	 */
	void begin() {
		this.failed.clear();
	}

	/**
	 * Turns the due groups of a queue into tasks.
	 * @return whether there were any that did not fail
	 */
	boolean run(String queue) {
		boolean any = false;
		for (String group : due(queue)) {
			List<String> name = List.of(queue, group);
			if (this.aggregators.find(queue, group) != null && !this.failed.contains(name)) {
				boolean more = this.aggregation.run(queue, group);
				if (!more && due(queue).contains(group)) {
					this.failed.add(name);
				}
				else {
					any = true;
				}
			}
		}
		return any;
	}

	private List<String> due(String queue) {
		return this.store.due(queue, this.options.groupLimits(queue), null).groups();
	}

}
