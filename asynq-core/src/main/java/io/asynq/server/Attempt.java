package io.asynq.server;

import java.time.Duration;
import java.time.Instant;

import io.asynq.AsynqException;
import io.asynq.Task;
import io.asynq.broker.Lease;
import io.asynq.broker.LeasedTask;
import io.asynq.broker.ResultStore;
import io.asynq.broker.TaskMessage;
import io.asynq.broker.WorkerSnapshot;
import io.asynq.handler.ResultWriter;
import io.asynq.handler.TaskContext;
import org.jspecify.annotations.Nullable;

/**
 * One run of a handler for one task. It ends exactly once: because the handler returns,
 * or because it is aborted while the handler still runs. An abort interrupts the
 * handler's thread, but never what that thread does afterwards. Its slot is taken until
 * everybody has left it: the handler's thread, and whoever concludes it meanwhile.
 */
final class Attempt implements TaskContext {

	private final LeasedTask leased;

	private final Task task;

	private final AttemptTimes times;

	private final ResultStore results;

	private final Conclusion conclusion = new Conclusion();

	private Runnable whenFree = () -> {
	};

	private int present;

	private @Nullable Thread thread;

	private boolean begun;

	private boolean returned;

	private volatile @Nullable Throwable abortCause;

	Attempt(LeasedTask leased, AttemptTimes times, ResultStore results) {
		this.leased = leased;
		this.task = leased.message().toTask();
		this.times = times;
		this.results = results;
	}

	/**
	 * Says that the attempt has got a slot and is to get a thread.
	 * @param whenFree gives the slot back
	 */
	synchronized void occupy(Runnable whenFree) {
		this.whenFree = whenFree;
		this.present = 1;
	}

	/**
	 * Keeps the slot taken until {@link #leave()}.
	 * @return {@code false} if everybody has left already
	 */
	synchronized boolean join() {
		if (this.present == 0) {
			return false;
		}
		this.present++;
		return true;
	}

	/**
	 * Says that somebody is done with the attempt.
	 * @return whether that was the last one, who is to {@link #free()} the slot
	 */
	synchronized boolean leave() {
		this.present--;
		return this.present == 0;
	}

	void free() {
		this.whenFree.run();
	}

	/**
	 * Returns whether everybody has left and nobody has taken the outcome.
	 * @return whether nobody would ever write one
	 */
	synchronized boolean isAbandoned() {
		return this.present == 0 && !this.conclusion.isTaken();
	}

	/**
	 * Says that the present thread works on the attempt; an abort interrupts it, though
	 * the handler is not called yet.
	 */
	synchronized void arrive() {
		if (this.abortCause == null) {
			this.thread = Thread.currentThread();
		}
	}

	/**
	 * Says that the present thread is done. Whatever interrupt it was sent, or left, ends
	 * here.
	 */
	synchronized void depart() {
		if (this.thread == Thread.currentThread()) {
			this.thread = null;
		}
		Thread.interrupted();
	}

	/**
	 * Says that the present thread is about to call the handler; until it calls
	 * {@link #leave()} the slot is taken.
	 * @return {@code false} if the handler was called before, or the attempt aborted
	 */
	synchronized boolean begin() {
		if (this.begun || this.abortCause != null) {
			return false;
		}
		this.begun = true;
		this.present++;
		this.thread = Thread.currentThread();
		return true;
	}

	synchronized boolean hasBegun() {
		return this.begun;
	}

	/**
	 * Says that the handler has returned, in its thread. Whatever interrupt it was sent,
	 * or left, ends here.
	 * @param error what it has thrown
	 * @return {@code false} if the attempt was aborted before
	 */
	synchronized boolean end(@Nullable Throwable error) {
		this.thread = null;
		this.returned = true;
		Thread.interrupted();
		if (this.abortCause != null) {
			return false;
		}
		this.conclusion.begin(error);
		return true;
	}

	/**
	 * Ends the attempt while its handler has not returned, and interrupts the handler.
	 * @param cause why
	 * @return {@code false} if it had ended before
	 */
	synchronized boolean abort(Throwable cause) {
		if (this.returned || this.abortCause != null) {
			return false;
		}
		this.abortCause = cause;
		this.conclusion.begin(cause);
		if (this.thread != null) {
			this.thread.interrupt();
		}
		return true;
	}

	/**
	 * Ends the attempt as {@link #abort} does, and takes its outcome in the same step.
	 * @param cause why
	 * @return {@code false} if it had ended before
	 */
	synchronized boolean takeBack(Throwable cause) {
		boolean aborted = abort(cause);
		if (aborted) {
			this.conclusion.take();
		}
		return aborted;
	}

	/**
	 * Returns the thread in which the handler runs at this moment.
	 * @return the thread, {@code null} before and after
	 */
	synchronized @Nullable Thread thread() {
		return this.thread;
	}

	Conclusion conclusion() {
		return this.conclusion;
	}

	LeasedTask leased() {
		return this.leased;
	}

	TaskMessage message() {
		return this.leased.message();
	}

	Task task() {
		return this.task;
	}

	Lease lease() {
		return this.leased.lease();
	}

	AttemptTimes times() {
		return this.times;
	}

	WorkerSnapshot snapshot() {
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
		return "task " + message().id() + " (type '" + message().type() + "', queue '" + message().queue() + "')";
	}

	private int writeResult(byte[] result) {
		Throwable cause = this.abortCause;
		if (cause != null) {
			throw new AsynqException("failed to write task result: " + cause.getMessage(), cause);
		}
		if (!this.results.write(lease(), result)) {
			throw new AsynqException(
					"failed to write task result: " + this + " is gone, or another attempt at it has begun");
		}
		return result.length;
	}

}
