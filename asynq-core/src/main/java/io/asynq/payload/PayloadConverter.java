package io.asynq.payload;

import java.lang.reflect.Type;

import org.jspecify.annotations.Nullable;

/**
 * Converts objects to payload bytes and back. A bean of this type replaces the default,
 * {@link DefaultPayloadConverter}. Called by many threads.
 */
public interface PayloadConverter {

	/**
	 * Converts to bytes; {@code null} is no payload.
	 * @throws PayloadConversionException if it cannot be converted
	 */
	byte @Nullable [] toBytes(@Nullable Object payload);

	/**
	 * Converts what a method has returned to bytes; {@code null} is no payload.
	 * @param declared the return type, generics included: it knows the elements' type,
	 * which an object does not
	 * @throws PayloadConversionException if it cannot be converted
	 */
	default byte @Nullable [] toBytes(@Nullable Object payload, Type declared) {
		return toBytes(payload);
	}

	/**
	 * Converts from bytes.
	 * @param payload the bytes, {@code null} or empty for no payload
	 * @param target the target type, generics included
	 * @throws PayloadConversionException if the bytes do not fit the type. Its message is
	 * logged and stored with the task: it names the type and quotes nothing of the bytes
	 */
	@Nullable Object fromBytes(byte @Nullable [] payload, Type target);

}
