package io.asynq.server;

import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLong;

import io.asynq.broker.LeasedTask;
import io.asynq.broker.Outcome;
import io.asynq.lifecycle.PeriodicComponent;
import io.asynq.lifecycle.ServerPhase;
import io.asynq.logging.OneLineLogger;
import org.slf4j.Logger;

/**
 * Takes as many tasks as it has idle workers, never more, and has them run. At a stop it
 * waits for what is running and puts the rest back to the front of its queue.
 */
final class Processor extends PeriodicComponent {

	private static final Logger logger = OneLineLogger.of(Processor.class);

	private static final Duration UNTIL_WOKEN = Duration.ofSeconds(1);

	/** How often to look all the same while arrivals are told. */
	private static final Duration LIVE_CHECK_INTERVAL = Duration.ofSeconds(5);

	private final ServerRuntime runtime;

	private final TaskExecution execution;

	private final TaskFetcher fetcher;

	private final Intake intake;

	private final Admission admission;

	private final ArrivalSignals arrivals;

	private final DeadlineWatch deadlines;

	private final Unfinished unfinished;

	private final Workers workers;

	private Runnable onStart = () -> {
	};

	private Runnable onStop = () -> {
	};

	private volatile boolean checkAll;

	private long nextCheckNanos;

	private final AtomicLong sequence = new AtomicLong();

	Processor(ServerRuntime runtime, TaskExecution execution, TaskFetcher fetcher, ArrivalSignals arrivals,
			DeadlineWatch deadlines, Unfinished unfinished) {
		super(ServerPhase.PROCESSOR, runtime.loops());
		this.runtime = runtime;
		this.execution = execution;
		this.fetcher = fetcher;
		fetcher.onRestEnded(this::wake);
		this.arrivals = arrivals;
		this.deadlines = deadlines;
		this.unfinished = unfinished;
		this.workers = new Workers(runtime, new Beginnings(runtime), this::wake, this::fetchForWorker,
				this::isUnattended);
		this.intake = new Intake(fetcher, this.workers.slots(), this::runAll, this::putBack, this::wake);
		this.admission = new Admission(this.intake, runtime.status(), execution::hasHandler);
	}

	/**
	 * Sets what is to happen whenever the server starts.
	 * @param action the action
	 */
	void onStart(Runnable action) {
		this.onStart = action;
	}

	/**
	 * Sets what is to happen whenever the server begins to stop.
	 * @param action the action
	 */
	void onStop(Runnable action) {
		this.onStop = action;
	}

	/**
	 * A task may be pending in a queue.
	 * @param queue the queue
	 */
	void arrived(String queue) {
		if (this.fetcher.readiness().mark(queue)) {
			wake();
		}
	}

	/**
	 * Tasks may be pending in any queue, or it is not told any more when they are.
	 */
	void checkAll() {
		this.checkAll = true;
		wake();
	}

	/**
	 * Takes nothing more until the next start; what is running goes on.
	 */
	void quiet() {
		if (this.admission.quiet()) {
			logger.info("asynq server is quiet: it takes no more tasks");
		}
	}

	@Override
	protected void starting() {
		this.unfinished.serverStarts();
		this.workers.start();
		this.checkAll = true;
		this.admission.start();
		this.onStart.run();
		logger.info("asynq server started: queues {}{}, {}", this.runtime.options().queues().weights(),
				this.runtime.options().queues().strict() ? " (strict)" : "",
				this.admission.isOpen() ? workers() : "takes no tasks, because there is no task handler");
	}

	@Override
	protected Duration runOnce() {
		this.fetcher.giveBackLost();
		if (!this.admission.isOpen()) {
			return UNTIL_WOKEN;
		}
		checkNowAndThen();
		this.fetcher.markRested();
		this.intake.fetch();
		if (watch()) {
			return Duration.ZERO;
		}
		if (!this.workers.lookForWork() && this.workers.slots().awaitOffer() && this.intake.isWorthwhile()) {
			return Duration.ZERO;
		}
		long untilCheck = Math.max(0, this.nextCheckNanos - System.nanoTime());
		return Duration.ofNanos(Math.min(untilCheck, this.fetcher.markRested()));
	}

	@Override
	protected void stopping() {
		this.admission.stop();
		this.onStop.run();
	}

	@Override
	protected void stopped() {
		if (!this.runtime.stops().await(this.intake::awaitQuiet)) {
			logger.warn("asynq server stopping: a fetch does not end, what it brings is put back");
		}
		List<PendingOutcome> culprits = this.unfinished.endCulprits(this.runtime.active().running());
		lastOutcomes(() -> this.unfinished.report(culprits));
		lastWords(this.fetcher::giveBackLost);
		Duration timeout = this.runtime.options().shutdownTimeout();
		if (!this.runtime.active().running().isEmpty()) {
			logger.info("asynq server stopping: waits up to {} for {} running tasks", timeout,
					this.runtime.active().running().size());
		}
		if (!this.runtime.active().awaitNoneRunning(timeout)) {
			requeueRunning();
		}
		this.workers.stop();
		logger.info("asynq server stopped");
	}

