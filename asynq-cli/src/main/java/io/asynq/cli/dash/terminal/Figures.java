package io.asynq.cli.dash.terminal;

import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Locale;

import org.jspecify.annotations.Nullable;

/**
 * Numbers and times as short as a column needs them.
 */
public final class Figures {

	private static final String[] UNITS = { "B", "KiB", "MiB", "GiB", "TiB" };

	private Figures() {
	}

	/** A negative number is not known. */
	public static String bytes(long bytes) {
		if (bytes < 0) {
			return "-";
		}
		double value = bytes;
		int unit = 0;
		while (value >= 1024 && unit < UNITS.length - 1) {
			value /= 1024;
			unit++;
		}
		return (unit == 0) ? bytes + "B" : String.format(Locale.ROOT, "%.1f%s", value, UNITS[unit]);
	}

	public static String count(long count) {
		return String.format(Locale.ROOT, "%,d", count);
	}

	public static String errorRate(long processed, long failed) {
		return (processed == 0) ? "N/A" : String.format(Locale.ROOT, "%.2f%%", 100.0 * failed / processed);
	}

	/** The two largest units, in whole numbers. */
	public static String duration(Duration duration) {
		long seconds = duration.toSeconds();
		if (seconds < 1) {
			return (duration.toMillis() > 0) ? duration.toMillis() + "ms" : "0s";
		}
		if (seconds < 60) {
			return seconds + "s";
		}
		if (seconds < 3600) {
			return seconds / 60 + "m" + seconds % 60 + "s";
		}
		if (seconds < 86400) {
			return seconds / 3600 + "h" + seconds / 60 % 60 + "m";
		}
		return seconds / 86400 + "d" + seconds / 3600 % 24 + "h";
	}

	/** Says how far a time is away. */
	public static String relative(@Nullable Instant time, Instant now) {
		if (time == null) {
			return "-";
		}
		if (time.isAfter(now)) {
			return "in " + duration(Duration.between(now, time));
		}
		return duration(Duration.between(time, now)) + " ago";
	}

	/** The time in UTC, and how far away it is. */
	public static String time(@Nullable Instant time, Instant now) {
		return (time == null) ? "-" : time.truncatedTo(ChronoUnit.SECONDS) + " (" + relative(time, now) + ")";
	}

}
