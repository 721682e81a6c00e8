package io.asynq.spring.boot.autoconfigure;

import java.util.function.Supplier;

import io.asynq.AsynqException;
import org.jspecify.annotations.Nullable;

/**
 * Unlike Spring Boot's own exception, it is explained even if the value is from an
 * environment variable or a default.
 */
final class InvalidAsynqPropertyException extends AsynqException {

	private final String property;

	private final @Nullable Object value;

	private final String reason;

	InvalidAsynqPropertyException(String property, @Nullable Object value, String reason) {
		super("Property '" + property + "' with value '" + value + "' is invalid: " + reason);
		this.property = property;
		this.value = value;
		this.reason = reason;
	}

	/** Explains what the library says of a value. */
	static <T extends @Nullable Object> T check(String property, @Nullable Object value, Supplier<T> use) {
		try {
			return use.get();
		}
		catch (IllegalArgumentException ex) {
			throw new InvalidAsynqPropertyException(property, value, ex.getMessage() + ".");
		}
	}

	String property() {
		return this.property;
	}

	@Nullable Object value() {
		return this.value;
	}

	String reason() {
		return this.reason;
	}

}
