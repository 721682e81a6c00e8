package io.asynq.payload;

import java.lang.reflect.Type;
import java.nio.charset.StandardCharsets;
import java.util.Optional;

import io.asynq.internal.text.OneLineLogger;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.springframework.core.ResolvableType;
import org.springframework.messaging.Message;
import org.springframework.messaging.converter.ProtobufMessageConverter;
import org.springframework.messaging.support.GenericMessage;
import org.springframework.util.ClassUtils;
import tools.jackson.databind.json.JsonMapper;

/**
 * Keeps {@code byte[]} and {@code String} (UTF-8) as they are, writes protobuf messages
 * in their binary form and everything else as JSON, as Go producers do. An
 * {@link Optional} is what is in it, or no payload. An object gets the type that the code
 * asks for, never one that a payload names. Safe for concurrent use.
 */
public final class DefaultPayloadConverter implements PayloadConverter {

	private static final Logger logger = OneLineLogger.of(DefaultPayloadConverter.class);

	private static final byte[] NOTHING = {};

	private static final boolean JACKSON_PRESENT = ClassUtils.isPresent("tools.jackson.databind.json.JsonMapper",
			DefaultPayloadConverter.class.getClassLoader());

	private final ProtobufMessageConverter protobuf = new ProtobufMessageConverter();

	private final @Nullable JsonPayloads json;

	/**
	 * Creates a converter with the mapper of {@link AsynqJsonMapper}, or without JSON if
	 * Jackson is not on the class path.
	 */
	public DefaultPayloadConverter() {
		this(null);
	}

	/**
	 * Creates a converter.
	 * @param mapper reads and writes JSON, {@code null} for that of
	 * {@link AsynqJsonMapper}
	 */
	public DefaultPayloadConverter(@Nullable JsonMapper mapper) {
		this.json = JACKSON_PRESENT ? new JsonPayloads(mapper) : null;
	}

	@Override
	public byte @Nullable [] toBytes(@Nullable Object payload) {
		return toBytes(payload, Object.class);
	}

	@Override
	public byte @Nullable [] toBytes(@Nullable Object payload, Type declared) {
		if (payload == null) {
			return null;
		}
		if (payload instanceof Optional<?> maybe) {
			return toBytes(maybe.orElse(null), content(ResolvableType.forType(declared)));
		}
		if (payload instanceof byte[] bytes) {
			return bytes;
		}
		if (payload instanceof String text) {
			return text.getBytes(StandardCharsets.UTF_8);
		}
		try {
			return convert(payload, declared);
		}
		catch (RuntimeException ex) {
			throw new PayloadConversionException(
					"An object of " + payload.getClass().getName() + " cannot be written as a payload" + why(ex), ex);
		}
	}

	@Override
	public @Nullable Object fromBytes(byte @Nullable [] payload, Type target) {
		ResolvableType type = ResolvableType.forType(target);
		Class<?> targetClass = type.toClass();
		byte[] bytes = (payload != null) ? payload : NOTHING;
		if (targetClass == Optional.class) {
			return (bytes.length > 0) ? Optional.ofNullable(fromBytes(bytes, content(type))) : Optional.empty();
		}
		if (targetClass == byte[].class) {
			return bytes;
		}
		if (targetClass == String.class) {
			return new String(bytes, StandardCharsets.UTF_8);
		}
		try {
			Object message = this.protobuf.fromMessage(new GenericMessage<>(bytes), targetClass);
			if (message != null) {
				return message;
			}
			return (bytes.length > 0) ? requireJson().fromBytes(bytes, target) : nothing(targetClass);
		}
		catch (PayloadConversionException ex) {
			throw ex;
		}
		catch (RuntimeException ex) {
			// Messages of parsers quote the payload, which must not get into the log as a
			// cause
			logger.debug("A payload cannot be read as {}", target.getTypeName(), ex);
			throw new PayloadConversionException(
					"A payload of " + bytes.length + " bytes cannot be read as " + target.getTypeName() + why(ex),
					null);
		}
	}

	private byte[] convert(Object payload, Type declared) {
		Message<?> message = this.protobuf.toMessage(payload, null);
		if (message != null && message.getPayload() instanceof byte[] bytes) {
			return bytes;
		}
		return requireJson().toBytes(payload, declared);
	}

	private static Type content(ResolvableType optional) {
		return optional.hasGenerics() ? optional.getGeneric(0).getType() : Object.class;
	}

	private static @Nullable Object nothing(Class<?> targetClass) {
		if (targetClass.isPrimitive()) {
			throw new PayloadConversionException(
					"A task without payload cannot be read as " + targetClass + ": use "
							+ ClassUtils.resolvePrimitiveIfNecessary(targetClass).getName() + " if it may be missing",
					null);
		}
		return null;
	}

	private JsonPayloads requireJson() {
		if (this.json == null) {
			throw new IllegalStateException("Jackson 3 is not on the class path");
		}
		return this.json;
	}

	private String why(RuntimeException error) {
		return (this.json != null) ? this.json.describe(error) : " (" + error.getClass().getSimpleName()
				+ "): JSON needs tools.jackson.core:jackson-databind on the class path, or provide a PayloadConverter";
	}

}
