package io.asynq.internal.worker;

import io.asynq.internal.lifecycle.AsyncStop;
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
		if (this.thread == Thread.currentThread() || !isInStop(this.thread)) {
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

	/** {@link #isInStop} recognizes a thread by this method. */
	public static void runStop(Runnable stop) {
		stop.run();
	}

	/**
	 * Also recognizes a thread that waits in {@link System#exit} for the end of the JVM.
	 */
	public static boolean isInStop(@Nullable Thread thread) {
		if (thread == null || thread == Thread.currentThread()) {
			return thread != null;
		}
		if (AsyncStop.isAskedBy(thread)) {
			return true;
		}
		for (StackTraceElement frame : thread.getStackTrace()) {
			if (isExit(frame) || isStop(frame)) {
				return true;
			}
		}
		return false;
	}

	private static boolean isExit(StackTraceElement frame) {
		return frame.getClassName().equals("java.lang.Shutdown")
				|| frame.getClassName().equals("java.lang.Runtime") && frame.getMethodName().equals("exit");
	}

	private static boolean isStop(StackTraceElement frame) {
		return frame.getClassName().equals(UserThread.class.getName()) && frame.getMethodName().equals("runStop");
	}

}
