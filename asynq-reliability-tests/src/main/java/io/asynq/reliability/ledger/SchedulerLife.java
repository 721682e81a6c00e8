package io.asynq.reliability.ledger;

import java.time.Duration;
import java.time.Instant;

/**
 * The time in which a scheduler had to fire.
 *
 * @param scheduler the name of its process
 * @param ahead by how much its clock is ahead, negative if it is behind
 * @param from when it was ready
 * @param to when it was about to end or was harmed, {@link Instant#MAX} if neither
 */
public record SchedulerLife(String scheduler, Duration ahead, Instant from, Instant to) {

	/**
	 * Returns whether it was there around the moment at which it came to a fire.
	 * @param fire when it was to fire by all clocks
	 * @param grace for how long after that moment it must have lived
	 * @return whether it should have fired
	 */
	public boolean covers(Instant fire, Duration grace) {
		Instant moment = fire.minus(this.ahead);
		return !moment.isBefore(this.from) && moment.plus(grace).isBefore(this.to);
	}

}