	private String workers() {
		return "concurrency " + this.runtime.options().concurrency()
				+ (this.runtime.options().virtualThreads() ? ", virtual threads" : "");
	}

	private boolean isUnattended() {
		return this.intake.isUnattended();
	}

	private void fetchForWorker() {
		try {
			this.intake.fetchForWorker();
			if (this.arrivals.isLive() && this.fetcher.readiness().anyUnwatched() || this.fetcher.anyResting()) {
				wake();
			}
		}
		catch (Exception ex) {
			this.runtime.errors().warn("asynq-processor", ex);
		}
	}

	/**
	 * Has the next arrival told in queues that had nothing.
	 * @return whether one of them has something by now
	 */
	private boolean watch() {
		QueueReadiness readiness = this.fetcher.readiness();
		if (!this.arrivals.isLive() || !readiness.anyUnwatched()) {
			return false;
		}
		Collection<String> ready = this.arrivals.watchPending(readiness.takeUnwatched());
		ready.forEach(readiness::mark);
		return !ready.isEmpty();
	}

	private void checkNowAndThen() {
		long now = System.nanoTime();
		boolean all = this.checkAll;
		if (!all && now - this.nextCheckNanos < 0) {
			return;
		}
		this.checkAll = false;
		Duration interval = this.runtime.options().taskCheckInterval();
		boolean live = this.arrivals.isLive();
		if (live && interval.compareTo(LIVE_CHECK_INTERVAL) < 0) {
			interval = LIVE_CHECK_INTERVAL;
		}
		if (live && !all) {
			// A connection that has broken may have taken the watches with it
			this.fetcher.readiness().unwatchAll();
		}
		else {
			this.fetcher.readiness().markAll();
		}
		// Servers that start together should not look together
		this.nextCheckNanos = now + (long) (interval.toNanos() * ThreadLocalRandom.current().nextDouble(0.5, 1.5));
	}

	private void runAll(String queue, List<LeasedTask> tasks) {
		List<Attempt> attempts = attempts(returnLate(tasks));
		if (!this.intake.isOpen()) {
			requeue(attempts);
			return;
		}
		int started = 0;
		try {
			for (Attempt attempt : attempts) {
				this.workers.run(attempt, this.execution);
				started++;
				this.deadlines.watch(attempt);
			}
		}
		finally {
			if (started < attempts.size()) {
				requeue(attempts.subList(started, attempts.size()));
			}
		}
	}

	private List<Attempt> attempts(List<LeasedTask> tasks) {
		List<Attempt> attempts = new ArrayList<>(tasks.size());
		for (LeasedTask task : tasks) {
			AttemptTimes times = AttemptTimes.of(task.message(), this.sequence.getAndIncrement(),
					this.runtime.clock().instant());
			attempts.add(new Attempt(task, times, this.runtime.broker().results()));
		}
		return attempts;
	}

	/**
	 * Gives tasks back whose lease ended while their dequeue was on its way: whoever has
	 * recovered them meanwhile has made the fence another. Should Redis be away again,
	 * they are recovered: their leases have ended.
	 * @param tasks what was dequeued
	 * @return the others
	 */
	private List<LeasedTask> returnLate(List<LeasedTask> tasks) {
		long now = System.nanoTime();
		List<LeasedTask> late = tasks.stream().filter((task) -> !task.lease().isValidAt(now)).toList();
		if (late.isEmpty()) {
			return tasks;
		}
		logger.warn("{} tasks came when their leases had ended, because Redis was slow: they are put back",
				late.size());
		this.runtime.lanes()
			.aside(() -> this.runtime.broker().completer().report(late.stream().map(Outcome.Requeue::new).toList()));
		return tasks.stream().filter((task) -> !late.contains(task)).toList();
	}

	private void putBack(List<LeasedTask> tasks) {
		requeue(attempts(returnLate(tasks)));
	}

	private void requeueRunning() {
		List<Attempt> running = new ArrayList<>(this.runtime.active().running());
		running.sort(Comparator.comparingLong((attempt) -> attempt.times().sequence()));
		List<PendingOutcome> outcomes = this.unfinished.takeBack(running);
		lastOutcomes(() -> this.unfinished.report(outcomes));
		// What has succeeded at this very moment is about to be reported
		running.forEach((attempt) -> this.runtime.stops().await(attempt.conclusion()::awaitTaken));
	}

	private void requeue(List<Attempt> attempts) {
		this.unfinished.report(this.unfinished.takeBack(attempts));
	}

}
