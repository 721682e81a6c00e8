package io.asynq.test.ledger;

import java.time.Duration;
import java.time.Instant;

/**
 * The period in which a scheduler had to fire.
 *
 * @param ahead how far its clock is ahead, negative if it is behind
 * @param to when it stopped or a fault began, {@link Instant#MAX} if neither
 */
public record SchedulerLife(String scheduler, Duration ahead, Instant from, Instant to) {

	/**
	 * @param fire the time of the fire, by its clock
	 * @param grace how long it must have run after it
	 */
	public boolean covers(Instant fire, Duration grace) {
		Instant moment = fire.minus(this.ahead);
		return !moment.isBefore(this.from) && moment.plus(grace).isBefore(this.to);
	}

}
