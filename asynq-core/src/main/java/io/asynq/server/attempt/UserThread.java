package io.asynq.server.attempt;

import org.jspecify.annotations.Nullable;

/**
 * The thread in which user code is running. It can be interrupted while user code runs,
 * but not in what it does afterwards. Guarded by a lock of its owner.
 */
public final class UserThread {

	private @Nullable Thread thread;

	public void enter() {
		this.thread = Thread.currentThread();
	}

	/**
	 * Called when user code has returned in the current thread. Clears an interrupt that
	 * was meant for it or left by it.
	 */
	public void leave() {
		if (this.thread == Thread.currentThread()) {
			this.thread = null;
		}
		Thread.interrupted();
	}

	/**
	 * Interrupts user code, unless it is itself inside the stop of the server: the stop
	 * would not wait for its remaining parts, and the application would close the
	 * connections that these still need.
	 * @return whether user code is running
	 */
	public boolean interrupt() {
		if (this.thread == null) {
			return false;
		}
		if (this.thread == Thread.currentThread() || !StopCause.isIn(this.thread)) {
			this.thread.interrupt();
		}
		return true;
	}

	public @Nullable Thread get() {
		return this.thread;
	}

	/**
	 * Returns the stack trace of a thread, for a log line.
	 */
	public static Exception where(String what, @Nullable Thread thread) {
		Exception stack = new Exception("where " + what + " is" + ((thread != null) ? ", in " + thread.getName() : ""));
		if (thread != null) {
			stack.setStackTrace(thread.getStackTrace());
		}
		return stack;
	}

}
