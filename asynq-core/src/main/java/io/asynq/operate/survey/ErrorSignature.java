package io.asynq.operate.survey;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

import org.jspecify.annotations.Nullable;

/**
 * What errors of the same kind have in common: the first line of their text, in which
 * numbers, ids, hosts and what stands in quotes are masked.
 */
public final class ErrorSignature {

	/** Longer texts do not tell more. */
	private static final int MOST = 300;

	private static final String QUOTES = "\"'`";

	/** What is looked at: an error may be as long as its author likes. */
	private static final int LOOKED_AT = 1000;

	/**
	 * What may vary in a word. What begins earlier wins, and at the same place what
	 * stands earlier here.
	 */
	private static final Pattern VARIABLE = Pattern
		.compile("(?<uuid>\\b[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12}\\b)"
				+ "|(?<host>\\[[0-9a-fA-F:]*:[0-9a-fA-F:.]*\\](?::\\d{1,5})?|\\b\\d{1,3}(?:\\.\\d{1,3}){3}(?::\\d{1,5})?\\b"
				+ "|\\b(?:[a-zA-Z0-9](?:[a-zA-Z0-9-]{0,62})\\.){2,8}[a-zA-Z]{2,24}(?::\\d{1,5})\\b"
				+ "|(?<=://)[^\\s/\"'<>]+|\\blocalhost:\\d{1,5}\\b)"
				+ "|(?<hex>\\b0x[0-9a-fA-F]+\\b|@[0-9a-f]{5,16}\\b|\\b(?=[0-9a-f]*\\d)(?=\\d*[a-f])[0-9a-f]{12,128}\\b)"
				+ "|(?<number>(?<![a-zA-Z])[-+]?\\d+(?:[.,]\\d+)*(?:e[-+]?\\d+)?|(?<=[a-zA-Z_-])\\d+)");

	private ErrorSignature() {
	}

	/**
	 * Returns the signature of an error.
	 * @param error its text, {@code null} for none
	 * @return what errors of its kind have in common; empty if there is no text
	 */
	public static String of(@Nullable String error) {
		if (error == null) {
			return "";
		}
		String line = firstLine(error);
		StringBuilder masked = new StringBuilder(line.length());
		int at = 0;
		while (at < line.length()) {
			int end = endOfQuote(line, at);
			if (end > at) {
				masked.append("<text>");
			}
			else {
				end = endOfWord(line, at);
				addWord(line.substring(at, end), masked);
			}
			at = end;
		}
		String text = masked.toString().replaceAll("\\s+", " ").strip();
		return (text.length() > MOST) ? text.substring(0, whole(text, MOST)) + "…" : text;
	}

	/** Returns where a quote ends that begins here, or here if none does. */
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

	/** A word ends before a blank or a quote. */
	private static int endOfWord(String line, int at) {
		int end = at + 1;
		while (end < line.length() && !Character.isWhitespace(line.charAt(end))
				&& QUOTES.indexOf(line.charAt(end)) < 0) {
			end++;
		}
		return end;
	}

	/** Most words are plain: they need no search. */
	private static void addWord(String word, StringBuilder masked) {
		if (!word.contains("://") && word.chars().noneMatch((c) -> c >= '0' && c <= '9' || c == '@' || c == '[')) {
			masked.append(word);
			return;
		}
		Matcher variable = VARIABLE.matcher(word);
		while (variable.find()) {
			variable.appendReplacement(masked, Matcher.quoteReplacement(mask(variable)));
		}
		variable.appendTail(masked);
	}

	private static String mask(Matcher variable) {
		if (variable.group("uuid") != null) {
			return "<uuid>";
		}
		if (variable.group("host") != null) {
			return "<host>";
		}
		return (variable.group("hex") != null) ? "<hex>" : "<n>";
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
