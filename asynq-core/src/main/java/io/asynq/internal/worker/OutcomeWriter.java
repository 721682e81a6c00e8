package io.asynq.internal.worker;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import java.util.function.Predicate;

import io.asynq.AsynqException;
import io.asynq.BrokerUnavailableException;
import io.asynq.event.TaskEvent;
import io.asynq.handler.TaskDeadlineExceededException;
import io.asynq.internal.event.TaskEvents;
import io.asynq.internal.lane.LaneThreads;
import io.asynq.internal.lane.Lanes;
import io.asynq.internal.lifecycle.LoopErrorLog;
import io.asynq.internal.lifecycle.Loops;
import io.asynq.internal.lifecycle.PeriodicComponent;
import io.asynq.internal.lifecycle.ServerPhase;
import io.asynq.internal.text.OneLineLogger;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;

/**
 * The only component that ends tasks: outcomes that have gathered are written together
 * (group commit), and when Redis is slow, their number is bounded and workers wait. What
 * Redis does not take is sent again every second while its lease is valid, since
 * afterwards another server may run the task. On a cluster each master has a thread that
 * writes its outcomes, so that one that hangs or is down does not delay the others.
 */
public final class OutcomeWriter extends PeriodicComponent implements Outcomes {

	private static final Logger logger = OneLineLogger.of(OutcomeWriter.class);

	private static final int BATCH = 256;

	private static final Duration LAST_PATIENCE = Duration.ofSeconds(2);

	private static final Duration UNTIL_WOKEN = Duration.ofSeconds(1);

	private static final long RESEND_INTERVAL = Duration.ofSeconds(1).toNanos();

	/** How long outcomes gather while several arrive at a time. */
	private static final long GATHERING = Duration.ofNanos(100_000).toNanos();

	private static final Duration LOOK = Duration.ofMillis(5);

	private final TaskCompleter completer;

	private final ActiveTasks active;

	private final ServerCounters counters;

	private final TaskEvents events;

	private final Consumer<LimitClass> waits;

	private final Lanes lanes;

	private final BlockingQueue<Attempt> waiting;

	/** Kept until Redis has taken it, whatever is thrown meanwhile. */
	private final List<Attempt> inHand = new ArrayList<>(BATCH);

	private final AtomicInteger reporting = new AtomicInteger();

	private final Map<String, LaneWriter> laneWriters = new ConcurrentHashMap<>();

	private final LaneThreads resending;

	private final LoopErrorLog errors;

	private final Deque<Attempt> unsent = new ArrayDeque<>();

	private final AtomicInteger backlog = new AtomicInteger();

	private volatile long resendNanos;

	private boolean several;

	private volatile boolean idle;

	/**
	 * @param waits told of tasks that have been put off for want of tokens
	 * @param limit how many outcomes may wait before workers do
	 */
	public OutcomeWriter(TaskCompleter completer, ActiveTasks active, ServerCounters counters, TaskEvents events,
			Consumer<LimitClass> waits, Lanes lanes, int limit, Loops loops) {
		super(ServerPhase.SYNCER, loops);
		this.completer = completer;
		this.active = active;
		this.counters = counters;
		this.events = events;
		this.waits = waits;
		this.lanes = lanes;
		this.resending = lanes.threads("asynq-outcome-writer");
		this.errors = loops.errors();
		this.waiting = new ArrayBlockingQueue<>(limit);
	}

	/** How many Redis has not taken yet, although it was asked to. */
	public int backlog() {
		return this.backlog.get();
	}

	/** Blocks while too many outcomes are waiting. */
	@Override
	public void report(Attempt attempt) {
		this.reporting.incrementAndGet();
		try {
			put(attempt);
		}
		finally {
			this.reporting.decrementAndGet();
		}
		if (this.idle) {
			this.idle = false;
			wake();
		}
	}

	@Override
	public void forget(Attempt attempt) {
		this.active.release(attempt);
	}

	/** Those of one queue stay in order, as a shutdown requires. */
	void write(List<Attempt> attempts) {
		if (!this.lanes.areSeveral()) {
			keep(send(attempts));
			return;
		}
		for (Attempt attempt : attempts) {
			this.laneWriters.computeIfAbsent(this.lanes.of(attempt.queue()), LaneWriter::new).waiting.add(attempt);
		}
		resumeLanes();
	}

