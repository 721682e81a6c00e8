package io.asynq;

import com.fasterxml.jackson.annotation.JsonIncludeProperties;
import org.jspecify.annotations.Nullable;

/**
 * Root of all exceptions of this library. A message names the task, queue, option or
 * method and says what to do; it never contains a payload. The JSON form has the
 * {@code message} alone.
 */
@JsonIncludeProperties("message")
public class AsynqException extends RuntimeException {

	public AsynqException(String message) {
		super(message);
	}

	public AsynqException(String message, @Nullable Throwable cause) {
		super(message, cause);
	}

}
