package io.asynq.server;

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
 * handler's thread, but never what that thread does afterwards.
 */
final class Attempt implements TaskContext {

	private final LeasedTask leased;

	private final Task task;

	private final AttemptTimes times;

	private final ResultStore results;

	private @Nullable Thread thread;

	private boolean returned;

	private volatile @Nullable Throwable abortCause;

	Attempt(LeasedTask leased, AttemptTimes times, ResultStore results) {
		this.leased = leased;
		this.task = leased.message().toTask();
		this.times = times;
		this.results = results;
	}

	/**
	 * Says that the present thread is about to call the handler.
	 * @return {@code false} if the attempt was aborted before
	 */
	synchronized boolean begin() {
		if (this.abortCause != null) {
			return false;
		}
		this.thread = Thread.currentThread();
		return true;
	}

	/**
	 * Says that the handler has returned, in its thread. Whatever interrupt it was sent,
	 * or left, ends here.
	 * @return {@code false} if the attempt was aborted before
	 */
	synchronized boolean end() {
		this.thread = null;
		this.returned = true;
		Thread.interrupted();
		return this.abortCause == null;
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
		if (this.thread != null) {
			this.thread.interrupt();
		}
		return true;
	}

	/**
	 * Returns the thread in which the handler runs at this moment.
	 * @return the thread, {@code null} before and after
	 */
	synchronized @Nullable Thread thread() {
		return this.thread;
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
		if (!this.results.write(queue(), taskId(), result)) {
			throw new AsynqException("failed to write task result: " + this + " does not exist any more");
		}
		return result.length;
	}

}
