package io.asynq.server;

import org.jspecify.annotations.Nullable;

/**
 * Tells who has caused a stop: its stack shows it.
 */
final class StopCause {

	private StopCause() {
	}

	/**
	 * Returns whether a thread is itself inside of the stop that goes on: it closes the
	 * application context or stops the server, which then happens in this very thread, or
	 * it waits in {@link System#exit} for the end of the JVM.
	 * @param thread the thread, {@code null} for none
	 * @return whether it is
	 */
	static boolean isIn(@Nullable Thread thread) {
		if (thread == null || thread == Thread.currentThread()) {
			return thread != null;
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
		return frame.getClassName().equals(DefaultAsynqServer.class.getName()) && frame.getMethodName().equals("stop");
	}

}
