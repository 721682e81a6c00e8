package io.asynq.internal.schedule;

import java.time.Instant;

import org.jspecify.annotations.Nullable;

public interface Schedule {

	/** Whole seconds; {@code null} if there is none within five years. */
	@Nullable Instant next(Instant after);

	default @Nullable Instant last(Instant after, Instant until) {
		// Searches from the end: a period of months may have millions of fires
		for (long back = 60; back > 0; back *= 30) {
			Instant begin = until.minusSeconds(back);
			boolean whole = !begin.isAfter(after);
			Instant found = lastFrom(whole ? after : begin, until);
			if (found != null || whole) {
				return found;
			}
		}
		return null;
	}

	private @Nullable Instant lastFrom(Instant after, Instant until) {
		Instant last = null;
		Instant fire = next(after);
		while (fire != null && !fire.isAfter(until)) {
			last = fire;
			fire = next(fire);
		}
		return last;
	}

	/**
	 * @param aligned whether it fires at multiples of the interval since the epoch, so
	 * that all schedulers fire at the same time; if not, it counts from the given time,
	 * as Go does
	 */
	record Every(long seconds, boolean aligned) implements Schedule {

		@Override
		public Instant next(Instant after) {
			long second = after.getEpochSecond();
			long begin = this.aligned ? Math.floorDiv(second, this.seconds) * this.seconds : second;
			return Instant.ofEpochSecond(begin + this.seconds);
		}

	}

}
