package io.asynq.internal.worker;

import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

import io.asynq.event.ArchiveReason;
import io.asynq.internal.redis.ServerIdentity;
import io.asynq.internal.text.OneLineLogger;
import io.asynq.server.ServerOptions;
import org.slf4j.Logger;

/**
 * Tasks go back to the front of their queues and are not counted, except that one that
 * has stopped the server itself is charged with a crash, and one that is repeatedly
 * stopped soon after a start (as by an orchestrator that kills servers that work too
 * long) is postponed.
 */
public final class Requeuer {

	private static final Logger logger = OneLineLogger.of(Requeuer.class);

	private static final Duration YOUNG = Duration.ofMinutes(1);

	/** From this many in a row on, tasks are postponed. */
	private static final int OFTEN = 3;

	private static final Duration FIRST_WAIT = Duration.ofMinutes(1);

	private static final Duration LONGEST_WAIT = Duration.ofHours(1);

	private final TaskExecution execution;

	private final Decision decision;

	private final ActiveTasks active;

	private final OutcomeWriter outcomes;

	private final CrashCount crashes;

	private final Duration patience;

	private final Clock clock;

	private volatile long startedNanos;

	public Requeuer(TaskExecution execution, Decision decision, ActiveTasks active, OutcomeWriter outcomes,
			ServerOptions options, Clock clock) {
		this.execution = execution;
		this.decision = decision;
		this.active = active;
		this.outcomes = outcomes;
		this.crashes = new CrashCount(options.maxCrashes(), Duration.ZERO);
		this.patience = options.shutdownTimeout();
		this.clock = clock;
	}

	void serverStarts() {
		this.startedNanos = System.nanoTime();
	}

	/**
	 * A stop must not wait for the attempts that have caused it: they wait for the stop.
	 */
	List<Attempt> endCulprits() {
		List<Attempt> culprits = this.active.running().stream().filter(Requeuer::isCulprit).toList();
		List<Attempt> outcomes = new ArrayList<>();
		for (Attempt attempt : culprits) {
			if (attempt.abortAndClaim(new OwnServerStoppedException()) || attempt.claim()) {
				outcomes.add(attempt.withOutcome(charged(attempt)));
			}
		}
		// The stop may run in the thread of one of them, and an interrupt would end it
		Thread.interrupted();
		culprits.forEach(this.active::returned);
		return outcomes;
	}

	boolean awaitEnd() {
		int running = this.active.running().size();
		if (running > 0) {
			logger.info("asynq server stopping: waiting up to {} for {} running tasks", this.patience, running);
		}
		return this.active.awaitNoneRunning(this.patience);
	}

	List<Attempt> running() {
		List<Attempt> running = new ArrayList<>(this.active.running());
		running.sort(Comparator.comparingLong(Attempt::sequence));
		return running;
	}

	private static boolean isCulprit(Attempt attempt) {
		return UserThread.isInStop(attempt.handlerThread()) || UserThread.isInStop(attempt.policiesThread());
	}

	/** What a policy or error handler delays gets its outcome without them. */
	List<Attempt> takeBack(List<Attempt> attempts) {
		boolean young = System.nanoTime() - this.startedNanos < YOUNG.toNanos();
		List<Attempt> outcomes = new ArrayList<>();
		for (Attempt attempt : attempts) {
			boolean aborted = attempt.abortAndClaim(new ServerStoppedException());
			if (aborted || attempt.error() != null && attempt.claim()) {
				this.active.addUnsettled(attempt);
				outcomes
					.add(aborted ? attempt.withOutcome(stopped(attempt, young)) : this.execution.withOutcome(attempt));
			}
			attempt.interruptPolicies();
		}
		return outcomes;
	}

	/** The leases are renewed until Redis has taken the outcomes. */
	void end(List<Attempt> outcomes) {
		outcomes.forEach(this.active::addUnsettled);
		this.outcomes.writeWithRecords(outcomes);
	}

	void report(List<Attempt> outcomes) {
		this.outcomes.writeWithRecords(outcomes);
		outcomes.forEach(this.execution::written);
	}

	private Outcome charged(Attempt attempt) {
		Outcome decided = attempt.outcome();
		LeasedTask task = attempt.leased();
		TaskMdc.during(attempt.message(),
				() -> logger.warn("{} has stopped its own server, which counts as a crash", attempt));
		if (decided != null && !(decided instanceof Outcome.Retry)) {
			// The task does not run again
			return decided;
		}
		CrashRecord record = this.crashes.count(task.record(), task.record().suspect(), server(), this.clock.instant());
		LeasedTask noted = task.withRecord(record);
		if (this.crashes.isTooMany(record)) {
			String reason = this.crashes.reason(record);
			TaskMdc.during(attempt.message(),
					() -> logger.warn("Archived {} after attempt {}: {}", attempt, attempt.retryCount() + 1, reason));
			return new Outcome.Archive(noted, reason, ArchiveReason.CRASHES);
		}
		return this.decision.decideAlone(noted, new OwnServerStoppedException());
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
		TaskMdc.during(attempt.message(),
				() -> logger.warn(
						"{} was interrupted {} times in a row by the stop of a server that had run for less than {} s:"
								+ " it is postponed by {}. If the task causes these stops, fix that;"
								+ " if it takes longer than servers live, raise 'asynq.server.shutdown-timeout'",
						attempt, times, YOUNG.toSeconds(), wait));
		return new Outcome.Postpone(noted, Due.in(wait));
	}

	static Duration wait(int times) {
		Duration wait = FIRST_WAIT.multipliedBy(1L << Math.min(times - OFTEN, 10));
		return (wait.compareTo(LONGEST_WAIT) < 0) ? wait : LONGEST_WAIT;
	}

	private static String server() {
		ServerIdentity server = ServerIdentity.ofThisProcess();
		return server.host() + ":" + server.pid();
	}

}
