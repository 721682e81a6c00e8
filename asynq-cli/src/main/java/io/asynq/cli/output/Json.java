package io.asynq.cli.output;

import tools.jackson.databind.MapperFeature;
import tools.jackson.databind.ObjectWriter;
import tools.jackson.databind.SerializationFeature;
import tools.jackson.databind.json.JsonMapper;

/**
 * JSON of what the inspector returns. Loaded only if somebody wants JSON.
 */
final class Json {

	private static final ObjectWriter WRITER = JsonMapper.builder()
		.disable(MapperFeature.SORT_PROPERTIES_ALPHABETICALLY)
		.build()
		.writer();

	private static final ObjectWriter INDENTED = WRITER.with(SerializationFeature.INDENT_OUTPUT);

	private Json() {
	}

	static String line(Object value) {
		return WRITER.writeValueAsString(value);
	}

	static String indented(Object value) {
		return INDENTED.writeValueAsString(value);
	}

}
