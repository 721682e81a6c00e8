package io.asynq.scheduler;

import java.time.Instant;

import org.jspecify.annotations.Nullable;

/**
 * When something fires. Immutable and safe for concurrent use.
 */
interface Schedule {

	/**
	 * Returns the next fire.
	 * @param after where to begin
	 * @return the first whole second after it that fits, {@code null} if there is none
	 * within five years
	 */
	@Nullable Instant next(Instant after);

	/**
	 * Returns the last fire of a time span.
	 * @param after begin, not part of it
	 * @param until end, part of it
	 * @return the last fire, {@code null} if there is none
	 */
	default @Nullable Instant last(Instant after, Instant until) {
		// Looks at the end first: a span of months may hold millions of fires
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

}
