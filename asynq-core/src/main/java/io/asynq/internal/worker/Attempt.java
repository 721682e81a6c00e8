package io.asynq.internal.worker;

import java.time.Duration;
import java.time.Instant;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.function.BiPredicate;

import io.asynq.AsynqException;
import io.asynq.Task;
import io.asynq.TaskOptions;
import io.asynq.event.TaskFacts;
import io.asynq.handler.ResultWriter;
import io.asynq.handler.TaskContext;
import io.asynq.internal.redis.TaskMessage;
import io.asynq.internal.text.OneLineLogger;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;

/**
 * One run of a handler, which ends exactly once: it returns or is aborted, then policies
 * and the error handler decide the outcome, and whoever claims the outcome writes it,
 * decided or not. An interrupt reaches user code but never what its thread does
 * afterwards, and the slot stays taken until each thread at work has released the
 * attempt.
 */
public final class Attempt implements TaskContext {

	private static final Logger logger = OneLineLogger.of(Attempt.class);

	/** Longer than any task runs, and short enough for nano times. */
	private static final Duration LONGEST = Duration.ofDays(36_500);

	private final LeasedTask leased;

	private final Task task;

	private final long sequence;

	private final Instant startedAt;

	private final Instant deadline;

	/** In nano time, so that it holds even if the clock is set. */
	private final long endNanos;

	private final BiPredicate<Lease, byte[]> results;

	private final PendingObservation observation = new PendingObservation();

	private final UserThread handler = new UserThread();

	private final UserThread policies = new UserThread();

	private Slot slot = () -> {
	};

	private int threads;

	private boolean begun;

	private volatile @Nullable Throwable abortCause;

	private volatile boolean stuck;

	/** Returned or aborted, perhaps with an error. */
	private boolean ended;

	private boolean returned;

	private @Nullable Throwable error;

	private long endedNanos;

	private long askedNanos;

	private boolean policiesInterrupted;

	private boolean claimed;

	private volatile @Nullable Outcome outcome;

	private volatile boolean sent;

	public Attempt(LeasedTask leased, long sequence, Instant now, BiPredicate<Lease, byte[]> results) {
		this.leased = leased;
		this.task = leased.message().toTask();
		this.sequence = sequence;
		this.startedAt = now;
		this.deadline = deadline(leased.message(), now);
		this.endNanos = System.nanoTime() + between(now, this.deadline).toNanos();
		this.results = results;
	}

	/** The caller is the first to {@link #release()} it. */
	public synchronized void start(Slot slot) {
		this.slot = slot;
		this.threads = 1;
	}

	/** Keeps the slot taken; {@code false} if every thread has released the attempt. */
	public synchronized boolean retain() {
		if (this.threads == 0) {
			return false;
		}
		this.threads++;
		return true;
	}

	/** Returns whether the caller was the last one, who must {@link #freeSlot()}. */
	public synchronized boolean release() {
		this.threads--;
		return this.threads == 0;
	}

	public void freeSlot() {
		this.slot.release();
	}

	/** No thread would then write an outcome. */
	public synchronized boolean isAbandoned() {
		return this.threads == 0 && !this.claimed;
	}

	/** From here on an abort interrupts the worker's thread. */
	public synchronized void enterDecorator() {
		if (this.abortCause == null) {
			this.handler.enter();
		}
	}

	/** Clears an interrupt that was meant for the handler or left by it. */
	public synchronized void leaveDecorator() {
		this.handler.leave();
	}

	/** Retains the attempt, unless this returns {@code false}. */
	public synchronized boolean begin() {
		if (this.begun || this.abortCause != null) {
			return false;
		}
		this.begun = true;
		this.threads++;
		this.handler.enter();
		return true;
	}

	public synchronized boolean hasBegun() {
		return this.begun;
	}

	/** Clears an interrupt; returns {@code false} if the attempt was aborted before. */
	public synchronized boolean end(@Nullable Throwable error) {
		this.handler.leave();
		this.returned = true;
		if (this.abortCause != null) {
			return false;
		}
		ended(error);
		return true;
	}

	/** Spares a handler that has caused a stop; {@code false} if it had ended before. */
	public synchronized boolean abort(Throwable cause) {
		if (this.returned || this.abortCause != null) {
			return false;
		}
		this.abortCause = cause;
		ended(cause);
		this.handler.interrupt();
		return true;
	}

	/** In one step, so that no other thread writes an outcome. */
	public synchronized boolean abortAndClaim(Throwable cause) {
		boolean aborted = abort(cause);
		if (aborted) {
			claim();
		}
		return aborted;
	}

	/** From here on {@link #interruptPolicies()} interrupts the current thread. */
	public synchronized void enterPolicies() {
		this.policies.enter();
		this.askedNanos = System.nanoTime();
		this.policiesInterrupted = false;
	}

	/** Clears an interrupt that was meant for user code or left by it. */
	public synchronized void leavePolicies() {
		this.policies.leave();
	}

	public synchronized void interruptPolicies() {
		this.policiesInterrupted = this.policies.interrupt() || this.policiesInterrupted;
	}

	/** The outcome is late, or user code has kept its thread without an interrupt. */
	public synchronized boolean isOverdue(Duration patience) {
		long now = System.nanoTime();
		boolean keepsBack = this.ended && !this.claimed && now - this.endedNanos >= patience.toNanos();
		boolean hangs = this.policies.get() != null && !this.policiesInterrupted
				&& now - this.askedNanos >= patience.toNanos();
		return keepsBack || hangs;
	}