	/**
	 * For attempts that have not ended by themselves: crash records that have changed are
	 * written first.
	 */
	void writeWithRecords(List<Attempt> attempts) {
		List<Attempt> unchanged = new ArrayList<>();
		Map<String, List<Attempt>> changed = new LinkedHashMap<>();
		for (Attempt attempt : attempts) {
			List<Attempt> its = recorded(attempt).record().equals(attempt.leased().record()) ? unchanged
					: changed.computeIfAbsent(attempt.queue(), (queue) -> new ArrayList<>());
			its.add(attempt);
		}
		write(unchanged);
		if (!this.lanes.areSeveral()) {
			changed.forEach(this::writeWithRecords);
		}
		else if (!changed.isEmpty()) {
			Map<String, Runnable> work = new LinkedHashMap<>();
			this.lanes.of(changed.keySet())
				.forEach((lane, queues) -> work.put(lane,
						() -> queues.forEach((queue) -> writeWithRecords(queue, changed.get(queue)))));
			try {
				// New threads, because no lane may be skipped
				this.lanes.threads("asynq-processor").run(work);
			}
			catch (Throwable ex) {
				// Without records rather than not at all: what is written twice counts
				// once
				changed.values().forEach(this::write);
				throw ex;
			}
		}
	}

	private void writeWithRecords(String queue, List<Attempt> attempts) {
		try {
			this.completer.note(queue, attempts.stream().map(OutcomeWriter::recorded).toList());
		}
		catch (Throwable ex) {
			// The outcomes must be written all the same
			this.lanes.errors().warn("asynq-processor", ex);
		}
		write(attempts);
	}

	private static LeasedTask recorded(Attempt attempt) {
		return attempt.requireOutcome().task();
	}

	@Override
	protected Duration runOnce() {
		if (this.backlog.get() > 0 && System.nanoTime() - this.resendNanos >= 0) {
			this.resendNanos = System.nanoTime() + RESEND_INTERVAL;
			// A master that hangs must not keep the outcomes of others from being written
			resend(this.resending::begin);
		}
		synchronized (this.inHand) {
			return sendInHand() ? Duration.ZERO : sendNext();
		}
	}

	private Duration sendNext() {
		Attempt first = this.waiting.poll();
		if (first == null) {
			resumeLanes();
			this.idle = true;
			return this.waiting.isEmpty() ? UNTIL_WOKEN : Duration.ZERO;
		}
		this.idle = false;
		this.inHand.add(first);
		if (this.several) {
			LockSupport.parkNanos(GATHERING);
		}
		this.waiting.drainTo(this.inHand, BATCH - 1);
		// A single outcome is not delayed: nothing indicates that another will follow
		this.several = this.inHand.size() > 1;
		write(this.inHand);
		this.inHand.clear();
		return Duration.ZERO;
	}

	/** Resends outcomes that an error kept from being sent, or from being confirmed. */
	private boolean sendInHand() {
		if (this.inHand.isEmpty()) {
			return false;
		}
		this.inHand.forEach(Attempt::markSent);
		write(this.inHand);
		this.inHand.clear();
		return true;
	}

	private void put(Attempt attempt) {
		boolean interrupted = false;
		while (true) {
			try {
				this.waiting.put(attempt);
				break;
			}
			catch (InterruptedException ex) {
				// The interrupt is meant for another party and must not lose the outcome
				interrupted = true;
			}
		}
		if (interrupted) {
			Thread.currentThread().interrupt();
		}
	}

	@Override
	protected void stopped() {
		runAtStopForOutcomes(this::sendAll);
		runAtStopForOutcomes(this::resend);
		for (Attempt attempt : take((any) -> true)) {
			this.backlog.decrementAndGet();
			drop(attempt, "Redis could not be reached before the server stopped; "
					+ "the task will be recovered when its lease has expired");
		}
	}

	/** Goes on until the last thread that hands an outcome over has done so. */
	private void sendAll() {
		List<Attempt> batch = new ArrayList<>();
		do {
			batch.clear();
			if (this.waiting.drainTo(batch, BATCH) > 0) {
				write(batch);
			}
			else {
				LockSupport.parkNanos(GATHERING);
			}
		}
		while (!batch.isEmpty() || this.reporting.get() > 0 || !this.waiting.isEmpty());
		synchronized (this.inHand) {
			sendInHand();
		}
		endLanes(LAST_PATIENCE);
	}

	void resumeLanes() {
		this.laneWriters.values().forEach(LaneWriter::start);
	}

	void endLanes(Duration patience) {
		long end = System.nanoTime() + patience.toNanos();
		resumeLanes();
		while (this.laneWriters.values().stream().anyMatch(LaneWriter::isBusy) && System.nanoTime() - end < 0) {
			LockSupport.parkNanos(LOOK.toNanos());
		}
		this.laneWriters.values().forEach(LaneWriter::handOver);
	}

