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

	/** What is looked at: an error may be as long as its author likes. */
	private static final int LOOKED_AT = 1000;

	/**
	 * In this order: what begins earlier in the text wins, and at the same place what
	 * stands earlier here.
	 */
	private static final Pattern VARIABLE = Pattern.compile("(?<quoted>\"[^\"]*\"|(?<![a-zA-Z])'[^'\\s][^']*'|`[^`]*`)"
			+ "|(?<uuid>\\b[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12}\\b)"
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
		Matcher variable = VARIABLE.matcher(line);
		StringBuilder masked = new StringBuilder();
		while (variable.find()) {
			variable.appendReplacement(masked, Matcher.quoteReplacement(mask(variable)));
		}
		variable.appendTail(masked);
		String text = masked.toString().replaceAll("\\s+", " ").strip();
		return (text.length() > MOST) ? text.substring(0, whole(text, MOST)) + "…" : text;
	}

	private static String mask(Matcher variable) {
		if (variable.group("quoted") != null) {
			return "<text>";
		}
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
