package io.asynq.internal.worker;

import org.jspecify.annotations.Nullable;

/**
 * User code can be interrupted, but not what its thread does afterwards; guarded by a
 * lock of its owner.
 */
public final class UserThread {

	private @Nullable Thread thread;

	public void enter() {
		this.thread = Thread.currentThread();
	}

	/** Clears an interrupt that was meant for user code or left by it. */
	public void leave() {
		if (this.thread == Thread.currentThread()) {
			this.thread = null;
		}
		Thread.interrupted();
	}

	/**
	 * Spares user code that is itself inside the stop of the server: the stop would not
	 * wait for its remaining parts, and the application would close connections that
	 * these still need.
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

	public static Exception where(String what, @Nullable Thread thread) {
		Exception stack = new Exception("where " + what + " is" + ((thread != null) ? ", in " + thread.getName() : ""));
		if (thread != null) {
			stack.setStackTrace(thread.getStackTrace());
		}
		return stack;
	}

}
