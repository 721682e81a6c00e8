package io.asynq.internal.group;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Collectors;

import io.asynq.group.GroupLimits;
import io.asynq.handler.TaskAggregators;
import io.asynq.internal.group.GroupStore.DueGroups;
import io.asynq.internal.lane.Lanes;
import io.asynq.internal.lane.QueueRound;
import io.asynq.internal.lane.WorkFinder;
import io.asynq.internal.lifecycle.Loops;
import io.asynq.internal.lifecycle.PeriodicComponent;
import io.asynq.internal.lifecycle.ServerPhase;
import io.asynq.internal.text.OneLineLogger;
import io.asynq.server.ServerOptions;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;

/**
 * Sleeps until the next group is due, but not longer than Go does, because a group may be
 * due sooner by its size.
 */
public final class Aggregator extends PeriodicComponent {

	private static final Logger logger = OneLineLogger.of(Aggregator.class);

	private static final Duration LONGEST_PAUSE = Duration.ofSeconds(7);

	private final ServerOptions options;

	private final TaskAggregators aggregators;

	private final GroupStore store;

	private final GroupAggregation aggregation;

	private final QueueRound round;

	private final Lanes lanes;

	private final AggregatorThreads threads;

	/** The nano time at which a group is due or an aggregator's time is over. */
	private final AtomicReference<@Nullable Long> nextLook = new AtomicReference<>();

	public Aggregator(ServerOptions options, TaskAggregators aggregators, GroupStore store,
			GroupAggregation aggregation, QueueRound round, Lanes lanes, Loops loops) {
		super(ServerPhase.AGGREGATOR, loops);
		this.options = options;
		this.aggregators = aggregators;
		this.store = store;
		this.aggregation = aggregation;
		this.round = round;
		this.lanes = lanes;
		this.threads = new AggregatorThreads(aggregation, lanes, this::wake);
	}

	/** Handlers and aggregators share the shutdown timeout. */
	public void takeNoMore() {
		this.threads.takeNoMore();
	}

	public void takeAgain() {
		this.threads.takeAgain();
	}

	@Override
	protected void starting() {
		for (TaskAggregators.Idle idle : this.aggregators.idleBeside(this.options.queues().weights().keySet())) {
			logger.warn(
					"The aggregator {} is never called here: it is for queue {}, which this server does not serve."
							+ " Add the queue to 'asynq.server.queues', or give the aggregator one of {}",
					idle.aggregator(), idle.queue(), this.options.queues().weights().keySet());
		}
		this.threads.start();
	}

	@Override
	protected Duration runOnce() {
		List<String> queues = queues();
		if (queues.isEmpty()) {
			// An aggregator may be added at any time
			return LONGEST_PAUSE;
		}
		Duration pause = LONGEST_PAUSE;
		for (String queue : queues) {
			Duration grace = this.options.groupLimits(queue).gracePeriod();
			pause = (grace.compareTo(pause) < 0) ? grace : pause;
		}
		List<AggregatorCall> overdue = new ArrayList<>();
		this.nextLook.set(this.aggregation.giveUpOverdue(System.nanoTime(), overdue::add));
		if (!overdue.isEmpty()) {
			giveUpTasks(overdue);
		}
		this.round.each(WorkFinder.Kind.AGGREGATE, queues, this::look);
		return soonest(pause);
	}

	@Override
	protected void stopping() {
		this.threads.takeNoMore();
	}

	@Override
	protected void stopped() {
		List<AggregatorCall> givenUp = this.threads.stop(this.options.shutdownTimeout());
		if (!givenUp.isEmpty()) {
			runAtStopForOutcomes(() -> giveUpTasks(givenUp));
		}
	}

	/** In new threads, because no lane may be skipped. */
	private void giveUpTasks(List<AggregatorCall> givenUp) {
		Map<String, List<AggregatorCall>> byQueue = givenUp.stream()
			.collect(Collectors.groupingBy((call) -> call.group().queue()));
		new QueueRound("asynq-aggregator", this.lanes).each(byQueue.keySet(),
				(queue) -> byQueue.get(queue).forEach(this.aggregation::giveUpTasks));
	}

	private void look(String queue) {
		GroupLimits limits = this.options.groupLimits(queue);
		String from = null;
		do {
			DueGroups found = this.store.due(queue, limits, from);
			for (String group : found.groups()) {
				GroupName name = new GroupName(queue, group);
				if (this.aggregation.mayRun(name)) {
					this.threads.submit(name);
				}
			}
			Duration untilNext = found.untilNext();
			if (untilNext != null) {
				long due = System.nanoTime() + untilNext.toNanos();
				this.nextLook.accumulateAndGet(due, (known, its) -> (known == null || due - known < 0) ? its : known);
			}
			from = this.threads.areBusy(queue) ? null : found.next();
		}
		while (from != null && shouldContinue());
	}

	private Duration soonest(Duration pause) {
		Duration soonest = pause;
		Duration untilRetry = this.aggregation.untilRetry();
		soonest = (untilRetry.compareTo(soonest) < 0) ? untilRetry : soonest;
		Long next = this.nextLook.get();
		if (next != null) {
			Duration untilDue = Duration.ofNanos(next - System.nanoTime());
			soonest = (untilDue.compareTo(soonest) < 0) ? untilDue : soonest;
		}
		return soonest;
	}

	private List<String> queues() {
		return this.options.queues().weights().keySet().stream().filter(this.aggregators::isAnyFor).toList();
	}

}
