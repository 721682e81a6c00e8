package io.asynq.server;

import java.time.Duration;
import java.util.concurrent.TimeUnit;

import io.asynq.broker.Outcome;
import org.jspecify.annotations.Nullable;

/**
 * How an attempt comes to its outcome after its handler has returned or was given up. The
 * user's policies and error handler have their say meanwhile; should they not return,
 * somebody else takes the outcome as far as it is known. Whoever takes it writes it, and
 * only one does. Safe for concurrent use.
 */
final class Conclusion {

	private @Nullable Throwable error;

	private @Nullable Outcome decided;

	private @Nullable Thread thread;

	private boolean begun;

	private long sinceNanos;

	private long enteredNanos;

	private boolean interrupted;

	private boolean taken;

	/**
	 * Says that the handler's part is over.
	 * @param error what ended it, {@code null} if it has succeeded
	 */
	synchronized void begin(@Nullable Throwable error) {
		this.begun = true;
		this.error = error;
		this.sinceNanos = System.nanoTime();
	}

	/**
	 * Says that users' code is about to be asked in the present thread.
	 */
	synchronized void enter() {
		this.thread = Thread.currentThread();
		this.enteredNanos = System.nanoTime();
		this.interrupted = false;
	}

	/**
	 * Says that users' code has returned. Whatever interrupt it was sent, or left, ends
	 * here.
	 */
	synchronized void leave() {
		this.thread = null;
		Thread.interrupted();
	}

	synchronized void decide(Outcome outcome) {
		this.decided = outcome;
	}

	/**
	 * Takes the outcome: whoever has it sees to it that it is written.
	 * @return {@code false} if somebody else has
	 */
	synchronized boolean take() {
		boolean first = !this.taken;
		this.taken = true;
		notifyAll();
		return first;
	}

	/**
	 * Gives the outcome back, because it could not be handed on.
	 */
	synchronized void giveBack() {
		this.taken = false;
	}

	/**
	 * Interrupts the user's code that is being asked.
	 */
	synchronized void interrupt() {
		if (this.thread != null) {
			this.interrupted = true;
			this.thread.interrupt();
		}
	}

	/**
	 * Waits until somebody has taken the outcome.
	 * @param timeout how long at most
	 * @return whether somebody has
	 */
	synchronized boolean awaitTaken(Duration timeout) {
		long end = System.nanoTime() + timeout.toNanos();
		long left = timeout.toNanos();
		while (!this.taken && left > 0) {
			try {
				TimeUnit.NANOSECONDS.timedWait(this, left);
			}
			catch (InterruptedException ex) {
				Thread.currentThread().interrupt();
				return this.taken;
			}
			left = end - System.nanoTime();
		}
		return this.taken;
	}

	synchronized boolean isTaken() {
		return this.taken;
	}

	/**
	 * Returns whether users' code keeps the outcome back, or its thread though nobody
	 * waits for the outcome any more.
	 * @param patience for how long it may
	 * @return whether it does for longer, and was not interrupted since
	 */
	synchronized boolean isOverdue(Duration patience) {
		long now = System.nanoTime();
		boolean keepsBack = this.begun && !this.taken && now - this.sinceNanos >= patience.toNanos();
		boolean hangs = this.thread != null && !this.interrupted && now - this.enteredNanos >= patience.toNanos();
		return keepsBack || hangs;
	}

	synchronized @Nullable Throwable error() {
		return this.error;
	}

	synchronized @Nullable Outcome decided() {
		return this.decided;
	}

	synchronized @Nullable Thread thread() {
		return this.thread;
	}

}
