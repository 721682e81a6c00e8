package io.asynq.internal.worker;

import java.time.Duration;
import java.time.Instant;
import java.util.function.BiPredicate;

import io.asynq.AsynqException;
import io.asynq.Task;
import io.asynq.event.TaskFacts;
import io.asynq.handler.ResultWriter;
import io.asynq.handler.TaskContext;
import io.asynq.internal.redis.TaskMessage;
import org.jspecify.annotations.Nullable;

/**
 * One run of a handler, which ends exactly once, when it returns or is aborted: an abort
 * interrupts the handler but never what its thread does afterwards, and the slot stays
 * taken until every participant has left.
 */
public final class Attempt implements TaskContext {

	private final LeasedTask leased;

	private final Task task;

	private final AttemptTimes times;

	private final BiPredicate<Lease, byte[]> results;

	private final Conclusion conclusion = new Conclusion();

	private final PendingObservation observation = new PendingObservation();

	private Slot slot = () -> {
	};

	private int participants;

	private final UserThread handler = new UserThread();

	private boolean begun;

	private boolean returned;

	private volatile @Nullable Throwable abortCause;

	private volatile boolean stuck;

	public Attempt(LeasedTask leased, AttemptTimes times, BiPredicate<Lease, byte[]> results) {
		this.leased = leased;
		this.task = leased.message().toTask();
		this.times = times;
		this.results = results;
	}

	public synchronized void occupy(Slot slot) {
		this.slot = slot;
		this.participants = 1;
	}

	/** Keeps the slot taken; {@code false} if every participant has left. */
	public synchronized boolean join() {
		if (this.participants == 0) {
			return false;
		}
		this.participants++;
		return true;
	}

	/** Returns whether the caller was the last one, who must {@link #free()} the slot. */
	public synchronized boolean leave() {
		this.participants--;
		return this.participants == 0;
	}

	public void free() {
		this.slot.release();
	}

	/** No thread would then write an outcome. */
	public synchronized boolean isAbandoned() {
		return this.participants == 0 && !this.conclusion.isTaken();
	}

	/** From here on an abort interrupts the worker's thread. */
	public synchronized void arrive() {
		if (this.abortCause == null) {
			this.handler.enter();
		}
	}

	/** Clears an interrupt that was meant for the handler or left by it. */
	public synchronized void depart() {
		this.handler.leave();
	}

	/** The thread joins and must {@link #leave()}, unless this returns {@code false}. */
	public synchronized boolean begin() {
		if (this.begun || this.abortCause != null) {
			return false;
		}
		this.begun = true;
		this.participants++;
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
		this.conclusion.begin(error);
		return true;
	}

	/** Spares a handler that has caused a stop; {@code false} if it had ended before. */
	public synchronized boolean abort(Throwable cause) {
		if (this.returned || this.abortCause != null) {
			return false;
		}
		this.abortCause = cause;
		this.conclusion.begin(cause);
		this.handler.interrupt();
		return true;
	}

	/** Aborts and takes the outcome in one step, so that no other thread writes one. */
	public synchronized boolean takeBack(Throwable cause) {
		boolean aborted = abort(cause);
		if (aborted) {
			this.conclusion.take();
		}
		return aborted;
	}

	public synchronized @Nullable Thread thread() {
		return this.handler.get();
	}

	public Conclusion conclusion() {
		return this.conclusion;
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

	public AttemptTimes times() {
		return this.times;
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
		return new WorkerSnapshot(message(), this.times.startedAt(), this.times.deadline());
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
		return this.times.left(System.nanoTime());
	}

	@Override
	public String attemptId() {
		return lease().fence();
	}

	@Override
	public Instant deadline() {
		return this.times.deadline();
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

	@FunctionalInterface
	public interface Slot {

		void release();

	}

}
