package io.asynq.server.work;

import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;

import io.asynq.broker.TaskCompleter;
import io.asynq.broker.message.LeasedTask;
import io.asynq.broker.message.Outcome;
import io.asynq.logging.OneLineLogger;
import io.asynq.server.attempt.Attempt;
import io.asynq.server.attempt.AttemptTimes;
import io.asynq.server.lane.Lanes;
import io.asynq.server.limit.Limiter;
import io.asynq.server.outcome.PendingOutcome;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;

/**
 * Creates attempts for tasks that were taken from a queue, or puts them back. Safe for
 * concurrent use.
 */
public final class TakenTasks {

	private static final Logger logger = OneLineLogger.of(TakenTasks.class);

	private final TaskCompleter completer;

	private final HeldTasks held;

	private final Unfinished unfinished;

	private final Lanes lanes;

	private final Limiter limiter;

	private final Clock clock;

	private final AtomicLong sequence = new AtomicLong();

	/**
	 * @param limiter gives the tokens of tasks back that have not begun
	 */
	public TakenTasks(TaskCompleter completer, HeldTasks held, Unfinished unfinished, Lanes lanes, Limiter limiter,
			Clock clock) {
		this.completer = completer;
		this.held = held;
		this.unfinished = unfinished;
		this.lanes = lanes;
		this.limiter = limiter;
		this.clock = clock;
	}

	/**
	 * Holds tasks until {@link #next} takes them.
	 */
	void hold(List<LeasedTask> tasks) {
		this.held.add(tasks);
	}

	/**
	 * Returns whether a task that is held may start.
	 */
	boolean anyMayStart() {
		return this.held.anyMayStart();
	}

	/**
	 * Creates an attempt at the next task that is held, whose timeout begins now.
	 * @return the attempt, {@code null} if none may start
	 */
	@Nullable Attempt next() {
		LeasedTask next = this.held.next();
		while (next != null && !next.lease().isValidAt(System.nanoTime())) {
			List<LeasedTask> late = new ArrayList<>(List.of(next));
			late.addAll(this.held.takeIf((task) -> !task.lease().isValidAt(System.nanoTime())));
			returnLate(late);
			next = this.held.next();
		}
		return (next != null) ? attempt(next) : null;
	}

	/**
	 * Puts an attempt back that could not start, and all that wait behind it.
	 */
	void putBackFrom(Attempt attempt) {
		List<Attempt> attempts = new ArrayList<>(List.of(attempt));
		attempts.addAll(attempts(this.held.takeIf((task) -> true)));
		putBack(attempts);
	}

	/**
	 * Creates attempts for the tasks whose lease has not expired on the way.
	 */
	List<Attempt> attempts(List<LeasedTask> tasks) {
		List<LeasedTask> inTime = returnLate(tasks);
		List<Attempt> attempts = new ArrayList<>(inTime.size());
		for (LeasedTask task : inTime) {
			attempts.add(attempt(task));
		}
		return attempts;
	}

	private Attempt attempt(LeasedTask task) {
		AttemptTimes times = AttemptTimes.of(task.message(), this.sequence.getAndIncrement(), this.clock.instant());
		return new Attempt(task, times, this.completer);
	}

	/**
	 * Creates an attempt that has not begun and that nobody else ends.
	 */
	Attempt undecided(LeasedTask task) {
		Attempt attempt = attempt(task);
		attempt.conclusion().take();
		return attempt;
	}

	/**
	 * Ends attempts that have not begun.
	 */
	void end(List<Outcome> outcomes) {
		if (!outcomes.isEmpty()) {
			this.unfinished.end(outcomes.stream()
				.map((outcome) -> new PendingOutcome(undecided(outcome.task()), outcome, false))
				.toList());
		}
	}

	/**
	 * Gives the tokens of a task back, if it has some.
	 */
	void release(LeasedTask task) {
		this.limiter.release(task);
	}

	void putBackTasks(List<LeasedTask> tasks) {
		putBack(attempts(tasks));
	}

	private void putBack(List<Attempt> attempts) {
		this.unfinished.report(this.unfinished.takeBack(attempts));
		attempts.forEach((attempt) -> release(attempt.leased()));
	}

	/**
	 * Puts back tasks whose lease expired before they could start. If another server has
	 * recovered one meanwhile, the fence has changed and nothing happens. If Redis is
	 * down again, they will be recovered because their leases have expired.
	 */
	private List<LeasedTask> returnLate(List<LeasedTask> tasks) {
		long now = System.nanoTime();
		List<LeasedTask> late = tasks.stream().filter((task) -> !task.lease().isValidAt(now)).toList();
		if (late.isEmpty()) {
			return tasks;
		}
		logger.warn("{} tasks were not started before their leases ended, because Redis or this process stood still:"
				+ " they are put back", late.size());
		try {
			this.lanes.aside(() -> this.completer.report(late.stream().map(Outcome.Requeue::new).toList()));
		}
		finally {
			late.forEach(this::release);
		}
		return tasks.stream().filter((task) -> !late.contains(task)).toList();
	}

}
