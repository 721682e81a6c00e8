package io.asynq.spring.boot.autoconfigure;

/**
 * The clock of the queues. It is known by its name, because a clock of the application's
 * business must not move its queues.
 */
final class ClockBean {

	static final String NAME = "asynqClock";

	private ClockBean() {
	}

}
