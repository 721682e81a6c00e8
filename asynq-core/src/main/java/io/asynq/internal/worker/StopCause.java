package io.asynq.internal.worker;

import io.asynq.internal.lifecycle.AsyncStop;
import org.jspecify.annotations.Nullable;

/**
 * Finds out from stack traces which thread has caused a stop.
 */
public final class StopCause {

	private StopCause() {
	}

	/** {@link #isIn} recognizes a thread by this method. */
	public static void run(Runnable stop) {
		stop.run();
	}

	/**
	 * Also recognizes a thread that waits in {@link System#exit} for the end of the JVM.
	 */
	public static boolean isIn(@Nullable Thread thread) {
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
		return frame.getClassName().equals(StopCause.class.getName()) && frame.getMethodName().equals("run");
	}

}
