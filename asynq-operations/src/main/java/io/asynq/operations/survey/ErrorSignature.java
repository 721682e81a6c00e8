package io.asynq.operations.survey;

import java.util.Locale;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import org.jspecify.annotations.Nullable;

/**
 * What errors of the same kind have in common: their first line without what varies, but
 * with the codes that tell errors apart (HTTP, SMTP, SQLSTATE, {@code ORA-00001}).
 */
public final class ErrorSignature {

	/** Longer texts do not tell more. */
	private static final int MOST = 300;

	private static final String QUOTES = "\"'`";

	/** An error may be as long as its author likes. */
	private static final int LOOKED_AT = 1000;

	/** So much before and behind a number tells what it is. */
	private static final int AROUND = 32;

	private static final String MASK = "<*>";

	private static final String ALONE = "(?![a-zA-Z0-9])";

	/**
	 * What begins earlier wins, and at the same place what stands earlier here; all
	 * repetitions are possessive or short, so that no text takes long.
	 */
	private static final Pattern PART = Pattern
		.compile("(?<email>(?<![^\\s<>()\\[\\],;:=/|\"'`])[^\\s<>()\\[\\],;:=/|\"'`@%]{1,64}+(?:@|%40)"
				+ "(?:localhost\\b|[\\p{L}\\p{N}-]++(?:\\.[\\p{L}\\p{N}-]++)++(?<=\\p{L})))"
				// Addresses, times, UUIDs and long texts in Base64
				+ "|(?<address>\\[[0-9a-fA-F]{0,4}:[0-9a-fA-F:.]{1,40}\\](?::\\d{1,5})?"
				+ "|(?<![\\w.])\\d{1,3}(?:\\.\\d{1,3}){3}(?!\\.?\\w)(?:/\\d{1,2}|:\\d{1,5})?" + ALONE
				+ "|(?<![\\w:.])(?=[0-9a-fA-F:]{0,39}::)[0-9a-fA-F:]{3,39}(?![\\w:])"
				+ "|(?<![\\w:.])(?:[0-9a-fA-F]{1,4}:){7}[0-9a-fA-F]{1,4}" + ALONE
				+ "|(?<![\\w:-])(?:[0-9a-fA-F]{2}[:-]){5}[0-9a-fA-F]{2}" + ALONE
				+ "|(?<!\\w)\\d{4}-\\d\\d-\\d\\dT[\\d:.,]++(?:Z|[+-]\\d\\d:?\\d\\d)?"
				+ "|(?<!\\w)[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}" + ALONE
				+ "|(?<![\\w+/.:-])(?=[a-zA-Z+/]{0,39}\\d)[a-zA-Z0-9+/]{40,}+={0,2}(?![\\w.:-]))"
				+ "|(?<code>(?<![a-zA-Z0-9])(?:(?:ORA|TNS|PLS|SP2|RMAN|DPI|DPY|SQL|AADSTS)[-_]?\\d{1,6}[A-Z]?"
				+ "|(?i:HTTP|STATUS|CODE|ERROR|ERR|ERRNO)_?\\d{1,5}|E11000)" + ALONE + ")"
				+ "|(?<number>(?<![a-zA-Z0-9])(?:[-+](?=\\d))?+\\d++(?:[.,]\\d++)*+" + ALONE + ")"
				+ "|(?<duration>(?<![a-zA-Z0-9])(?:\\d++(?:\\.\\d++)?+(?:ns|us|µs|ms|[smhd]))++" + ALONE + ")"
				+ "|(?<word>[a-zA-Z0-9]++)");

	private static final Pattern CODE_BEFORE = Pattern
		.compile("(?:(?<![a-zA-Z])(?i:status|code|errno|sqlcode|sql ?state|exit|exited with|signal)"
				+ "|(?<=[a-z])(?:Status|Code|State)|(?<![a-zA-Z])(?i:error|err)(?![^ =#(\\[]))"
				+ "(?i: is| was| code| status)?[\"'`]? ?[:=#(\\[]? ?[\"'`]?$");

	private static final Pattern CODE = Pattern.compile("[-+]?\\d{1,5}|(?=[A-Z]*\\d)[0-9A-Z]{2,5}|0x[0-9a-fA-F]{1,8}");

	private static final Pattern STATUS = Pattern.compile("[1-5]\\d\\d");

	private static final Pattern STATUS_BEFORE = Pattern.compile("^[(\\[<\\s\"'`]*$|(?<!\\b[iI][dD])[:;] +[(\\[]?$"
			+ "|\\s[(\\[\"'`]$| [-–—] $|\\b(?i:https?(?:/\\d(?:\\.\\d)?)?|smtp|returned|returns|response|replied|reply"
			+ "|answered|got|received|with):? [(\\[]?$");

	private static final Pattern STATUS_BEHIND = Pattern.compile("^[ -](?:[A-Z][a-zA-Z]|[245]\\.\\d)");

	private static final Pattern UNIT_BEHIND = Pattern
		.compile("^ ?(?:%|(?:[munµ]?s|secs?|seconds?|min|minutes?|hours?|[KMG]i?B|bytes?|rows?|times?|items?|tasks?"
				+ "|attempts?|retries|records?|messages?|entries)\\b)");

	private static final Pattern MAIL_STATUS = Pattern.compile("[245]\\.\\d{1,3}\\.\\d{1,3}");

	private static final Pattern QUOTED_STATUS = Pattern.compile("[1-5]\\d\\d(?: [A-Z].*)?");

	private static final Pattern JSON_KEY = Pattern.compile("[a-zA-Z_]{1,32}");

