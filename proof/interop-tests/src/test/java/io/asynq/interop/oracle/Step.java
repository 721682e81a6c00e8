package io.asynq.interop.oracle;

import java.util.LinkedHashMap;
import java.util.Map;

import tools.jackson.databind.JsonNode;

/**
 * One operation of the script.
 *
 * @param name its unique name
 * @param command the operation
 * @param arguments its arguments, times as offsets from the start of the run
 * @param since the oldest version of Go's library that supports it
 * @param until the sizes by key that the database must have before the step is over
 */
record Step(String name, String command, JsonNode arguments, String since, Map<String, Long> until) {

	static Step of(JsonNode line) {
		for (String property : line.propertyNames()) {
			if (!property.matches("step|do|with|since|until")) {
				throw new IllegalArgumentException("Unknown property '" + property + "' of " + line);
			}
		}
		Map<String, Long> until = new LinkedHashMap<>();
		line.path("until").forEachEntry((key, size) -> until.put(key, size.asLong()));
		return new Step(line.required("step").asString(), line.required("do").asString(), line.path("with"),
				line.path("since").asString("0.24"), until);
	}

	boolean runsOn(GoVersion version) {
		return version.number().compareTo(this.since) >= 0;
	}

	@Override
	public String toString() {
		return this.name;
	}

}