	/**
	 * Resent at once, in case that only a connection has broken, and then now and then.
	 */
	void keep(Unsent left) {
		if (left.attempts().isEmpty()) {
			return;
		}
		if (left.reason() != null) {
			this.errors.warn(left.attempts().size() + " outcomes could not be written and will be resent",
					left.reason());
		}
		this.backlog.addAndGet(left.attempts().size());
		putBack(left.attempts());
		this.resendNanos = System.nanoTime();
		wake();
	}

	void resend() {
		resend(this.resending::run);
	}

	private void resend(Consumer<Map<String, Runnable>> threads) {
		// Before anything is taken, which an error would lose
		if (!this.lanes.areSeveral()) {
			resend(take((any) -> true));
			return;
		}
		Set<String> queues = new LinkedHashSet<>();
		synchronized (this.unsent) {
			this.unsent.forEach((attempt) -> queues.add(attempt.queue()));
		}
		// Each thread takes what is its own: one that cannot be started has taken nothing
		Map<String, Runnable> work = new LinkedHashMap<>();
		this.lanes.of(queues)
			.forEach((lane, its) -> work.put(lane, () -> resend(take((attempt) -> its.contains(attempt.queue())))));
		threads.accept(work);
	}

	private void resend(List<Attempt> attempts) {
		int sent = 0;
		try {
			boolean taken = true;
			while (taken && sent < attempts.size()) {
				int to = Math.min(sent + BATCH, attempts.size());
				List<Attempt> left = send(attempts.subList(sent, to)).attempts();
				this.backlog.addAndGet(left.size() - (to - sent));
				sent = to;
				putBack(left);
				taken = left.isEmpty();
			}
		}
		finally {
			putBack(attempts.subList(sent, attempts.size()));
		}
	}

	private List<Attempt> take(Predicate<Attempt> condition) {
		synchronized (this.unsent) {
			List<Attempt> taken = this.unsent.stream().filter(condition).toList();
			this.unsent.removeIf(condition);
			return taken;
		}
	}

	private void putBack(List<Attempt> attempts) {
		synchronized (this.unsent) {
			this.unsent.addAll(attempts);
		}
	}

	/**
	 * Releases tasks whose outcome was taken or finally refused, and returns the rest.
	 */
	Unsent send(List<Attempt> batch) {
		List<Attempt> valid = dropLost(batch);
		try {
			return sendTogether(valid);
		}
		catch (Throwable ex) {
			// None may be lost, and one bad outcome must not affect the others
			return sendOneByOne(valid, ex);
		}
	}

	private List<Attempt> dropLost(List<Attempt> batch) {
		long now = System.nanoTime();
		List<Attempt> valid = new ArrayList<>(batch.size());
		for (Attempt attempt : batch) {
			// What only puts a task back or off does no harm, and recovery would count it
			if (attempt.lease().isValidAt(now) || !attempt.requireOutcome().kind().endsRun()) {
				valid.add(attempt);
			}
			else {
				drop(attempt, "its lease has expired: " + attempt.lease().fate());
				if (this.events.isWanted(TaskEvent.LeaseLost.class)) {
					this.events.tell(new TaskEvent.LeaseLost(attempt.facts()));
				}
			}
		}
		return valid;
	}

	private Unsent sendTogether(List<Attempt> batch) {
		if (batch.isEmpty()) {
			return new Unsent(List.of(), null);
		}
		List<Outcome> outcomes = new ArrayList<>(batch.size());
		for (Attempt attempt : batch) {
			outcomes.add(attempt.requireOutcome());
		}
		List<OutcomeResult> results = this.completer.report(outcomes);
		List<Attempt> unsent = new ArrayList<>();
		AsynqException reason = null;
		for (int i = 0; i < results.size(); i++) {
			OutcomeResult result = results.get(i);
			Attempt attempt = batch.get(i);
			switch (result.status()) {
				case APPLIED -> taken(attempt.withOutcome(result.applied(outcomes.get(i))));
				case NOT_ACTIVE -> notActive(attempt);
				case BROKEN -> drop(attempt, "a key of its queue has the wrong type in Redis");
				case OVERDUE -> {
					Outcome.Archive archive = ((Outcome.Unhandled) outcomes.get(i)).overdue();
					Unsent left = sendTogether(List.of(attempt.withOutcome(archive)));
					unsent.addAll(left.attempts());
					reason = (left.reason() != null) ? left.reason() : reason;
				}
				case UNREACHABLE -> {
					attempt.markSent();
					unsent.add(attempt);
					reason = result.error();
				}
			}
		}
		return new Unsent(unsent, reason);
	}

