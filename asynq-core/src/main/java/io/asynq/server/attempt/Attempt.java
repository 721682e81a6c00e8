package io.asynq.server.attempt;

import java.time.Duration;
import java.time.Instant;

import io.asynq.AsynqException;
import io.asynq.Task;
import io.asynq.broker.TaskCompleter;
import io.asynq.broker.fleet.WorkerSnapshot;
import io.asynq.broker.message.Lease;
import io.asynq.broker.message.LeasedTask;
import io.asynq.broker.message.TaskMessage;
import io.asynq.event.TaskFacts;
import io.asynq.handler.ResultWriter;
import io.asynq.handler.TaskContext;
import org.jspecify.annotations.Nullable;

/**
 * One run of a handler for one task. It ends exactly once: either the handler returns, or
 * the attempt is aborted while the handler still runs. An abort interrupts the handler,
 * but never what its thread does afterwards. The slot stays taken until every participant
 * has left: the handler's thread, and any other thread that concludes the attempt
 * meanwhile.
 */
public final class Attempt implements TaskContext {

	private final LeasedTask leased;

	private final Task task;

	private final AttemptTimes times;

	private final TaskCompleter results;

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

	public Attempt(LeasedTask leased, AttemptTimes times, TaskCompleter results) {
		this.leased = leased;
		this.task = leased.message().toTask();
		this.times = times;
		this.results = results;
	}

	/**
	 * Assigns a slot; the worker's thread is the first participant.
	 */
	public synchronized void occupy(Slot slot) {
		this.slot = slot;
		this.participants = 1;
	}

	/**
	 * Joins the attempt, which keeps the slot taken until {@link #leave()}.
	 * @return {@code false} if every participant has left already
	 */
	public synchronized boolean join() {
		if (this.participants == 0) {
			return false;
		}
		this.participants++;
		return true;
	}

	/**
	 * Leaves the attempt.
	 * @return whether the caller was the last participant, who must {@link #free()} the
	 * slot
	 */
	public synchronized boolean leave() {
		this.participants--;
		return this.participants == 0;
	}

	public void free() {
		this.slot.release();
	}

	/**
	 * Returns whether every participant has left without an outcome, which no other
	 * thread would then write.
	 */
	public synchronized boolean isAbandoned() {
		return this.participants == 0 && !this.conclusion.isTaken();
	}

	/**
	 * Called by the worker's thread before it calls the handler: from here on an abort
	 * interrupts it.
	 */
	public synchronized void arrive() {
		if (this.abortCause == null) {
			this.handler.enter();
		}
	}

	/**
	 * Called by the worker's thread when it is done. Clears an interrupt that was meant
	 * for the handler or left by it.
	 */
	public synchronized void depart() {
		this.handler.leave();
	}

	/**
	 * Called in the thread that is about to call the handler. The thread joins the
	 * attempt and must {@link #leave()} it.
	 * @return {@code false} if the handler was called before or the attempt was aborted
	 */
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

	/**
	 * Called in the handler's thread when the handler has returned. Clears an interrupt
	 * that was meant for the handler or left by it.
	 * @return {@code false} if the attempt was aborted before
	 */
	public synchronized boolean end(@Nullable Throwable error) {
		this.handler.leave();
		this.returned = true;
		if (this.abortCause != null) {
			return false;
		}
		this.conclusion.begin(error);
		return true;
	}

	/**
	 * Ends the attempt although its handler has not returned, and interrupts the handler
	 * unless it has caused a stop that is going on.
	 * @return {@code false} if the attempt had ended before
	 */
	public synchronized boolean abort(Throwable cause) {
		if (this.returned || this.abortCause != null) {
			return false;
		}
		this.abortCause = cause;
		this.conclusion.begin(cause);
		this.handler.interrupt();
		return true;
	}

	/**
	 * Aborts the attempt and takes its outcome in one step.
	 * @return {@code false} if the attempt had ended before
	 */
	public synchronized boolean takeBack(Throwable cause) {
		boolean aborted = abort(cause);
		if (aborted) {
			this.conclusion.take();
		}
		return aborted;
	}

	/**
	 * Returns the thread that runs the handler, {@code null} before and after.
	 */
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

	/**
	 * Returns what listeners and observations are told of the attempt.
	 */
	public TaskFacts facts() {
		return new TaskFacts(taskId(), queue(), this.task, retryCount(), maxRetry());
	}

	public PendingObservation observation() {
		return this.observation;
	}

	/** Notes that the handler goes on long after the attempt has ended. */
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
		if (!this.results.writeResult(lease(), result)) {
			throw new AsynqException(
					"failed to write task result: " + this + " is gone, or another attempt at it has begun");
		}
		return result.length;
	}

	/**
	 * A place among the attempts that may run at once.
	 */
	@FunctionalInterface
	public interface Slot {

		void release();

	}

}
