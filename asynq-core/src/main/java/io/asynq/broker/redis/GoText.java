package io.asynq.broker.redis;

import java.math.BigDecimal;
import java.time.Duration;
import java.time.Instant;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.util.Locale;
import java.util.Map;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Values as Go prints them. Every method throws {@link IllegalArgumentException} or
 * {@link java.time.DateTimeException} for what is no such text.
 */
final class GoText {

	private static final Map<String, Long> NANOS = Map.of("ns", 1L, "us", 1_000L, "µs", 1_000L, "μs", 1_000L, "ms",
			1_000_000L, "s", 1_000_000_000L, "m", 60_000_000_000L, "h", 3_600_000_000_000L);

	private static final Pattern PART = Pattern.compile("(\\d+\\.?\\d*|\\.\\d+)(ns|us|µs|μs|ms|s|m|h)");

	/** Numbers of a million digits take seconds. */
	private static final int LONGEST_DURATION = 100;

	private static final Pattern ESCAPE = Pattern
		.compile("\\\\(?:x([0-9a-fA-F]{2})|u([0-9a-fA-F]{4})|U([0-9a-fA-F]{8})|([0-7]{3})|(.))", Pattern.DOTALL);

	private static final Map<String, String> SHORT = Map.of("a", "\u0007", "b", "\b", "f", "\f", "n", "\n", "r", "\r",
			"t", "\t", "v", "\u000b", "\\", "\\", "\"", "\"", "'", "'");

	/** {@code Mon Jan _2 15:04:05 MST 2006}. */
	private static final DateTimeFormatter UNIX_DATE = DateTimeFormatter.ofPattern("EEE MMM d HH:mm:ss zzz yyyy",
			Locale.ENGLISH);

	private GoText() {
	}

	/**
	 * Reads a quoted text.
	 * @param quoted such as {@code "low"}, quotes included
	 * @return what is quoted
	 */
	static String unquote(String quoted) {
		if (quoted.length() < 2 || !quoted.startsWith("\"") || !quoted.endsWith("\"")) {
			throw new IllegalArgumentException("No quoted text");
		}
		return ESCAPE.matcher(quoted.substring(1, quoted.length() - 1))
			.replaceAll((escape) -> Matcher.quoteReplacement(character(escape)));
	}

	/**
	 * Reads a duration.
	 * @param text such as {@code 1h30m0.5s}
	 * @return the duration
	 */
	static Duration duration(String text) {
		boolean negative = text.startsWith("-");
		if (text.length() > LONGEST_DURATION) {
			throw new IllegalArgumentException("Go writes no duration that long");
		}
		String parts = text.replaceFirst("^[+-]", "");
		if (parts.equals("0")) {
			return Duration.ZERO;
		}
		Matcher part = PART.matcher(parts);
		Duration sum = Duration.ZERO;
		int end = 0;
		while (part.find() && part.start() == end) {
			BigDecimal nanos = new BigDecimal(part.group(1)).multiply(BigDecimal.valueOf(NANOS.get(part.group(2))));
			sum = sum.plusNanos(nanos.toBigInteger().longValueExact());
			end = part.end();
		}
		if (end == 0 || end != parts.length()) {
			throw new IllegalArgumentException("No duration");
		}
		return negative ? sum.negated() : sum;
	}

	/**
	 * Reads a time.
	 * @param text such as {@code Mon Jan  2 15:04:05 UTC 2006}
	 * @return the time
	 */
	static Instant time(String text) {
		return ZonedDateTime.parse(text.replaceAll(" +", " "), UNIX_DATE).toInstant();
	}

	private static String character(MatchResult escape) {
		for (int group = 1; group <= 4; group++) {
			if (escape.group(group) != null) {
				return Character.toString(Integer.parseInt(escape.group(group), (group == 4) ? 8 : 16));
			}
		}
		String known = SHORT.get(escape.group(5));
		if (known == null) {
			throw new IllegalArgumentException("No escape");
		}
		return known;
	}

}
