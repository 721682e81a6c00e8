package io.asynq.server;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;

import io.asynq.broker.DueGroups;
import io.asynq.broker.GroupLimits;
import io.asynq.handler.GroupAggregators;
import io.asynq.lifecycle.PeriodicComponent;
import io.asynq.lifecycle.ServerPhase;
import io.asynq.logging.OneLineLogger;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;

/**
 * Looks for groups that are due and has them turned into tasks (asynq L02, L03). Sleeps
 * until the next group is due, but not longer than Go does, because a group may be due
 * sooner by its size. Asks nothing of Redis while there is no aggregator.
 */
final class Aggregator extends PeriodicComponent {

	private static final Logger logger = OneLineLogger.of(Aggregator.class);

	private static final Duration LONGEST_PAUSE = Duration.ofSeconds(7);

	private final ServerRuntime runtime;

	private final GroupBackOff backOff = new GroupBackOff(System::nanoTime);

	private final GroupAggregation aggregation;

	private final AggregatorThreads threads;

	/**
	 * The nano time in which a group is due, or an aggregator's time is over; as far as
	 * is known.
	 */
	private final AtomicReference<@Nullable Long> nextLook = new AtomicReference<>();

	Aggregator(ServerRuntime runtime) {
		super(ServerPhase.AGGREGATOR, runtime.loops());
		this.runtime = runtime;
		this.aggregation = new GroupAggregation(runtime, this.backOff);
		this.threads = new AggregatorThreads(this.aggregation, runtime.errors(), this::wake);
	}

	/**
	 * Takes no more groups, because the server begins to stop: the shutdown timeout is
	 * that of handlers and aggregators together.
	 */
	void takeNoMore() {
		this.threads.takeNoMore();
	}

	/**
	 * Takes groups again, should the server go on.
	 */
	void takeAgain() {
		this.threads.takeAgain();
	}

	@Override
	protected void starting() {
		for (GroupAggregators.Idle idle : aggregators()
			.idleBeside(this.runtime.options().queues().weights().keySet())) {
			logger.warn(
					"The aggregator {} is never asked here: it is for queue '{}', which this server does not serve."
							+ " Add the queue to 'asynq.server.queues', or give the aggregator one of {}",
					idle.aggregator(), idle.queue(), this.runtime.options().queues().weights().keySet());
		}
		this.threads.start();
	}

	@Override
	protected Duration runOnce() {
		List<String> queues = queues();
		if (queues.isEmpty()) {
			// Somebody may add one at any time
			return LONGEST_PAUSE;
		}
		Duration pause = LONGEST_PAUSE;
		for (String queue : queues) {
			Duration grace = this.runtime.options().groupLimits(queue).gracePeriod();
			pause = (grace.compareTo(pause) < 0) ? grace : pause;
		}
		this.nextLook.set(this.aggregation.calls().giveUpOverdue(System.nanoTime()));
		this.runtime.round("asynq-aggregator").each(queues, this::look);
		return soonest(pause);
	}

	@Override
	protected void stopping() {
		this.threads.takeNoMore();
	}

	@Override
	protected void stopped() {
		List<AggregatorCall> givenUp = this.threads.stop(this.runtime.options().shutdownTimeout());
		if (!givenUp.isEmpty()) {
			lastOutcomes(() -> givenUp.forEach(this.aggregation.calls()::giveUpTasks));
		}
	}

	private void look(String queue) {
		GroupLimits limits = this.runtime.options().groupLimits(queue);
		String from = null;
		do {
			DueGroups found = this.runtime.broker().groupStore().due(queue, limits, from);
			for (String group : found.groups()) {
				GroupName name = new GroupName(queue, group);
				if (this.backOff.allows(name) && aggregators().find(queue, group) != null) {
					this.threads.submit(name);
				}
			}
			Duration untilNext = found.untilNext();
			if (untilNext != null) {
				long due = System.nanoTime() + untilNext.toNanos();
				this.nextLook.accumulateAndGet(due, (known, its) -> (known == null || due - known < 0) ? its : known);
			}
			from = this.threads.areBusy() ? null : found.next();
		}
		while (from != null && goesOn());
	}

	private Duration soonest(Duration pause) {
		Duration soonest = pause;
		Duration untilRetry = this.backOff.untilNext();
		soonest = (untilRetry.compareTo(soonest) < 0) ? untilRetry : soonest;
		Long next = this.nextLook.get();
		if (next != null) {
			Duration untilDue = Duration.ofNanos(next - System.nanoTime());
			soonest = (untilDue.compareTo(soonest) < 0) ? untilDue : soonest;
		}
		return soonest;
	}

	private List<String> queues() {
		return this.runtime.options().queues().weights().keySet().stream().filter(aggregators()::isAnyFor).toList();
	}

	private GroupAggregators aggregators() {
		return this.runtime.policies().aggregators();
	}

}
