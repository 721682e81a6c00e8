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

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * The operations, one JSON object per line; empty lines and those that begin with # are
 * skipped.
 */
final class Script {

	private static final JsonMapper JSON = JsonMapper.shared();

	private Script() {
	}

	static List<Step> read(String resource) {
		List<Step> steps = new ArrayList<>();
		Set<String> names = new HashSet<>();
		for (String line : lines(resource)) {
			Step step = Step.of(JSON.readTree(line));
			if (!names.add(step.name())) {
				throw new IllegalArgumentException("Two steps are called '" + step.name() + "'");
			}
			steps.add(step);
		}
		return steps;
	}

	static List<String> lines(String resource) {
		try (InputStream input = Script.class.getResourceAsStream(resource)) {
			if (input == null) {
				throw new IllegalArgumentException("No resource " + resource);
			}
			return new String(input.readAllBytes(), StandardCharsets.UTF_8).lines()
				.filter((line) -> !line.isBlank() && !line.startsWith("#"))
				.toList();
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
