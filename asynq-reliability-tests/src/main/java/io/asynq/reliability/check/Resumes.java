package io.asynq.reliability.check;

import java.time.Duration;

import io.asynq.reliability.process.WorkerKind;

/**
 * How soon work must go on after harm. A Go server writes leases by its own clock and
 * extends them later, so what it had may come back later.
 *
 * @param java the time for harm to a Java worker, and to all
 * @param go the time for harm to a Go worker
 */
public record Resumes(Duration java, Duration go) {

	/**
	 * Promises the same for everybody.
	 * @param time the time
	 * @return the promise
	 */
	public static Resumes within(Duration time) {
		return new Resumes(time, time);
	}

	/**
	 * Returns what is promised.
	 * @param worker who was harmed
	 * @return the time
	 */
	Duration after(String worker) {
		return WorkerKind.GO.isOf(worker) ? this.go : this.java;
	}

}
