package io.asynq.internal.limit;

import io.asynq.limit.LimitRate;
import io.asynq.limit.TaskLimit;
import org.jspecify.annotations.Nullable;

/** Zero for no limit; {@code burst} is how many may start at once after a pause. */
public record LimitRule(int concurrent, long intervalMicros, int burst, @Nullable String rate) {

	public String text() {
		return this.concurrent + " " + this.intervalMicros + " " + this.burst
				+ ((this.rate != null) ? " " + this.rate : "");
	}

	public static LimitRule of(TaskLimit limit) {
		LimitRate rate = limit.rate();
		return (rate == null) ? new LimitRule(limit.concurrent(), 0, 0, null)
				: new LimitRule(limit.concurrent(), interval(rate), rate.burst(), rate.toString());
	}

	/** Text that cannot be read limits nothing. */
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

	/** Rounded up: rather a little slower than faster. */
	private static long interval(LimitRate rate) {
		return (rate.period().toNanos() / 1000 + rate.tasks() - 1) / rate.tasks();
	}

}
