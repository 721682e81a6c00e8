package io.asynq.console.view;

import java.io.StringWriter;
import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharsetDecoder;
import java.nio.charset.CodingErrorAction;
import java.nio.charset.StandardCharsets;

import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonGenerator;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.databind.json.JsonMapper;

record PayloadText(String format, String text, boolean truncated) {

	static final int MOST = 64 * 1024;

	private static final int LONGEST_JSON = 4 * MOST;

	private static final int PREVIEW = 120;

	private static final int PREVIEWED_BYTES = 24;

	private static final JsonMapper JSON = JsonMapper.builder().build();

	private static final char[] HEX = "0123456789abcdef".toCharArray();

	static PayloadText of(byte[] bytes) {
		boolean truncated = bytes.length > MOST;
		String text = decode(bytes, MOST);
		if (text == null) {
			return new PayloadText("hex", dump(bytes, Math.min(bytes.length, MOST)), truncated);
		}
		String json = truncated ? null : pretty(text);
		return (json != null) ? new PayloadText("json", json, false) : new PayloadText("text", text, truncated);
	}

	static String preview(byte[] bytes) {
		// Enough for whole characters of four bytes
		String text = decode(bytes, 4 * PREVIEW);
		if (text == null) {
			StringBuilder line = new StringBuilder("0x");
			for (int i = 0; i < Math.min(bytes.length, PREVIEWED_BYTES); i++) {
				hex(line, bytes[i]);
			}
			return line.append((bytes.length > PREVIEWED_BYTES) ? "…" : "").toString();
		}
		String line = text.replaceAll("\\s+", " ").strip();
		boolean cut = bytes.length > 4 * PREVIEW || line.codePointCount(0, line.length()) > PREVIEW;
		return cut
				? line.substring(0,
						line.offsetByCodePoints(0, Math.min(PREVIEW - 1, line.codePointCount(0, line.length())))) + "…"
				: line;
	}

	private static @Nullable String decode(byte[] bytes, int most) {
		CharsetDecoder decoder = StandardCharsets.UTF_8.newDecoder()
			.onMalformedInput(CodingErrorAction.REPORT)
			.onUnmappableCharacter(CodingErrorAction.REPORT);
		CharBuffer chars = CharBuffer.allocate(Math.min(bytes.length, most));
		ByteBuffer in = ByteBuffer.wrap(bytes, 0, Math.min(bytes.length, most));
		// Of what was cut, the last character may be only half there
		if (decoder.decode(in, chars, bytes.length <= most).isError()) {
			return null;
		}
		chars.flip();
		String text = chars.toString();
		return text.chars().anyMatch((c) -> c < ' ' && c != '\n' && c != '\r' && c != '\t' || c == 0x7F) ? null : text;
	}

	/** Copies JSON token by token, so that no number changes. */
	private static @Nullable String pretty(String text) {
		String start = text.stripLeading();
		if (!start.startsWith("{") && !start.startsWith("[")) {
			return null;
		}
		StringWriter out = new StringWriter();
		try (JsonParser parser = JSON.createParser(text);
				JsonGenerator generator = JSON.writerWithDefaultPrettyPrinter().createGenerator(out)) {
			for (JsonToken token = parser.nextToken(); token != null; token = parser.nextToken()) {
				if (token.isNumeric()) {
					generator.writeNumber(parser.getString());
				}
				else {
					generator.copyCurrentEvent(parser);
				}
				if (out.getBuffer().length() > LONGEST_JSON) {
					return null;
				}
			}
		}
		catch (JacksonException ex) {
			return null;
		}
		return (out.getBuffer().length() <= LONGEST_JSON) ? out.toString() : null;
	}

	private static String dump(byte[] bytes, int length) {
		StringBuilder lines = new StringBuilder(length * 5);
		for (int from = 0; from < length; from += 16) {
			for (int shift = 28; shift >= 0; shift -= 4) {
				lines.append(HEX[(from >> shift) & 0xF]);
			}
			lines.append(' ');
			StringBuilder plain = new StringBuilder();
			for (int i = from; i < from + 16; i++) {
				lines.append(' ');
				if (i >= length) {
					lines.append("  ");
					continue;
				}
				hex(lines, bytes[i]);
				plain.append((bytes[i] >= ' ' && bytes[i] < 0x7F) ? (char) bytes[i] : '.');
			}
			lines.append("  ").append(plain).append('\n');
		}
		return lines.toString();
	}

	private static void hex(StringBuilder out, byte value) {
		out.append(HEX[(value >> 4) & 0xF]).append(HEX[value & 0xF]);
	}

}
