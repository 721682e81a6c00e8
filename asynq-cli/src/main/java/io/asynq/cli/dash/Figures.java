package io.asynq.cli.dash;

import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

import org.jspecify.annotations.Nullable;

/** Numbers, times and texts as a column has room for them. */
final class Figures {

	private static final String[] UNITS = { "B", "KiB", "MiB", "GiB", "TiB" };

	private Figures() {
	}

	/** A negative number is not known. */
	static String bytes(long bytes) {
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

	static String count(long count) {
		return String.format(Locale.ROOT, "%,d", count);
	}

	static String errorRate(long processed, long failed) {
		return (processed == 0) ? "N/A" : String.format(Locale.ROOT, "%.2f%%", 100.0 * failed / processed);
	}

	/** The two largest units, in whole numbers. */
	static String duration(Duration duration) {
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

	static String relative(@Nullable Instant time, Instant now) {
		if (time == null) {
			return "-";
		}
		if (time.isAfter(now)) {
			return "in " + duration(Duration.between(now, time));
		}
		return duration(Duration.between(time, now)) + " ago";
	}

	static String time(@Nullable Instant time, Instant now) {
		return (time == null) ? "-" : time.truncatedTo(ChronoUnit.SECONDS) + " (" + relative(time, now) + ")";
	}

	static List<String> wrap(String text, int width) {
		List<String> lines = new ArrayList<>();
		int from = 0;
		int used = 0;
		for (int at = 0; at < text.length();) {
			int codePoint = text.codePointAt(at);
			int columns = Harmless.width(Harmless.character(codePoint));
			if (used + columns > Math.max(2, width)) {
				lines.add(text.substring(from, at));
				from = at;
				used = 0;
			}
			used += columns;
			at += Character.charCount(codePoint);
		}
		lines.add(text.substring(from));
		return lines;
	}

	/** Cuts the middle out of a name: its end is often what tells it from others. */
	static String shorten(String name, int most) {
		int[] characters = name.codePoints().toArray();
		if (characters.length <= most) {
			return name;
		}
		int half = (most - 1) / 2;
		return new String(characters, 0, half) + "~" + new String(characters, characters.length - half, half);
	}

}