	/** Too late if another thread has claimed the outcome. */
	public synchronized void decide(Outcome outcome) {
		if (!this.claimed) {
			this.outcome = outcome;
		}
	}

	/** If this returns {@code true}, the caller must see to it that it is written. */
	public synchronized boolean claim() {
		boolean first = !this.claimed;
		this.claimed = true;
		notifyAll();
		return first;
	}

	public synchronized void giveUpClaim() {
		this.claimed = false;
	}

	public synchronized boolean isClaimed() {
		return this.claimed;
	}

	public synchronized boolean awaitClaim(Duration timeout) {
		long end = System.nanoTime() + timeout.toNanos();
		long left = timeout.toNanos();
		while (!this.claimed && left > 0) {
			try {
				TimeUnit.NANOSECONDS.timedWait(this, left);
			}
			catch (InterruptedException ex) {
				Thread.currentThread().interrupt();
				return this.claimed;
			}
			left = end - System.nanoTime();
		}
		return this.claimed;
	}

	/** For whoever has claimed it. */
	public Attempt withOutcome(Outcome outcome) {
		this.outcome = outcome;
		return this;
	}

	public @Nullable Outcome outcome() {
		return this.outcome;
	}

	public Outcome requireOutcome() {
		return Objects.requireNonNull(this.outcome);
	}

	/** What was sent before may have taken effect. */
	void markSent() {
		this.sent = true;
	}

	boolean isSent() {
		return this.sent;
	}

	public synchronized @Nullable Throwable error() {
		return this.error;
	}

	public synchronized @Nullable Thread handlerThread() {
		return this.handler.get();
	}

	public synchronized @Nullable Thread policiesThread() {
		return this.policies.get();
	}

	public LeasedTask leased() {
		return this.leased;
	}

	public TaskMessage message() {
		return this.leased.message();
	}

	public Task task() {
		return this.task;
	}

	public Lease lease() {
		return this.leased.lease();
	}

	public long sequence() {
		return this.sequence;
	}

	public long endNanos() {
		return this.endNanos;
	}

	public TaskFacts facts() {
		return new TaskFacts(taskId(), queue(), this.task, retryCount(), maxRetry());
	}

	public PendingObservation observation() {
		return this.observation;
	}

	/** The handler goes on long after the attempt has ended. */
	public void giveUpHandler() {
		this.stuck = true;
	}

	public boolean isStuck() {
		return this.stuck;
	}

	public WorkerSnapshot snapshot() {
		return new WorkerSnapshot(message(), this.startedAt, this.deadline);
	}

	@Override
	public String taskId() {
		return message().id();
	}

	@Override
	public String queue() {
		return message().queue();
	}

	@Override
	public int retryCount() {
		return message().retried();
	}

	@Override
	public int maxRetry() {
		return message().maxRetry();
	}

	@Override
	public Duration retention() {
		return Duration.ofSeconds(message().retentionSeconds());
	}

	@Override
	public Duration remaining() {
		return Duration.ofNanos(this.endNanos - System.nanoTime());
	}

	@Override
	public String attemptId() {
		return lease().fence();
	}

	@Override
	public Instant deadline() {
		return this.deadline;
	}

	@Override
	public @Nullable Throwable cancellation() {
		return this.abortCause;
	}

	@Override
	public ResultWriter resultWriter() {
		return this::writeResult;
	}

	@Override
	public String toString() {
		return "task " + message().id() + " (" + message().type() + ") in queue " + message().queue();
	}

	private void ended(@Nullable Throwable error) {
		this.ended = true;
		this.error = error;
		this.endedNanos = System.nanoTime();
	}

	private int writeResult(byte[] result) {
		Throwable cause = this.abortCause;
		if (cause != null) {
			throw new AsynqException("failed to write task result: " + cause.getMessage(), cause);
		}
		if (!this.results.test(lease(), result)) {
			throw new AsynqException(
					"failed to write task result: " + this + " is gone, or another attempt at it has begun");
		}
		return result.length;
	}

	/** No attempt lasts beyond the task's own (docs/compatibility.md, D04 and D05). */
	private static Instant deadline(TaskMessage message, Instant now) {
		long timeout = message.timeoutSeconds();
		long deadline = message.deadlineSeconds();
		if (timeout == 0 && deadline == 0) {
			TaskMdc.during(message,
					() -> logger.error(
							"Task {} ({}) in queue {} has neither a timeout nor a deadline: a timeout of {} is used",
							message.id(), message.type(), message.queue(), TaskOptions.DEFAULT_TIMEOUT));
			timeout = TaskOptions.DEFAULT_TIMEOUT.toSeconds();
		}
		Instant until = (timeout != 0) ? plus(now, timeout) : Instant.MAX;
		Instant latest = (deadline != 0) ? plus(Instant.EPOCH, deadline) : Instant.MAX;
		return latest.isBefore(until) ? latest : until;
	}

	private static Instant plus(Instant begin, long seconds) {
		long furthest = Instant.MAX.getEpochSecond() - begin.getEpochSecond();
		return begin.plusSeconds(Math.max(-furthest, Math.min(seconds, furthest - 1)));
	}

	private static Duration between(Instant now, Instant until) {
		Duration left = Duration.between(now, until);
		return (left.compareTo(LONGEST) > 0) ? LONGEST : left.isNegative() ? Duration.ZERO : left;
	}

	@FunctionalInterface
	public interface Slot {

		void release();

	}

}
