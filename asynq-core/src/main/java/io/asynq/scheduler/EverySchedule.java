package io.asynq.scheduler;

import java.time.Instant;

/**
 * Fires again and again after the same time (asynq M11).
 *
 * @param seconds the time between two fires, at least 1
 * @param aligned whether it fires at multiples of that time since the epoch, so that all
 * schedulers fire at the same moments; if not, that time after the moment it is asked
 * for, as Go does
 */
record EverySchedule(long seconds, boolean aligned) implements Schedule {

	@Override
	public Instant next(Instant after) {
		long second = after.getEpochSecond();
		long begin = this.aligned ? Math.floorDiv(second, this.seconds) * this.seconds : second;
		return Instant.ofEpochSecond(begin + this.seconds);
	}

}
