package io.asynq.internal.schedule;

import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Pattern;

enum CronField {

	MINUTE("minute", 0, 59),

	HOUR("hour", 0, 23),

	DAY("day of month", 1, 31),

	MONTH("month", 1, 12, "jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"),

	/** Sunday is 0 and nothing else. */
	WEEKDAY("day of week", 0, 6, "sun", "mon", "tue", "wed", "thu", "fri", "sat");

	private static final Pattern NUMBER = Pattern.compile("[+-]?[0-9]+");

	private final String title;

	private final int min;

	private final int max;

	private final Map<String, Integer> names;

	CronField(String title, int min, int max, String... names) {
		this.title = title;
		this.min = min;
		this.max = max;
		this.names = new HashMap<>();
		for (int i = 0; i < names.length; i++) {
			this.names.put(names[i], min + i);
		}
	}

	Values all() {
		return new Values(bits(this.min, this.max, 1), true);
	}

	Values first() {
		return new Values(bits(this.min, this.min, 1), false);
	}

	/** Empty ranges are ignored. */
	Values parse(String text) {
		long bits = 0;
		boolean star = false;
		for (String range : text.split(",")) {
			if (!range.isEmpty()) {
				Values values = range(range);
				bits |= values.bits();
				star |= values.star();
			}
		}
		return new Values(bits, star);
	}

	private Values range(String text) {
		String[] rangeAndStep = text.split("/", -1);
		String[] ends = rangeAndStep[0].split("-", -1);
		if (rangeAndStep.length > 2) {
			throw invalid(text, "has more than one '/'");
		}
		boolean any = ends[0].equals("*") || ends[0].equals("?");
		long step = (rangeAndStep.length == 2) ? step(rangeAndStep[1], text) : 1;
		// Text after a star and a hyphen is ignored, as in Go
		if (any) {
			return new Values(bits(this.min, this.max, step), step == 1);
		}
		if (ends.length > 2) {
			throw invalid(text, "has more than one '-'");
		}
		long begin = value(ends[0], text);
		long end = (ends.length == 2) ? value(ends[1], text) : (rangeAndStep.length == 2) ? this.max : begin;
		if (begin < this.min || end > this.max) {
			throw invalid(text, "is out of range");
		}
		if (begin > end) {
			throw invalid(text, "begins after its end");
		}
		return new Values(bits(begin, end, step), false);
	}

	private long step(String text, String range) {
		long step = number(text, range);
		if (step == 0) {
			throw invalid(range, "has a step of 0; the smallest is 1");
		}
		return step;
	}

	private long value(String text, String range) {
		Integer named = this.names.get(text.toLowerCase(Locale.ROOT));
		return (named != null) ? named : number(text, range);
	}

	private long number(String text, String range) {
		try {
			long number = NUMBER.matcher(text).matches() ? Long.parseLong(text) : -1;
			if (number >= 0) {
				return number;
			}
		}
		catch (NumberFormatException ex) {
			// More digits than a number has
		}
		throw invalid(range, "holds '" + text + "', which is not a number" + (this.names.isEmpty() ? "" : " or name"));
	}

	private IllegalArgumentException invalid(String value, String problem) {
		String allowed = this.min + "-" + this.max
				+ (this.names.isEmpty() ? "" : " or " + ((this == MONTH) ? "JAN-DEC" : "SUN-SAT"));
		return new IllegalArgumentException("field '" + this.title + "' " + problem + ": '" + value + "'; allowed are "
				+ allowed + ", as *, a, a-b, a,b, */n or a-b/n");
	}

	private static long bits(long begin, long end, long step) {
		long bits = 0;
		// The addition of a very large step would overflow
		long stride = Math.min(step, end - begin + 1);
		for (long value = begin; value <= end; value += stride) {
			bits |= 1L << value;
		}
		return bits;
	}

	/**
	 * @param star whether one of its ranges is a star without a step
	 */
	record Values(long bits, boolean star) {

		boolean has(int value) {
			return (this.bits & (1L << value)) != 0;
		}

		boolean isEmpty() {
			return this.bits == 0;
		}

	}

}
