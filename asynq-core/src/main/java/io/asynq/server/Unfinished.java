package io.asynq.server;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

import io.asynq.broker.CrashRecord;
import io.asynq.broker.Due;
import io.asynq.broker.LeasedTask;
import io.asynq.broker.Outcome;
import io.asynq.broker.ServerIdentity;
import io.asynq.logging.OneLineLogger;
import org.slf4j.Logger;

/**
 * What becomes of attempts that are to end though their handlers have not returned. They
 * go back to the front of their queues, uncounted; but who has stopped the server himself
 * is charged with that as with a crash, and who was stopped again and again soon after
 * the start of a server, as where an orchestrator ends what works too long, waits.
 */
final class Unfinished {

	private static final Logger logger = OneLineLogger.of(Unfinished.class);

	private static final Duration YOUNG = Duration.ofMinutes(1);

	/** From so many in a row on, tasks wait. */
	private static final int OFTEN = 3;

	private static final Duration FIRST_WAIT = Duration.ofMinutes(1);

	private static final Duration LONGEST_WAIT = Duration.ofHours(1);

	private final ServerRuntime runtime;

	private final TaskExecution execution;

	private final FailureDecision decision;

	private final CrashCount crashes;

	private volatile long startedNanos;

	Unfinished(ServerRuntime runtime, TaskExecution execution, FailureDecision decision) {
		this.runtime = runtime;
		this.execution = execution;
		this.decision = decision;
		this.crashes = new CrashCount(runtime.options().maxCrashes(), Duration.ZERO);
	}

	/**
	 * Says that the server starts.
	 */
	void serverStarts() {
		this.startedNanos = System.nanoTime();
	}

	/**
	 * Ends attempts that have caused the present stop, which goes on in the present
	 * thread. Nobody is to wait for them: they wait for the stop.
	 * @param running attempts that run
	 * @return their outcomes, to be reported
	 */
	List<PendingOutcome> endCulprits(Collection<Attempt> running) {
		List<Attempt> culprits = running.stream().filter(Unfinished::isCulprit).toList();
		List<PendingOutcome> outcomes = new ArrayList<>();
		for (Attempt attempt : culprits) {
			if (attempt.takeBack(new OwnServerStoppedException()) || attempt.conclusion().take()) {
				outcomes.add(new PendingOutcome(attempt, charged(attempt), false));
			}
		}
		// The stop may go on in the thread of one of them, and an interrupt would end it
		Thread.interrupted();
		culprits.forEach(this.runtime.active()::returned);
		return outcomes;
	}

	private static boolean isCulprit(Attempt attempt) {
		return StopCause.isIn(attempt.thread()) || StopCause.isIn(attempt.conclusion().thread());
	}

	/**
	 * Ends attempts, so that they can be put back. What has ended, but is kept back by a
	 * policy or an error handler that does not return, gets its outcome without them.
	 * @param attempts the attempts, the first one is to run first
	 * @return their outcomes, to be reported
	 */
	List<PendingOutcome> takeBack(List<Attempt> attempts) {
		boolean young = System.nanoTime() - this.startedNanos < YOUNG.toNanos();
		List<PendingOutcome> outcomes = new ArrayList<>();
		int unfinished = 0;
		for (Attempt attempt : attempts) {
			boolean aborted = attempt.takeBack(new ServerStoppedException());
			if (aborted || attempt.conclusion().error() != null && attempt.conclusion().take()) {
				this.runtime.active().hold(attempt);
				outcomes.add(new PendingOutcome(attempt,
						aborted ? stopped(attempt, young) : this.execution.outcome(attempt), false));
				unfinished += aborted ? 1 : 0;
			}
			attempt.conclusion().interrupt();
		}
		if (!outcomes.isEmpty()) {
			logger.info("asynq server puts {} of {} unfinished tasks back to the front of their queues", unfinished,
					outcomes.size());
		}
		return outcomes;
	}