	/**
	 * What needs more memory than there is, such as a huge result, is dropped when it
	 * fails alone for the second time.
	 */
	private Unsent sendOneByOne(List<Attempt> batch, Throwable failure) {
		List<Attempt> unsent = new ArrayList<>();
		AsynqException reason = new AsynqException("Writing outcomes failed: " + failure, failure);
		for (Attempt attempt : batch) {
			boolean again = attempt.isSent();
			attempt.markSent();
			try {
				unsent.addAll(sendTogether(List.of(attempt)).attempts());
			}
			catch (Throwable ex) {
				if (ex instanceof Error && again) {
					drop(attempt,
							"it cannot be written (" + ex + "), so the task will be recovered and will run again");
				}
				else {
					unsent.add(attempt);
				}
			}
		}
		return new Unsent(unsent, reason);
	}

	private void notActive(Attempt attempt) {
		if (attempt.isSent()) {
			// It was written the first time; only the answer was lost
			taken(attempt);
		}
		else {
			drop(attempt, "the task is no longer active: it was recovered, deleted or finished elsewhere, or Redis"
					+ " has lost it");
		}
	}

	void drop(Attempt attempt, String why) {
		this.active.release(attempt);
		this.counters.outcomesDropped.increment();
		TaskMdc.during(attempt.message(), () -> logger.warn("Dropped the outcome ({}) of {}: {}",
				attempt.requireOutcome().getClass().getSimpleName(), attempt, why));
	}

	private void taken(Attempt attempt) {
		this.active.release(attempt);
		Outcome outcome = attempt.requireOutcome();
		Throwable error = attempt.error();
		switch (outcome.kind()) {
			case WAIT -> this.waits.accept(((Outcome.Wait) outcome).needs());
			case UNHANDLED -> this.counters.unhandled.increment();
			case ARCHIVE -> {
				this.counters.archived.increment();
				countTimeout(error);
			}
			case RETRY -> countTimeout(error);
			default -> {
			}
		}
		boolean success = error == null
				&& (outcome.kind() == Outcome.Kind.DONE || outcome.kind() == Outcome.Kind.COMPLETED);
		// Most succeed, and nothing is made for that unless somebody wants it
		if (success ? this.events.isWanted(TaskEvent.Succeeded.class) : this.events.isOn()) {
			outcome.tell(this.events, attempt.facts(), error);
		}
	}

	private void countTimeout(@Nullable Throwable error) {
		if (error instanceof TaskDeadlineExceededException) {
			this.counters.timedOut.increment();
		}
	}

	record Unsent(List<Attempt> attempts, @Nullable AsynqException reason) {
	}

	private final class LaneWriter implements Runnable {

		private final String lane;

		private final BlockingQueue<Attempt> waiting = new LinkedBlockingQueue<>();

		/**
		 * Kept until Redis has taken it; used by the thread that has made the lane busy.
		 */
		private final List<Attempt> inHand = new ArrayList<>(BATCH);

		private boolean busy;

		LaneWriter(String lane) {
			this.lane = lane;
		}

		void start() {
			synchronized (this) {
				if (this.busy || this.waiting.isEmpty() && this.inHand.isEmpty()) {
					return;
				}
				this.busy = true;
			}
			try {
				OutcomeWriter.this.lanes.executor().execute(this);
			}
			catch (Throwable ex) {
				ended();
				throw ex;
			}
		}

		@Override
		public void run() {
			try {
				// Left by an error: part of it may have been written
				this.inHand.forEach(Attempt::markSent);
				while (!this.inHand.isEmpty() || this.waiting.drainTo(this.inHand, BATCH) > 0) {
					write(this.inHand);
					this.inHand.clear();
				}
			}
			finally {
				ended();
			}
			// Something may have arrived after the last look
			start();
		}

		synchronized boolean isBusy() {
			return this.busy;
		}

		void handOver() {
			List<Attempt> rest = new ArrayList<>();
			synchronized (this) {
				if (!this.busy) {
					this.inHand.forEach(Attempt::markSent);
					rest.addAll(this.inHand);
					this.inHand.clear();
				}
			}
			this.waiting.drainTo(rest);
			keep(new Unsent(rest, null));
		}

		private void write(List<Attempt> batch) {
			Unsent left = send(batch);
			if (left.reason() instanceof BrokerUnavailableException away) {
				OutcomeWriter.this.lanes.failed(this.lane, away);
			}
			else {
				OutcomeWriter.this.lanes.answered(this.lane);
			}
			keep(left);
		}

		private synchronized void ended() {
			this.busy = false;
		}

	}

}
