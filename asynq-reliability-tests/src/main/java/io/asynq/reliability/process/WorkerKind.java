package io.asynq.reliability.process;

import java.util.Locale;

/**
 * What a worker is made of.
 */
public enum WorkerKind {

	/** A Spring Boot application with the starter. */
	JAVA,

	/** A program with the Go library. */
	GO;

	/**
	 * Names a worker.
	 * @param number what tells it from others
	 * @return the name
	 */
	String name(int number) {
		return prefix() + number;
	}

	/**
	 * Returns whether a worker is of this kind.
	 * @param worker its name
	 * @return whether it was named so
	 */
	public boolean isOf(String worker) {
		return worker.startsWith(prefix());
	}

	private String prefix() {
		return name().toLowerCase(Locale.ROOT) + "-";
	}

}
