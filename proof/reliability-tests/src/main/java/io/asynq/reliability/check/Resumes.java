package io.asynq.reliability.check;

import java.time.Duration;

import io.asynq.reliability.process.WorkerKind;

/** A Go server extends leases later, so its tasks may be recovered later. */
public record Resumes(Duration java, Duration go) {

	public static Resumes within(Duration time) {
		return new Resumes(time, time);
	}

	Duration after(String worker) {
		return WorkerKind.GO.isOf(worker) ? this.go : this.java;
	}

}
