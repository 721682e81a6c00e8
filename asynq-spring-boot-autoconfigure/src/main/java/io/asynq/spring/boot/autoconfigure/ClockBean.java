package io.asynq.spring.boot.autoconfigure;

/**
 * Known by its name, because a clock of the application's business must not move its
 * queues.
 */
final class ClockBean {

	static final String NAME = "asynqClock";

	private ClockBean() {
	}

}
