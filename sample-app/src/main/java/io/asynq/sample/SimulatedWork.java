package io.asynq.sample;

import java.time.Duration;
import java.util.concurrent.locks.LockSupport;

/**
 * Simulates a call to a bank, a mail server or a printer.
 */
final class SimulatedWork {

	private SimulatedWork() {
	}

	static void lasting(Duration time) {
		long end = System.nanoTime() + time.toNanos();
		long left = time.toNanos();
		// An interrupt asks the handler to stop
		while (left > 0 && !Thread.currentThread().isInterrupted()) {
			LockSupport.parkNanos(left);
			left = end - System.nanoTime();
		}
	}

}
