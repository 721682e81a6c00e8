package io.asynq.sample;

import java.time.Duration;
import java.util.concurrent.locks.LockSupport;

/**
 * Stands for a call to a bank, a mail server, a printer.
 */
final class SimulatedWork {

	private SimulatedWork() {
	}

	static void lasting(Duration time) {
		long end = System.nanoTime() + time.toNanos();
		long left = time.toNanos();
		// An interrupt asks the handler to give up
		while (left > 0 && !Thread.currentThread().isInterrupted()) {
			LockSupport.parkNanos(left);
			left = end - System.nanoTime();
		}
	}

}
