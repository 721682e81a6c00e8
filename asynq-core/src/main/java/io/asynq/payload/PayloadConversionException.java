package io.asynq.payload;

import io.asynq.AsynqException;
import org.jspecify.annotations.Nullable;

/**
 * An object could not be converted to a payload, or a payload to an object.
 */
public class PayloadConversionException extends AsynqException {

	public PayloadConversionException(String message, @Nullable Throwable cause) {
		super(message, cause);
	}

}
