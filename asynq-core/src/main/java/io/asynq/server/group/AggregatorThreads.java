package io.asynq.server.group;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

import io.asynq.BrokerException;
import io.asynq.lifecycle.LoopErrorLog;
import io.asynq.logging.OneLineLogger;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;

import org.springframework.scheduling.concurrent.CustomizableThreadFactory;

/**
 * Runs aggregators: at most three at once, as in Go, each group in one thread. Groups
 * take turns: a group with more tasks waits behind the others. Can be started again after
 * a stop.
 */
final class AggregatorThreads {

	static final int THREADS = 3;

	private static final Logger logger = OneLineLogger.of(AggregatorThreads.class);

	/** How long a stop waits for interrupted aggregators. */
	private static final Duration AFTER_INTERRUPT = Duration.ofMillis(500);

	/** How many groups wait in memory; the others wait in Redis. */
	private static final int MOST_WAITING = 1000;

	private final GroupAggregation aggregation;

	private final LoopErrorLog errors;

	private final Runnable whenDone;

	private final Set<GroupName> submitted = ConcurrentHashMap.newKeySet();

	private volatile @Nullable ThreadPoolExecutor executor;

	/** Whether a search for groups was cut short because too many were waiting. */
	private volatile boolean cutShort;

	/** The nano time since which no more groups are taken. */
	private volatile @Nullable Long endingSince;

	/**
	 * @param errors logs errors of Redis
	 * @param whenDone called when all submitted groups are done and there may be more in
	 * Redis
	 */
	AggregatorThreads(GroupAggregation aggregation, LoopErrorLog errors, Runnable whenDone) {
		this.aggregation = aggregation;
		this.errors = errors;
		this.whenDone = whenDone;
	}

	void start() {
		CustomizableThreadFactory factory = new CustomizableThreadFactory("asynq-aggregation-");
		factory.setDaemon(true);
		ThreadPoolExecutor started = new ThreadPoolExecutor(THREADS, THREADS, 10, TimeUnit.SECONDS,
				new LinkedBlockingQueue<>(), factory);
		started.allowCoreThreadTimeOut(true);
		this.submitted.clear();
		this.cutShort = false;
		this.endingSince = null;
		this.aggregation.calls().goOn();
		this.executor = started;
	}

	/**
	 * Has a group aggregated, unless it is already waiting.
	 */
	void submit(GroupName group) {
		ThreadPoolExecutor present = this.executor;
		if (present != null && this.endingSince == null && this.submitted.add(group)) {
			execute(present, group);
		}
	}

	/**
	 * Returns whether so many groups are waiting that there is no need to look for more;
	 * {@code whenDone} is then called after the last one.
	 */
	boolean areBusy() {
		boolean busy = this.submitted.size() >= MOST_WAITING;
		if (busy) {
			// Kept until whenDone was called: another queue may be searched completely
			// meanwhile
			this.cutShort = true;
		}
		return busy;
	}

	/**
	 * Takes no more groups; those in progress continue. The shutdown timeout counts from
	 * the first call.
	 */
	void takeNoMore() {
		if (this.endingSince == null) {
			this.endingSince = System.nanoTime();
		}
	}

	/**
	 * Takes groups again, if {@link #takeNoMore()} was not followed by a stop.
	 */
	void takeAgain() {
		this.endingSince = null;
	}

	/**
	 * Waits for the groups in progress, then interrupts their aggregators.
	 * @param patience how long to wait, counted from {@link #takeNoMore()}
	 * @return the calls whose tasks must be given back
	 */
	List<AggregatorCall> stop(Duration patience) {
		ThreadPoolExecutor present = this.executor;
		Long since = this.endingSince;
		this.executor = null;
		if (present == null) {
			return List.of();
		}
		List<AggregatorCall> givenUp = new ArrayList<>(this.aggregation.calls().giveUpCulprits());
		present.shutdown();
		present.getQueue().clear();
		long waited = (since != null) ? System.nanoTime() - since : 0;
		boolean onlyCulprits = !givenUp.isEmpty() && present.getActiveCount() <= givenUp.size();
		if (onlyCulprits || hasEnded(present, patience.minusNanos(waited))) {
			return givenUp;
		}
		givenUp.addAll(this.aggregation.calls().giveUpAll());
		if (!hasEnded(present, AFTER_INTERRUPT)) {
			logger.warn("{} aggregators ignore their interrupt: their threads are abandoned", present.getActiveCount());
		}
		return givenUp;
	}

	private static boolean hasEnded(ThreadPoolExecutor executor, Duration timeout) {
		try {
			return executor.awaitTermination(timeout.toMillis(), TimeUnit.MILLISECONDS);
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
			return false;
		}
	}

	private void execute(ThreadPoolExecutor present, GroupName group) {
		try {
			present.execute(() -> run(present, group));
		}
		catch (RejectedExecutionException ex) {
			// Stopping: the group waits in Redis
			ended(present, group);
		}
	}

	private void run(ThreadPoolExecutor present, GroupName group) {
		boolean more = false;
		try {
			more = this.endingSince == null && this.aggregation.run(group);
		}
		catch (BrokerException ex) {
			this.errors.warn("asynq-aggregator", ex);
		}
		finally {
			if (more) {
				execute(present, group);
			}
			else {
				ended(present, group);
			}
		}
	}

	private void ended(ThreadPoolExecutor its, GroupName group) {
		if (its != this.executor) {
			// Abandoned at a stop; after a restart the group may be in progress again
			return;
		}
		this.submitted.remove(group);
		if (this.submitted.isEmpty() && this.cutShort) {
			this.cutShort = false;
			this.whenDone.run();
		}
	}

}
