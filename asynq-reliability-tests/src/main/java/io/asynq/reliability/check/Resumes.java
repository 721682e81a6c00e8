package io.asynq.reliability.check;

import java.time.Duration;

import io.asynq.reliability.process.WorkerKind;

/**
 * How soon work must continue after a fault. A Go server writes leases by its own clock
 * and extends them later, so its tasks may be recovered later.
 *
 * @param java the time after harm to a Java worker, and to all
 * @param go the time after harm to a Go worker
 */
public record Resumes(Duration java, Duration go) {

	/**
	 * Promises the same for all workers.
	 * @param time the time
	 * @return the promise
	 */
	public static Resumes within(Duration time) {
		return new Resumes(time, time);
	}

	/**
	 * Returns the promised time.
	 * @param worker the harmed worker
	 */
	Duration after(String worker) {
		return WorkerKind.GO.isOf(worker) ? this.go : this.java;
	}

}
