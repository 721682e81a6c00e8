package io.asynq.cli.dash;

import java.io.StringWriter;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;

import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonGenerator;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.core.ObjectWriteContext;
import tools.jackson.core.PrettyPrinter;
import tools.jackson.core.json.JsonFactory;
import tools.jackson.core.util.DefaultPrettyPrinter;

/** Bytes for people: indented JSON, text, or hexadecimal. */
record PayloadText(String format, List<String> lines) {

	/** More makes no sense in a terminal, and a payload may have many megabytes. */
	static final int MOST = 64 * 1024;

	private static final int HEX_COLUMNS = 16;

	private static final JsonFactory JSON = new JsonFactory();

	static PayloadText of(byte @Nullable [] bytes) {
		if (bytes == null || bytes.length == 0) {
			return new PayloadText("empty", List.of());
		}
		String cut = (bytes.length > MOST) ? ", the first " + Figures.bytes(MOST) + " of " + Figures.bytes(bytes.length)
				: "";
		byte[] shown = (bytes.length > MOST) ? Arrays.copyOf(bytes, MOST) : bytes;
		String text = text(shown, bytes.length > MOST);
		if (text == null) {
			return new PayloadText("hex" + cut, hex(shown));
		}
		String json = cut.isEmpty() ? indented(text) : null;
		return new PayloadText(((json != null) ? "JSON" : "text") + cut,
				((json != null) ? json : text).lines().map((line) -> line.replace("\t", "    ")).toList());
	}

	static String preview(byte @Nullable [] bytes) {
		if (bytes == null || bytes.length == 0) {
			return "";
		}
		String text = text(Arrays.copyOf(bytes, Math.min(bytes.length, 512)), bytes.length > 512);
		return (text != null) ? text.strip().replaceAll("\\s+", " ")
				: "0x" + HexFormat.of().formatHex(bytes, 0, Math.min(bytes.length, 64));
	}

	static String searchable(byte @Nullable [] bytes) {
		return (bytes != null) ? new String(bytes, 0, Math.min(bytes.length, MOST), StandardCharsets.UTF_8) : "";
	}

	private static @Nullable String text(byte[] bytes, boolean cut) {
		// A character may have been cut through
		for (int less = 0; less <= (cut ? 3 : 0) && less < bytes.length; less++) {
			try {
				String text = StandardCharsets.UTF_8.newDecoder()
					.decode(ByteBuffer.wrap(bytes, 0, bytes.length - less))
					.toString();
				return Harmless.isText(text) ? text : null;
			}
			catch (CharacterCodingException ex) {
				// Tried with less, or not text
			}
		}
		return null;
	}

	private static @Nullable String indented(String text) {
		char first = text.stripLeading().isEmpty() ? ' ' : text.stripLeading().charAt(0);
		if (first != '{' && first != '[') {
			return null;
		}
		StringWriter writer = new StringWriter();
		ObjectWriteContext indenting = new ObjectWriteContext.Base() {
			@Override
			public PrettyPrinter getPrettyPrinter() {
				return new DefaultPrettyPrinter();
			}

			@Override
			public boolean hasPrettyPrinter() {
				return true;
			}
		};
		try (JsonParser parser = JSON.createParser(ObjectReadContext.empty(), text);
				JsonGenerator generator = JSON.createGenerator(indenting, writer)) {
			for (JsonToken token = parser.nextToken(); token != null; token = parser.nextToken()) {
				if (token.isNumeric()) {
					// As it is written, not as what it is read as
					generator.writeNumber(parser.getString());
				}
				else {
					generator.copyCurrentEvent(parser);
				}
			}
		}
		catch (JacksonException ex) {
			return null;
		}
		return writer.toString();
	}

	private static List<String> hex(byte[] bytes) {
		HexFormat format = HexFormat.ofDelimiter(" ");
		List<String> lines = new ArrayList<>();
		for (int at = 0; at < bytes.length; at += HEX_COLUMNS) {
			int end = Math.min(bytes.length, at + HEX_COLUMNS);
			StringBuilder characters = new StringBuilder();
			for (int index = at; index < end; index++) {
				characters.append((bytes[index] >= ' ' && bytes[index] < 127) ? (char) bytes[index] : '.');
			}
			lines.add(String.format("%06x  %-47s  %s", at, format.formatHex(bytes, at, end), characters));
		}
		return lines;
	}

}
