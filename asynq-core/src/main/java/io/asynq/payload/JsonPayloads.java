package io.asynq.payload;

import java.lang.reflect.Type;

import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JavaType;
import tools.jackson.databind.json.JsonMapper;

/**
 * Calls Jackson directly, because Spring's message converter takes generic types from
 * method parameters only; nothing else but what it uses needs Jackson.
 */
final class JsonPayloads {

	private final JsonMapper mapper;

	private final JsonProblem problem;

	JsonPayloads(@Nullable JsonMapper mapper) {
		this.mapper = (mapper != null) ? mapper : AsynqJsonMapper.builder().build();
		this.problem = new JsonProblem(this.mapper);
	}

	/**
	 * Builds a type from the object's class and the declared type's arguments, because
	 * {@code mapper.writerFor} would leave out what only subclasses have, and have the
	 * mapper remember that.
	 */
	byte[] toBytes(Object payload, Type declared) throws JacksonException {
		JavaType type = this.mapper.constructType(declared);
		return type.hasGenericTypes() && type.getRawClass().isInstance(payload) ? this.mapper.writer()
			.forType(this.mapper.getTypeFactory().constructSpecializedType(type, payload.getClass()))
			.writeValueAsBytes(payload) : this.mapper.writeValueAsBytes(payload);
	}

	@Nullable Object fromBytes(byte[] payload, Type target) throws JacksonException {
		return this.mapper.readValue(payload, this.mapper.constructType(target));
	}

	/**
	 * Without anything from the payload.
	 */
	String describe(RuntimeException error) {
		return this.problem.describe(error);
	}

}
