package io.asynq.internal.group;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

import io.asynq.BrokerException;
import io.asynq.internal.lane.Lanes;
import io.asynq.internal.text.OneLineLogger;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.springframework.scheduling.concurrent.CustomizableThreadFactory;

/**
 * At most three aggregators run at once, as in Go, on a cluster for each master, so that
 * one that hangs occupies its own threads only; a group with more tasks waits behind the
 * others.
 */
final class AggregatorThreads {

	static final int THREADS = 3;

	private static final Logger logger = OneLineLogger.of(AggregatorThreads.class);

	private static final Duration AFTER_INTERRUPT = Duration.ofMillis(500);

	/** How many groups of a lane wait in memory; the others wait in Redis. */
	private static final int MOST_WAITING = 1000;

	private final GroupAggregation aggregation;

	private final Lanes lanes;

	private final Runnable whenDone;

	private volatile Map<String, Lane> byLane = new ConcurrentHashMap<>();

	private volatile boolean running;

	private volatile @Nullable Long endingSince;

	/**
	 * @param whenDone called when all groups of a lane are done and Redis may have more
	 */
	AggregatorThreads(GroupAggregation aggregation, Lanes lanes, Runnable whenDone) {
		this.aggregation = aggregation;
		this.lanes = lanes;
		this.whenDone = whenDone;
	}

	void start() {
		this.byLane = new ConcurrentHashMap<>();
		this.endingSince = null;
		this.aggregation.goOn();
		this.running = true;
	}

	void submit(GroupName group) {
		if (this.running && this.endingSince == null) {
			lane(group.queue()).submit(group);
		}
	}

	/** Enough groups are waiting; {@code whenDone} is called after the last one. */
	boolean areBusy(String queue) {
		return lane(queue).isBusy();
	}

	/** The shutdown timeout counts from the first call. */
	void takeNoMore() {
		if (this.endingSince == null) {
			this.endingSince = System.nanoTime();
		}
	}

	void takeAgain() {
		this.endingSince = null;
	}

	List<AggregatorCall> stop(Duration patience) {
		Long since = this.endingSince;
		Collection<Lane> present = this.byLane.values();
		this.byLane = new ConcurrentHashMap<>();
		this.running = false;
		List<AggregatorCall> givenUp = new ArrayList<>(this.aggregation.giveUpCulprits());
		present.forEach(Lane::end);
		long waited = (since != null) ? System.nanoTime() - since : 0;
		boolean onlyCulprits = !givenUp.isEmpty() && active(present) <= givenUp.size();
		if (onlyCulprits || haveEnded(present, patience.minusNanos(waited))) {
			return givenUp;
		}
		givenUp.addAll(this.aggregation.giveUpAll());
		if (!haveEnded(present, AFTER_INTERRUPT)) {
			logger.warn("{} aggregators ignore their interrupt: their threads are abandoned", active(present));
		}
		return givenUp;
	}

	private Lane lane(String queue) {
		String name = this.lanes.areSeveral() ? this.lanes.of(queue) : Lanes.UNKNOWN;
		return this.byLane.computeIfAbsent(name, (its) -> new Lane());
	}

	private static int active(Collection<Lane> lanes) {
		return lanes.stream().mapToInt((lane) -> lane.executor.getActiveCount()).sum();
	}

	private static boolean haveEnded(Collection<Lane> lanes, Duration timeout) {
		long end = System.nanoTime() + timeout.toNanos();
		try {
			for (Lane lane : lanes) {
				if (!lane.executor.awaitTermination(end - System.nanoTime(), TimeUnit.NANOSECONDS)) {
					return false;
				}
			}
			return true;
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
			return false;
		}
	}

	private final class Lane {

		private final Set<GroupName> submitted = ConcurrentHashMap.newKeySet();

		private final ThreadPoolExecutor executor;

		private volatile boolean cutShort;

		Lane() {
			CustomizableThreadFactory factory = new CustomizableThreadFactory("asynq-aggregation-");
			factory.setDaemon(true);
			this.executor = new ThreadPoolExecutor(THREADS, THREADS, 10, TimeUnit.SECONDS, new LinkedBlockingQueue<>(),
					factory);
			this.executor.allowCoreThreadTimeOut(true);
		}

		void submit(GroupName group) {
			if (this.submitted.add(group)) {
				execute(group);
			}
		}

		boolean isBusy() {
			boolean busy = this.submitted.size() >= MOST_WAITING;
			if (busy) {
				// Kept until whenDone was called: another queue may be searched
				// completely meanwhile
				this.cutShort = true;
			}
			return busy;
		}

		void end() {
			this.executor.shutdown();
			this.executor.getQueue().clear();
		}

		private void execute(GroupName group) {
			try {
				this.executor.execute(() -> run(group));
			}
			catch (RejectedExecutionException ex) {
				// Stopping: the group waits in Redis
				ended(group);
			}
		}

		private void run(GroupName group) {
			boolean more = false;
			try {
				more = AggregatorThreads.this.endingSince == null && AggregatorThreads.this.aggregation.run(group);
			}
			catch (BrokerException ex) {
				AggregatorThreads.this.lanes.errors().warn("asynq-aggregator", ex);
			}
			finally {
				if (more) {
					execute(group);
				}
				else {
					ended(group);
				}
			}
		}

		private void ended(GroupName group) {
			this.submitted.remove(group);
			if (!this.executor.isShutdown() && this.submitted.isEmpty() && this.cutShort) {
				this.cutShort = false;
				AggregatorThreads.this.whenDone.run();
			}
		}

	}

}
