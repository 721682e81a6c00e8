package io.asynq.cli;

import java.io.PrintWriter;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HexFormat;

import io.asynq.internal.text.GoText;
import org.jspecify.annotations.Nullable;

/**
 * Texts from Redis as they can be shown: everybody who can write to Redis chooses them,
 * and they must neither end a line nor control a terminal.
 */
final class Cell {

	/** More of a payload is printed by {@code -o json} only. */
	private static final int MOST = 64 * 1024;

	private Cell() {
	}

	static String text(@Nullable String text) {
		if (text == null) {
			return "";
		}
		return isPrintable(text) ? text : GoText.quote(text);
	}

	/** Shows a payload or a result in a line, as Go does. */
	static String bytes(byte @Nullable [] bytes) {
		String text = readable(bytes);
		return (text != null && !text.isBlank() && isPrintable(text)) ? text : "non-printable bytes";
	}

	static void printAll(byte[] bytes, PrintWriter out) {
		String text = readable(bytes);
		if (text != null && text.codePoints()
			.allMatch((point) -> point == '\n' || point == '\r' || point == '\t' || GoText.isPrintable(point))) {
			out.println((text.length() > MOST) ? text.substring(0, MOST) : text);
		}
		else {
			int end = Math.min(bytes.length, MOST);
			for (int from = 0; from < end; from += 16) {
				byte[] line = Arrays.copyOfRange(bytes, from, Math.min(from + 16, end));
				String characters = new String(line, StandardCharsets.ISO_8859_1).replaceAll("[^ -~]", ".");
				out.printf("%08x  %-47s  %s%n", from, HexFormat.ofDelimiter(" ").formatHex(line), characters);
			}
		}
		if (bytes.length > MOST) {
			out.println("… (more: -o json)");
		}
	}

	private static @Nullable String readable(byte @Nullable [] bytes) {
		if (bytes == null) {
			return null;
		}
		try {
			return StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes)).toString();
		}
		catch (CharacterCodingException ex) {
			return null;
		}
	}

	private static boolean isPrintable(String text) {
		return text.codePoints().allMatch(GoText::isPrintable);
	}

}
