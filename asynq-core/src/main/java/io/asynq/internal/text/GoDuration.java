package io.asynq.internal.text;

import java.math.BigInteger;
import java.time.Duration;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Durations as Go reads and writes them: {@code 1h30m}, {@code 1.5s}, {@code 250ms}.
 */
public final class GoDuration {

	private static final Map<String, Long> NANOS = Map.of("ns", 1L, "us", 1_000L, "\u00B5s", 1_000L, "\u03BCs", 1_000L,
			"ms", 1_000_000L, "s", 1_000_000_000L, "m", 60_000_000_000L, "h", 3_600_000_000_000L);

	/** Possessive, because texts from outside can be of any length. */
	private static final Pattern PART = Pattern.compile("0*+([0-9]*+)(?:\\.([0-9]*+))?([^0-9.]++)");

	private static final BigInteger LARGEST = BigInteger.valueOf(Long.MAX_VALUE);

	/** A number with more digits is too large, and would take long to parse. */
	private static final int MOST_DIGITS = 19;

	private GoDuration() {
	}

	public static Duration parse(String text) {
		boolean negative = text.startsWith("-");
		String rest = (negative || text.startsWith("+")) ? text.substring(1) : text;
		if (rest.equals("0")) {
			return Duration.ZERO;
		}
		BigInteger nanos = BigInteger.ZERO;
		Matcher part = PART.matcher(rest);
		while (part.lookingAt()) {
			nanos = nanos.add(nanos(part, text));
			part.region(part.end(), rest.length());
		}
		if (rest.isEmpty() || part.regionStart() != rest.length()) {
			throw invalid(text);
		}
		if (nanos.compareTo(negative ? LARGEST.add(BigInteger.ONE) : LARGEST) > 0) {
			throw tooLong(text);
		}
		return Duration.ofNanos((negative ? nanos.negate() : nanos).longValue());
	}

	public static String format(Duration duration) {
		if (duration.isZero()) {
			return "0s";
		}
		String sign = duration.isNegative() ? "-" : "";
		Duration positive = duration.abs();
		if (positive.getSeconds() == 0) {
			int nanos = positive.getNano();
			if (nanos < 1_000) {
				return sign + nanos + "ns";
			}
			return sign + ((nanos < 1_000_000) ? decimal(nanos / 1_000, nanos % 1_000, 3) + "\u00B5s"
					: decimal(nanos / 1_000_000, nanos % 1_000_000, 6) + "ms");
		}
		long hours = positive.toHours();
		String seconds = decimal(positive.toSecondsPart(), positive.getNano(), 9) + "s";
		if (hours > 0) {
			return sign + hours + "h" + positive.toMinutesPart() + "m" + seconds;
		}
		return sign + ((positive.toMinutes() > 0) ? positive.toMinutes() + "m" : "") + seconds;
	}

	private static BigInteger nanos(Matcher part, String text) {
		String whole = part.group(1);
		String fraction = (part.group(2) != null) ? part.group(2) : "";
		Long unit = NANOS.get(part.group(3));
		boolean noDigits = part.start(3) == part.start() + ((part.group(2) != null) ? 1 : 0);
		if (unit == null || noDigits) {
			throw invalid(text);
		}
		if (whole.length() > MOST_DIGITS) {
			throw tooLong(text);
		}
		BigInteger nanos = whole.isEmpty() ? BigInteger.ZERO : new BigInteger(whole).multiply(BigInteger.valueOf(unit));
		return nanos.add(BigInteger.valueOf(fractionNanos(fraction, unit)));
	}

	/**
	 * Like Go, stops before the digits exceed 63 bits and calculates in floating point,
	 * which decides the last digit.
	 */
	private static long fractionNanos(String digits, long unit) {
		BigInteger value = BigInteger.ZERO;
		double scale = 1;
		for (int i = 0; i < digits.length(); i++) {
			BigInteger longer = value.multiply(BigInteger.TEN).add(BigInteger.valueOf(digits.charAt(i) - '0'));
			if (longer.compareTo(LARGEST) > 0) {
				break;
			}
			value = longer;
			scale *= 10;
		}
		return (long) (value.longValue() * (unit / scale));
	}

	private static String decimal(long whole, int fraction, int digits) {
		if (fraction == 0) {
			return Long.toString(whole);
		}
		String text = String.valueOf(fraction);
		return whole + "." + ("0".repeat(digits - text.length()) + text).replaceAll("0+$", "");
	}

	private static IllegalArgumentException invalid(String text) {
		return new IllegalArgumentException(
				"'" + text + "' is no duration: write numbers with units h, m, s, ms, us or ns, as in 1h30m");
	}

	private static IllegalArgumentException tooLong(String text) {
		return new IllegalArgumentException("duration '" + text + "' is too long: 292 years is the most");
	}

}
