package io.asynq;

import org.jspecify.annotations.Nullable;

/**
 * An object could not be turned into a payload, or a payload into an object.
 */
public class PayloadConversionException extends AsynqException {

	public PayloadConversionException(String message, @Nullable Throwable cause) {
		super(message, cause);
	}

}
