package io.asynq.internal.worker;

import java.time.Duration;
import java.util.concurrent.TimeUnit;

import org.jspecify.annotations.Nullable;

/**
 * If the user's policies or error handler do not return, another thread takes the outcome
 * as far as it is known; only the thread that takes it writes it.
 */
public final class Conclusion {

	private @Nullable Throwable error;

	private @Nullable Outcome decided;

	private final UserThread asked = new UserThread();

	private boolean begun;

	private long sinceNanos;

	private long enteredNanos;

	private boolean interrupted;

	private boolean taken;

	public synchronized void begin(@Nullable Throwable error) {
		this.begun = true;
		this.error = error;
		this.sinceNanos = System.nanoTime();
	}

	public synchronized void enter() {
		this.asked.enter();
		this.enteredNanos = System.nanoTime();
		this.interrupted = false;
	}

	/** Clears an interrupt that was meant for user code or left by it. */
	public synchronized void leave() {
		this.asked.leave();
	}

	public synchronized void decide(Outcome outcome) {
		this.decided = outcome;
	}

	/**
	 * The caller must see to it that the outcome is written, if this returns
	 * {@code true}.
	 */
	public synchronized boolean take() {
		boolean first = !this.taken;
		this.taken = true;
		notifyAll();
		return first;
	}

	public synchronized void giveBack() {
		this.taken = false;
	}

	public synchronized void interrupt() {
		this.interrupted = this.asked.interrupt() || this.interrupted;
	}

	public synchronized boolean awaitTaken(Duration timeout) {
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

	public synchronized boolean isTaken() {
		return this.taken;
	}

	/** The outcome is late, or user code has kept its thread without an interrupt. */
	public synchronized boolean isOverdue(Duration patience) {
		long now = System.nanoTime();
		boolean keepsBack = this.begun && !this.taken && now - this.sinceNanos >= patience.toNanos();
		boolean hangs = this.asked.get() != null && !this.interrupted && now - this.enteredNanos >= patience.toNanos();
		return keepsBack || hangs;
	}

	public synchronized @Nullable Throwable error() {
		return this.error;
	}

	public synchronized @Nullable Outcome decided() {
		return this.decided;
	}

	public synchronized @Nullable Thread thread() {
		return this.asked.get();
	}

}
