package io.asynq.broker.limit;

import org.jspecify.annotations.Nullable;

/**
 * The numbers of a limit.
 *
 * @param concurrent how many tasks may run at the same time, of each key if there are
 * keys; 0 for any number
 * @param intervalMicros the time between two starts in the long run, in microseconds; 0
 * for none
 * @param burst how many may start at once after a pause, if there is an interval
 * @param rate the rate as people write it, {@code null} if there is none
 */
public record LimitRule(int concurrent, long intervalMicros, int burst, @Nullable String rate) {

	/** Returns the form in which scripts read it. */
	public String text() {
		return this.concurrent + " " + this.intervalMicros + " " + this.burst
				+ ((this.rate != null) ? " " + this.rate : "");
	}

	/**
	 * Reads the form that scripts read.
	 * @return nothing limited if it cannot be read
	 */
	public static LimitRule of(String text) {
		String[] parts = text.split(" ", 4);
		try {
			return new LimitRule(Integer.parseInt(parts[0]), Long.parseLong(parts[1]), Integer.parseInt(parts[2]),
					(parts.length > 3) ? parts[3] : null);
		}
		catch (IllegalArgumentException | ArrayIndexOutOfBoundsException ex) {
			return new LimitRule(0, 0, 0, null);
		}
	}

}
