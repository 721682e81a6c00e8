package io.asynq.internal.schedule;

import java.time.Instant;

/**
 * @param aligned whether it fires at multiples of the interval since the epoch, so that
 * all schedulers fire at the same time; if not, it counts from the given time, as Go does
 */
record EverySchedule(long seconds, boolean aligned) implements Schedule {

	@Override
	public Instant next(Instant after) {
		long second = after.getEpochSecond();
		long begin = this.aligned ? Math.floorDiv(second, this.seconds) * this.seconds : second;
		return Instant.ofEpochSecond(begin + this.seconds);
	}

}
