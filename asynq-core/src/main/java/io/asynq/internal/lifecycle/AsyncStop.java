package io.asynq.internal.lifecycle;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

import io.asynq.internal.text.OneLineLogger;
import org.slf4j.Logger;

/**
 * Stops in another thread: Spring could not time out a stop that waits in its own.
 */
public final class AsyncStop {

	private static final Logger logger = OneLineLogger.of(AsyncStop.class);

	/** How many stops that it asked for each thread is waiting for. */
	private static final Map<Thread, Integer> callers = new ConcurrentHashMap<>();

	private AsyncStop() {
	}

	/**
	 * @param callback called at the end, even if the stop fails
	 */
	public static void run(String name, Runnable stop, Runnable callback) {
		Thread caller = Thread.currentThread();
		callers.merge(caller, 1, Integer::sum);
		Runnable all = () -> {
			UserCode.run(stop::run, (shown) -> logger.error("{} did not stop cleanly", name, shown));
			callers.computeIfPresent(caller, (thread, stops) -> (stops > 1) ? stops - 1 : null);
			callback.run();
		};
		try {
			new Thread(all, name + "-stopping").start();
		}
		catch (OutOfMemoryError ex) {
			logger.debug("No thread is available to stop {}: it is stopped in the calling thread", name, ex);
			all.run();
		}
	}

	/** Such a thread must not be waited for: it is itself waiting. */
	public static boolean isAskedBy(Thread thread) {
		return callers.containsKey(thread);
	}

}
