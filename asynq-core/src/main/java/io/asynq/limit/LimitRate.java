package io.asynq.limit;

import java.time.Duration;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * How many tasks may start in some time. Tokens come evenly, and up to {@code burst} of
 * them are kept while no task needs them. In any time {@code t} at most
 * {@code tasks × t / period + burst} tasks start, by Redis's clock.
 *
 * @param tasks how many tasks, at least 1
 * @param period in which time, at least a millisecond
 * @param burst how many may start at once after a pause, at least as many as come in a
 * second, because waiting tasks are started once per second, all of that second together
 */
public record LimitRate(int tasks, Duration period, int burst) {

	private static final Pattern FORM = Pattern.compile("(\\d{1,9})\\s*/\\s*(\\d{0,6})\\s*(ms|s|m|h|d)");

	public LimitRate {
		if (tasks < 1) {
			throw new IllegalArgumentException(
					"a rate must be at least 1, but is " + tasks + "; to hold tasks back, pause their queue");
		}
		if (period.toMillis() < 1 || period.toDays() > 1000) {
			throw new IllegalArgumentException(
					"the period of a rate must be from 1 ms to 1,000 days, but is " + period);
		}
		if (tasks > period.toMillis() * 1000) {
			throw new IllegalArgumentException("a rate must be at most a million per second");
		}
		if (burst < perSecond(tasks, period)) {
			throw new IllegalArgumentException(
					"burst must be at least " + perSecond(tasks, period) + ", what comes in a second, but is " + burst);
		}
	}

	/**
	 * Returns a rate whose burst is what comes in a second, at least 1.
	 */
	public static LimitRate of(int tasks, Duration period) {
		return new LimitRate(tasks, period, (period.toMillis() > 0) ? perSecond(tasks, period) : 1);
	}

	/**
	 * Reads a rate: a number, a slash, and a time, like {@code 10/s}, {@code 100/m} or
	 * {@code 5/10s}; units are {@code ms}, {@code s}, {@code m}, {@code h} and {@code d}.
	 * Its burst is what comes in a second, at least 1.
	 * @throws IllegalArgumentException if it cannot be read or is out of range
	 */
	public static LimitRate parse(String text) {
		Matcher form = FORM.matcher(text.strip());
		if (!form.matches()) {
			throw new IllegalArgumentException("'" + text + "' is no rate such as 10/s, 100/m or 5/10s");
		}
		long many = form.group(2).isEmpty() ? 1 : Long.parseLong(form.group(2));
		Duration unit = switch (form.group(3)) {
			case "ms" -> Duration.ofMillis(1);
			case "s" -> Duration.ofSeconds(1);
			case "m" -> Duration.ofMinutes(1);
			case "h" -> Duration.ofHours(1);
			default -> Duration.ofDays(1);
		};
		return of(Integer.parseInt(form.group(1)), unit.multipliedBy(many));
	}

	/**
	 * Returns the rate with another burst.
	 */
	public LimitRate withBurst(int burst) {
		return new LimitRate(this.tasks, this.period, burst);
	}

	private static int perSecond(int tasks, Duration period) {
		return (int) Math.max(1, Math.ceil(tasks * 1000.0 / period.toMillis()));
	}

	/**
	 * Returns the rate as {@link #parse} reads it.
	 */
	@Override
	public String toString() {
		long millis = this.period.toMillis();
		for (Unit unit : Unit.values()) {
			if (millis % unit.millis == 0) {
				return this.tasks + "/" + ((millis == unit.millis) ? "" : millis / unit.millis) + unit;
			}
		}
		return this.tasks + "/" + millis + "ms";
	}

	private enum Unit {

		d(86_400_000), h(3_600_000), m(60_000), s(1000), ms(1);

		private final long millis;

		Unit(long millis) {
			this.millis = millis;
		}

	}

}
