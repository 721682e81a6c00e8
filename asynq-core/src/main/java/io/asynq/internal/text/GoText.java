package io.asynq.internal.text;

import java.time.Instant;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.util.Locale;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import org.jspecify.annotations.Nullable;

/**
 * Quoted text and dates as Go prints them.
 */
public final class GoText {

	private static final Pattern ESCAPE = Pattern
		.compile("\\\\(?:x([0-9a-fA-F]{2})|u([0-9a-fA-F]{4})|U([0-9a-fA-F]{8})|([0-7]{3})|(.))", Pattern.DOTALL);

	/**
	 * {@code MEANT} has the meaning of each at the same index.
	 */
	private static final String SHORT = "abfnrtv\\\"'";

	private static final String MEANT = "\u0007\b\f\n\r\t\u000b\\\"'";

	/** Go's {@code time.UnixDate}, which pads the day. */
	private static final DateTimeFormatter WRITTEN_DATE = DateTimeFormatter
		.ofPattern("EEE MMM ppd HH:mm:ss 'UTC' yyyy", Locale.ENGLISH)
		.withZone(ZoneOffset.UTC);

	private static final DateTimeFormatter READ_DATE = DateTimeFormatter.ofPattern("EEE MMM d HH:mm:ss zzz yyyy",
			Locale.ENGLISH);

	private static final int NEXT_LINE = 0x85;

	private GoText() {
	}

	/**
	 * Blank to Go, whose white space differs from Java's: a name that only one of the two
	 * refused could not be reached by the other.
	 */
	public static boolean isBlank(@Nullable String name) {
		for (int i = 0; name != null && i < name.length(); i++) {
			if (!isSpace(name.charAt(i))) {
				return false;
			}
		}
		return true;
	}

	public static String quote(String text) {
		StringBuilder quoted = new StringBuilder("\"");
		text.codePoints().forEach((point) -> quoted.append(escaped(point)));
		return quoted.append('"').toString();
	}

	public static String unquote(String quoted) {
		if (quoted.length() < 2 || !quoted.startsWith("\"") || !quoted.endsWith("\"")) {
			throw new IllegalArgumentException("No quoted text");
		}
		return ESCAPE.matcher(quoted.substring(1, quoted.length() - 1))
			.replaceAll((escape) -> Matcher.quoteReplacement(meant(escape)));
	}

	public static String date(Instant time) {
		return WRITTEN_DATE.format(time);
	}

	public static Instant parseDate(String text) {
		return ZonedDateTime.parse(text.replaceAll(" +", " "), READ_DATE).toInstant();
	}

	public static boolean isPrintable(int point) {
		return switch (Character.getType(point)) {
			case Character.CONTROL, Character.FORMAT, Character.SURROGATE, Character.PRIVATE_USE, Character.UNASSIGNED,
					Character.LINE_SEPARATOR, Character.PARAGRAPH_SEPARATOR ->
				false;
			case Character.SPACE_SEPARATOR -> point == ' ';
			default -> true;
		};
	}

	private static String escaped(int point) {
		int known = MEANT.indexOf(point);
		if (known >= 0 && point != '\'') {
			return "\\" + SHORT.charAt(known);
		}
		if (isPrintable(point)) {
			return Character.toString(point);
		}
		return String.format((point < ' ' || point == 0x7F) ? "\\x%02x" : (point < 0x10000) ? "\\u%04x" : "\\U%08x",
				point);
	}

	private static String meant(MatchResult escape) {
		for (int group = 1; group <= 4; group++) {
			if (escape.group(group) != null) {
				return Character.toString(Integer.parseInt(escape.group(group), (group == 4) ? 8 : 16));
			}
		}
		int known = SHORT.indexOf(escape.group(5));
		if (known < 0) {
			throw new IllegalArgumentException("No escape");
		}
		return MEANT.substring(known, known + 1);
	}

	private static boolean isSpace(char character) {
		return (character >= '\t' && character <= '\r') || character == NEXT_LINE || Character.isSpaceChar(character);
	}

}
