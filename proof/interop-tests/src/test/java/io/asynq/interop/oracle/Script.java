package io.asynq.interop.oracle;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * The operations, one JSON object per line, in chapters that need nothing of each other;
 * empty lines and those that begin with # are skipped.
 */
final class Script {

	private static final JsonMapper JSON = JsonMapper.shared();

	private static final String CHAPTER = "(?m)^# ====.*$";

	private Script() {
	}

	static List<List<Step>> chapters(String resource) {
		List<List<Step>> chapters = new ArrayList<>();
		Set<String> names = new HashSet<>();
		for (String chapter : text(resource).split(CHAPTER)) {
			List<Step> steps = filled(chapter).map((line) -> Step.of(JSON.readTree(line))).toList();
			for (Step step : steps) {
				if (!names.add(step.name())) {
					throw new IllegalArgumentException("Two steps are called '" + step.name() + "'");
				}
			}
			chapters.add(steps);
		}
		return chapters;
	}

	static List<String> lines(String resource) {
		return filled(text(resource)).toList();
	}

	private static Stream<String> filled(String text) {
		return text.lines().filter((line) -> !line.isBlank() && !line.startsWith("#"));
	}

	private static String text(String resource) {
		try (InputStream input = Script.class.getResourceAsStream(resource)) {
			if (input == null) {
				throw new IllegalArgumentException("No resource " + resource);
			}
			return new String(input.readAllBytes(), StandardCharsets.UTF_8);
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	/**
	 * Resolves times of a run: "@60" becomes the time a minute after its start as text,
	 * "#60" as seconds.
	 */
	static JsonNode at(JsonNode arguments, Instant start) {
		if (arguments.isObject()) {
			ObjectNode resolved = JSON.createObjectNode();
			arguments.forEachEntry((name, value) -> resolved.set(name, at(value, start)));
			return resolved;
		}
		if (arguments.isArray()) {
			ArrayNode resolved = JSON.createArrayNode();
			arguments.forEach((value) -> resolved.add(at(value, start)));
			return resolved;
		}
		if (arguments.isString() && arguments.asString().matches("[@#]-?\\d+")) {
			String text = arguments.asString();
			Instant time = start.plusSeconds(Long.parseLong(text.substring(1)));
			return JSON.getNodeFactory()
				.stringNode(text.startsWith("@") ? time.toString() : String.valueOf(time.getEpochSecond()));
		}
		return arguments.isMissingNode() ? JSON.createObjectNode() : arguments;
	}

}
