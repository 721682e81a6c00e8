package io.asynq.internal.enqueue;

import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;

import io.asynq.BrokerException;
import io.asynq.BrokerUnavailableException;
import io.asynq.internal.redis.LoginRefusedException;
import io.asynq.internal.redis.driver.CallTime;
import org.jspecify.annotations.Nullable;

/** Created by the thread that waits. */
final class WaitingTask {

	/** The call in which the task was sent ends when its caller's time does. */
	private static final long GRACE_NANOS = TimeUnit.MILLISECONDS.toNanos(250);

	private final Thread caller = Thread.currentThread();

	private final NewTask task;

	private final long patienceNanos;

	/** When the caller gives up, {@code null} for never. */
	private final @Nullable CallTime time = CallTime.present();

	private @Nullable StoreAnswer answer;

	private @Nullable Throwable failure;

	private volatile boolean over;

	private final AtomicBoolean claimed = new AtomicBoolean();

	/** The caller waits for half of its call's time at most. */
	WaitingTask(NewTask task, Duration patience) {
		this.task = task;
		CallTime time = this.time;
		this.patienceNanos = (time != null) ? Math.max(1, time.left() / 2) : patience.toNanos();
	}

	@Nullable CallTime time() {
		return this.time;
	}

	NewTask task() {
		return this.task;
	}

	/** Either the next call stores the task, or its caller, who has waited for long. */
	boolean claim() {
		return this.claimed.compareAndSet(false, true);
	}

	void answer(StoreAnswer answer) {
		this.answer = Objects.requireNonNull(answer);
		wakeUp();
	}

	/** Nobody knows whether the task is stored. */
	void fail(Throwable failure) {
		this.failure = failure;
		wakeUp();
	}

	/** The caller has to store the task: nobody else has tried or will. */
	void leave() {
		wakeUp();
	}

	private void wakeUp() {
		this.over = true;
		try {
			LockSupport.unpark(this.caller);
		}
		catch (Throwable ex) {
			// A virtual thread for which there is no memory: the others must be told all
			// the same, and this one looks by itself
		}
	}

	/** Returns whether it was answered, else the caller stores it; keeps interrupts. */
	boolean await(Runnable look) {
		boolean interrupted = false;
		long since = System.nanoTime();
		long wait = this.patienceNanos;
		try {
			while (!this.over) {
				LockSupport.parkNanos(this, wait);
				interrupted |= Thread.interrupted();
				if (!this.over && System.nanoTime() - since >= this.patienceNanos) {
					look.run();
					if (claim()) {
						return false;
					}
					if (this.time != null) {
						wait = this.time.left() + GRACE_NANOS;
						if (wait <= 0) {
							fail(new TimeoutException("no answer in time"));
						}
					}
				}
			}
		}
		finally {
			if (interrupted) {
				this.caller.interrupt();
			}
		}
		throwOwn();
		return this.answer != null;
	}

	int code() {
		return Objects.requireNonNull(this.answer).code();
	}

	/** With the stack of this caller. */
	private void throwOwn() {
		if (this.failure != null) {
			throw new BrokerUnavailableException(
					told("the call failed unexpectedly (" + this.failure
							+ "), so the task may have been stored: look for its id before you enqueue it again"),
					this.failure);
		}
		BrokerException error = (this.answer != null) ? this.answer.error() : null;
		if (error == null) {
			return;
		}
		String message = told(String.valueOf(error.getMessage()));
		if (error instanceof BrokerUnavailableException) {
			throw new BrokerUnavailableException(message, error);
		}
		throw (error instanceof LoginRefusedException) ? new LoginRefusedException(message, error)
				: new BrokerException(message, error);
	}

	private String told(String what) {
		return "Task " + this.task.id() + " (" + this.task.message().type() + ") in queue " + this.task.queue()
				+ ", sent in a shared call: " + what;
	}

}
