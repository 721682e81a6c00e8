package io.asynq.cli.output;

import java.io.PrintWriter;
import java.util.HexFormat;

import io.asynq.internal.text.GoText;
import org.jspecify.annotations.Nullable;

/**
 * Prints all of a payload or result: as text, or in hexadecimal if it is no text.
 */
public final class Bytes {

	/** More is printed by {@code -o json} only. */
	private static final int MOST = 64 * 1024;

	private static final int LINE = 16;

	private Bytes() {
	}

	public static void print(byte @Nullable [] bytes, PrintWriter out) {
		if (bytes == null || bytes.length == 0) {
			return;
		}
		String text = Cell.readable(bytes);
		if (text != null && text.codePoints().allMatch(Bytes::isText)) {
			out.println((text.length() > MOST) ? text.substring(0, MOST) : text);
		}
		else {
			hex(bytes, out);
		}
		if (bytes.length > MOST) {
			out.println("… (more: -o json)");
		}
	}

	private static void hex(byte[] bytes, PrintWriter out) {
		HexFormat format = HexFormat.ofDelimiter(" ");
		int end = Math.min(bytes.length, MOST);
		for (int from = 0; from < end; from += LINE) {
			int to = Math.min(from + LINE, end);
			StringBuilder text = new StringBuilder();
			for (int i = from; i < to; i++) {
				text.append((bytes[i] >= ' ' && bytes[i] < 0x7F) ? (char) bytes[i] : '.');
			}
			out.printf("%08x  %-47s  %s%n", from, format.formatHex(bytes, from, to), text);
		}
	}

	private static boolean isText(int point) {
		return point == '\n' || point == '\r' || point == '\t' || GoText.isPrintable(point);
	}

}
