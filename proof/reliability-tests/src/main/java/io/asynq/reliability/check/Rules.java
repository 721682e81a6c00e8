package io.asynq.reliability.check;

import java.time.Duration;
import java.time.Instant;
import java.util.List;

import io.asynq.reliability.check.StandstillWatch.Standstill;
import org.jspecify.annotations.Nullable;

/** The rules of a run. */
public record Rules(Duration recovery, Duration redisMayLose, @Nullable Resumes resumesWithin, Instant judgedAt,
		List<Standstill> standstills) {

	public Rules(Duration recovery, Duration redisMayLose, @Nullable Resumes resumesWithin, Instant judgedAt) {
		this(recovery, redisMayLose, resumesWithin, judgedAt, List.of());
	}

	Duration stoodStill(Instant from, Instant until) {
		return this.standstills.stream()
			.map((standstill) -> standstill.within(from, until))
			.reduce(Duration.ZERO, Duration::plus);
	}

}
