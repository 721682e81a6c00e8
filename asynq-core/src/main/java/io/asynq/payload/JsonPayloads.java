package io.asynq.payload;

import java.lang.reflect.Type;

import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.json.JsonMapper;

/**
 * Converts objects to JSON and back. It calls Jackson directly, because Spring's message
 * converter takes generic types from method parameters only. The only class that needs
 * Jackson.
 */
final class JsonPayloads {

	private final JsonMapper mapper;

	JsonPayloads(@Nullable JsonMapper mapper) {
		this.mapper = (mapper != null) ? mapper : JsonMapper.builder().findAndAddModules().build();
	}

	byte[] toBytes(Object payload) throws JacksonException {
		return this.mapper.writeValueAsBytes(payload);
	}

	@Nullable Object fromBytes(byte[] payload, Type target) throws JacksonException {
		return this.mapper.readValue(payload, this.mapper.constructType(target));
	}

}