	/**
	 * Writes outcomes, and before some of them what is to be known of the next attempts.
	 * @param outcomes the outcomes
	 */
	void report(List<PendingOutcome> outcomes) {
		List<PendingOutcome> unchanged = new ArrayList<>();
		Map<String, List<PendingOutcome>> changed = new LinkedHashMap<>();
		for (PendingOutcome pending : outcomes) {
			LeasedTask task = pending.outcome().task();
			List<PendingOutcome> its = task.record().equals(pending.attempt().leased().record()) ? unchanged
					: changed.computeIfAbsent(task.message().queue(), (queue) -> new ArrayList<>());
			its.add(pending);
		}
		this.runtime.reporter().reportNow(unchanged);
		if (!this.runtime.lanes().areSeveral()) {
			changed.forEach(this::noteAndReport);
		}
		else if (!changed.isEmpty()) {
			Map<String, Runnable> work = new LinkedHashMap<>();
			this.runtime.lanes()
				.of(changed.keySet())
				.forEach((lane, queues) -> work.put(lane,
						() -> queues.forEach((queue) -> noteAndReport(queue, changed.get(queue)))));
			// Threads of its own, as nothing of it may be left out
			new LaneThreads("asynq-processor", this.runtime.lanes().threads(), this.runtime.errors()).run(work);
		}
	}

	private void noteAndReport(String queue, List<PendingOutcome> outcomes) {
		note(queue, outcomes.stream().map((pending) -> pending.outcome().task()).toList());
		this.runtime.reporter().reportNow(outcomes);
	}

	private Outcome charged(Attempt attempt) {
		Outcome decided = attempt.conclusion().decided();
		LeasedTask task = attempt.leased();
		logger.warn("{} has stopped its own server, which counts as a crash", attempt);
		if (decided != null && !(decided instanceof Outcome.Retry)) {
			// It does not run again
			return decided;
		}
		CrashRecord record = this.crashes.count(task.record(), task.record().suspect(), server(),
				this.runtime.clock().instant());
		LeasedTask noted = task.withRecord(record);
		return this.crashes.isTooMany(record) ? new Outcome.Archive(noted, this.crashes.reason(record))
				: this.decision.decideAlone(noted, new OwnServerStoppedException());
	}

	private Outcome stopped(Attempt attempt, boolean young) {
		LeasedTask task = attempt.leased();
		if (!attempt.hasBegun() || !young && task.record().cutShort() == 0) {
			return new Outcome.Requeue(task);
		}
		LeasedTask noted = task.withRecord(task.record().stopped(young));
		int times = noted.record().cutShort();
		if (times < OFTEN) {
			return new Outcome.Requeue(noted);
		}
		Duration wait = wait(times);
		logger.warn(
				"{} was cut short {} times in a row by the stop of a server that had lived for less than {} s:"
						+ " it is postponed by {}. If it stops them, or something stops them because of it,"
						+ " mend that; if it takes longer than servers live, raise 'asynq.server.shutdown-timeout'",
				attempt, times, YOUNG.toSeconds(), wait);
		return new Outcome.Postpone(noted, Due.in(wait));
	}

	/**
	 * Returns how long a task waits that was cut short.
	 * @param times how many times in a row
	 * @return longer from time to time
	 */
	static Duration wait(int times) {
		Duration wait = FIRST_WAIT.multipliedBy(1L << Math.min(times - OFTEN, 10));
		return (wait.compareTo(LONGEST_WAIT) < 0) ? wait : LONGEST_WAIT;
	}

	private void note(String queue, List<LeasedTask> tasks) {
		try {
			this.runtime.broker().attempts().note(queue, tasks);
		}
		catch (Throwable ex) {
			// Their outcomes are to be written all the same
			this.runtime.errors().warn("asynq-processor", ex);
		}
	}

	private static String server() {
		ServerIdentity server = ServerIdentity.ofThisProcess();
		return server.host() + ":" + server.pid();
	}

}