	/** Hexadecimal ids may have no digit. */
	private static final Pattern ID_OF_LETTERS = Pattern.compile("[a-f]{4,}|[A-F]{4,}");

	private static final Set<String> WORDS = Set.of("dead", "feed", "face", "faced", "fade", "faded", "added", "deaf",
			"facade", "decade", "deed", "bead", "beef", "cafe");

	/** Kubernetes makes names of these letters. */
	private static final Pattern NAME_WITHOUT_VOWELS = Pattern.compile("[bcdfghjklmnpqrstvwxz2-9]{5,10}");

	private static final Pattern HEXADECIMAL = Pattern.compile("[0-9a-fA-F]++");

	private static final Pattern NUMBERED = Pattern.compile("([a-zA-Z]++)\\d++");

	private ErrorSignature() {
	}

	public static String of(@Nullable String error) {
		if (error == null) {
			return "";
		}
		String line = firstLine(error);
		StringBuilder masked = new StringBuilder(line.length());
		Matcher part = PART.matcher(line).useTransparentBounds(true).useAnchoringBounds(false);
		int at = 0;
		while (at < line.length()) {
			int quote = nextQuote(line, at);
			addParts(part.region(at, quote), line, masked);
			at = quote;
			if (quote < line.length()) {
				masked.append("<text>");
				at = endOfQuote(line, quote);
			}
		}
		String text = masked.toString().replaceAll("\\s+", " ").strip();
		return (text.length() > MOST) ? text.substring(0, whole(text, MOST)) + "…" : text;
	}

	/** Only quotes whose text varies count. */
	private static int nextQuote(String line, int from) {
		int at = from;
		while (at < line.length()) {
			int end = endOfQuote(line, at);
			if (end > at && !stays(line, at, line.substring(at + 1, end - 1))) {
				return at;
			}
			at = Math.max(end, at + 1);
		}
		return line.length();
	}

	private static int endOfQuote(String line, int at) {
		char quote = line.charAt(at);
		if (QUOTES.indexOf(quote) < 0 || at + 1 == line.length()) {
			return at;
		}
		// An apostrophe follows a letter, and ends nothing
		if (quote == '\'' && (at > 0 && Character.isLetter(line.charAt(at - 1))
				|| Character.isWhitespace(line.charAt(at + 1)) || line.charAt(at + 1) == quote)) {
			return at;
		}
		int end = line.indexOf(quote, at + 1);
		return (end > 0) ? end + 1 : at;
	}

	/** Names of JSON stay, and codes do. */
	private static boolean stays(String line, int at, String text) {
		String before = before(line, at);
		return QUOTED_STATUS.matcher(text).matches()
				|| CODE.matcher(text).matches() && CODE_BEFORE.matcher(before).find()
				|| JSON_KEY.matcher(text).matches() && line.startsWith(":", at + text.length() + 2)
						&& (before.stripTrailing().endsWith("{") || before.stripTrailing().endsWith(","));
	}

	private static void addParts(Matcher part, String line, StringBuilder masked) {
		int at = part.regionStart();
		while (part.find()) {
			masked.append(line, at, part.start()).append(mask(part, line, masked));
			at = part.end();
		}
		masked.append(line, at, part.regionEnd());
	}

	private static String mask(Matcher part, String line, StringBuilder masked) {
		String text = part.group();
		if (part.start("word") >= 0) {
			boolean endOfName = line.startsWith("-", part.start() - 1) && masked.toString().endsWith(MASK + "-")
					&& NAME_WITHOUT_VOWELS.matcher(text).matches();
			return endOfName ? MASK : maskWord(text, before(line, part.start()));
		}
		if (part.start("email") >= 0) {
			return "<email>";
		}
		return (part.start("code") >= 0 || part.start("number") >= 0 && isCode(text, part, line)) ? text : MASK;
	}

	private static boolean isCode(String number, Matcher part, String line) {
		String before = before(line, part.start());
		if (MAIL_STATUS.matcher(number).matches()
				|| CODE.matcher(number).matches() && CODE_BEFORE.matcher(before).find()) {
			return true;
		}
		String behind = line.substring(part.end(), Math.min(line.length(), part.end() + AROUND));
		return STATUS.matcher(number).matches() && !UNIT_BEHIND.matcher(behind).find()
				&& (STATUS_BEFORE.matcher(before).find() || STATUS_BEHIND.matcher(behind).find());
	}

	private static String maskWord(String word, String before) {
		if (word.chars().noneMatch((c) -> c >= '0' && c <= '9')) {
			boolean isId = ID_OF_LETTERS.matcher(word).matches() && !WORDS.contains(word.toLowerCase(Locale.ROOT));
			return isId ? MASK : word;
		}
		if (CODE.matcher(word).matches() && CODE_BEFORE.matcher(before).find()) {
			return word;
		}
		Matcher numbered = NUMBERED.matcher(word);
		return (!HEXADECIMAL.matcher(word).matches() && numbered.matches()) ? numbered.group(1) + MASK : MASK;
	}

	private static String before(String line, int at) {
		return line.substring(Math.max(0, at - AROUND), at);
	}

	private static String firstLine(String error) {
		String text = error.stripLeading();
		int end = Math.min(text.length(), LOOKED_AT);
		for (int i = 0; i < end; i++) {
			if (text.charAt(i) == '\n' || text.charAt(i) == '\r') {
				return text.substring(0, i);
			}
		}
		return text.substring(0, whole(text, end));
	}

	/** Does not cut a character in two. */
	private static int whole(String text, int end) {
		return (end > 0 && end < text.length() && Character.isHighSurrogate(text.charAt(end - 1))) ? end - 1 : end;
	}

}
