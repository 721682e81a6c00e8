package io.asynq.cli.output;

import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;

import io.asynq.internal.text.GoText;
import org.jspecify.annotations.Nullable;

/**
 * Texts from Redis as they can be shown: everybody who can write to Redis chooses them,
 * and they must neither end a line nor control a terminal.
 */
public final class Cell {

	/** What Go shows for bytes that are no printable text, and for none. */
	private static final String NOT_PRINTABLE = "non-printable bytes";

	private Cell() {
	}

	/**
	 * Shows a name, or an error: in quotes if it has characters that cannot be printed.
	 */
	public static String text(@Nullable String text) {
		if (text == null) {
			return "";
		}
		return isPrintable(text) ? text : GoText.quote(text);
	}

	/** Shows a payload or a result. */
	public static String bytes(byte @Nullable [] bytes) {
		String text = readable(bytes);
		return (text != null && !text.isBlank() && isPrintable(text)) ? text : NOT_PRINTABLE;
	}

	/** Returns the text of bytes, {@code null} if they are no valid UTF-8. */
	static @Nullable String readable(byte @Nullable [] bytes) {
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
