package io.asynq.internal.worker;

import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BiPredicate;
import java.util.function.Predicate;
import java.util.stream.Collectors;

import io.asynq.internal.lane.Lanes;
import io.asynq.internal.text.OneLineLogger;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;

public final class TakenTasks {

	private static final Logger logger = OneLineLogger.of(TakenTasks.class);

	private final TaskCompleter completer;

	/** Calls Redis in the thread of a handler. */
	private final BiPredicate<Lease, byte[]> results;

	private final PrefetchBuffer buffer;

	private final ActiveTasks active;

	private final Requeuer requeuer;

	private final Lanes lanes;

	private final LimitGate limits;

	private final Clock clock;

	private final AtomicLong sequence = new AtomicLong();

	public TakenTasks(TaskCompleter completer, PrefetchBuffer buffer, ActiveTasks active, Requeuer requeuer,
			Lanes lanes, LimitGate limits, Clock clock) {
		this.completer = completer;
		this.results = completer::writeResult;
		this.buffer = buffer;
		this.active = active;
		this.requeuer = requeuer;
		this.lanes = lanes;
		this.limits = limits;
		this.clock = clock;
	}

	void add(List<LeasedTask> tasks) {
		this.buffer.add(tasks);
	}

	boolean anyMayStart() {
		return this.buffer.anyMayStart();
	}

	/** The timeout begins now; {@code null} if no task may start. */
	@Nullable Attempt next() {
		LeasedTask next = this.buffer.next();
		while (next != null && !next.lease().isValidAt(System.nanoTime())) {
			List<LeasedTask> late = new ArrayList<>(List.of(next));
			late.addAll(this.buffer.takeIf((task) -> !task.lease().isValidAt(System.nanoTime())));
			returnLate(late);
			next = this.buffer.next();
		}
		return (next != null) ? attempt(next) : null;
	}

	/** Includes all that wait behind it. */
	void putBackFrom(Attempt attempt) {
		List<Attempt> attempts = new ArrayList<>(List.of(attempt));
		attempts.addAll(attempts(this.buffer.takeIf((task) -> true)));
		putBack(attempts);
	}

	/** Tasks that wait for a slot; the caller ends them. */
	public List<Attempt> takeOut(Predicate<LeasedTask> condition) {
		List<Attempt> attempts = attempts(this.buffer.takeIf(condition));
		// All of them first: an error must not lose the others
		attempts.forEach((attempt) -> this.active.add(attempt, () -> this.limits.release(attempt.lease())));
		return attempts;
	}

	/** Leaves out tasks whose lease has expired on the way. */
	List<Attempt> attempts(List<LeasedTask> tasks) {
		List<LeasedTask> inTime = returnLate(tasks);
		List<Attempt> attempts = new ArrayList<>(inTime.size());
		for (LeasedTask task : inTime) {
			attempts.add(attempt(task));
		}
		return attempts;
	}

	private Attempt attempt(LeasedTask task) {
		return new Attempt(task, this.sequence.getAndIncrement(), this.clock.instant(), this.results);
	}

	/** Creates an attempt that has not begun and that nobody else ends. */
	Attempt undecided(LeasedTask task) {
		Attempt attempt = attempt(task);
		attempt.claim();
		return attempt;
	}

	void end(List<Outcome> outcomes) {
		if (!outcomes.isEmpty()) {
			this.requeuer
				.end(outcomes.stream().map((outcome) -> undecided(outcome.task()).withOutcome(outcome)).toList());
		}
	}

	void putBackTasks(List<LeasedTask> tasks) {
		putBack(attempts(tasks));
	}

	/** For tasks without outcome after an error before they were buffered. */
	void putBackStranded(List<LeasedTask> tasks) {
		putBackTasks(tasks.stream().filter(this.active::isAdrift).toList());
	}

	public void putBackAhead() {
		putBackTasks(this.buffer.takeIf(LeasedTask::ahead));
	}

	/** Whoever should have these tasks all the same will start none. */
	public void putBackAdrift(List<LeasedTask> tasks) {
		Set<Lease> leases = tasks.stream().map(LeasedTask::lease).collect(Collectors.toSet());
		this.buffer.takeIf((task) -> leases.contains(task.lease()));
		leases.forEach(Lease::lose);
		requeue(tasks);
	}

	private void putBack(List<Attempt> attempts) {
		this.requeuer.report(this.requeuer.takeBack(attempts));
		attempts.forEach((attempt) -> this.limits.release(attempt.lease()));
	}

	private List<LeasedTask> returnLate(List<LeasedTask> tasks) {
		long now = System.nanoTime();
		List<LeasedTask> late = tasks.stream().filter((task) -> !task.lease().isValidAt(now)).toList();
		if (late.isEmpty()) {
			return tasks;
		}
		logger.warn("{} tasks were not started before their leases ended, because Redis or this process stood still:"
				+ " they are put back", late.size());
		requeue(late);
		return tasks.stream().filter((task) -> !late.contains(task)).toList();
	}

	/**
	 * If another server has recovered a task meanwhile, the fence has changed and nothing
	 * happens; those that Redis does not take are tried again with the next heartbeat.
	 */
	private void requeue(List<LeasedTask> tasks) {
		try {
			this.lanes
				.aside(() -> this.active.report(this.completer, tasks.stream().map(Outcome.Requeue::new).toList()));
		}
		catch (Throwable ex) {
			this.lanes.errors().warn("asynq-processor", ex);
		}
		finally {
			tasks.forEach((task) -> this.limits.release(task.lease()));
		}
	}

}
