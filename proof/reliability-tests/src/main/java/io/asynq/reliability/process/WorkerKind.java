package io.asynq.reliability.process;

import java.util.Locale;

/** The kind of a worker. */
public enum WorkerKind {

	/** A Spring Boot application with the starter. */
	JAVA,

	/** A program with the Go library. */
	GO;

	String name(int number) {
		return prefix() + number;
	}

	public boolean isOf(String worker) {
		return worker.startsWith(prefix());
	}

	private String prefix() {
		return name().toLowerCase(Locale.ROOT) + "-";
	}

}
