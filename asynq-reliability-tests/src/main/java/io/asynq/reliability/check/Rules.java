package io.asynq.reliability.check;

import java.time.Duration;
import java.time.Instant;
import java.util.List;

import org.jspecify.annotations.Nullable;

/**
 * The rules of a run.
 *
 * @param recovery for how long after its end a fault explains that a task runs again
 * @param redisMayLose how much of what was acknowledged before a fault Redis may lose by
 * its settings
 * @param resumesWithin how soon work must continue, {@code null} if nothing is promised
 * @param judgedAt when Redis was read
 * @param standstills when the machine stood still, which no promise covers
 */
public record Rules(Duration recovery, Duration redisMayLose, @Nullable Resumes resumesWithin, Instant judgedAt,
		List<Standstill> standstills) {

	/**
	 * Creates rules for a machine that did not stand still.
	 */
	public Rules(Duration recovery, Duration redisMayLose, @Nullable Resumes resumesWithin, Instant judgedAt) {
		this(recovery, redisMayLose, resumesWithin, judgedAt, List.of());
	}

	/**
	 * Returns for how much of a time the machine stood still.
	 */
	Duration stoodStill(Instant from, Instant until) {
		return this.standstills.stream()
			.map((standstill) -> standstill.within(from, until))
			.reduce(Duration.ZERO, Duration::plus);
	}

}
