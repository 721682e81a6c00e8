package io.asynq.spring.boot.autoconfigure.endpoint;

import java.util.Collection;

import io.asynq.AsynqException;
import io.asynq.BrokerException;
import io.asynq.BrokerUnavailableException;
import io.asynq.DuplicateTaskException;
import io.asynq.QueueNotEmptyException;
import io.asynq.QueueNotFoundException;
import io.asynq.QueueStateException;
import io.asynq.TaskIdConflictException;
import io.asynq.TaskNotFoundException;
import io.asynq.TaskStateException;
import io.asynq.broker.check.LoginRefusedException;
import io.asynq.logging.OneLineLogger;
import io.asynq.operate.UnexpectedCountException;
import io.asynq.scheduler.PeriodicTaskNotFoundException;
import org.slf4j.Logger;

import org.springframework.boot.actuate.endpoint.web.WebEndpointResponse;
import org.springframework.util.MimeType;

/**
 * A problem document (RFC 9457) for a call that failed. It has no stack trace.
 *
 * @param title the meaning of the status
 * @param status the HTTP status
 * @param detail what was wrong and what to do
 */
record Problem(String title, int status, String detail) {

	private static final Logger logger = OneLineLogger.of(AsynqEndpoint.class);

	private static final MimeType MEDIA_TYPE = MimeType.valueOf("application/problem+json");

	static Problem of(RuntimeException error) {
		if (error instanceof QueueNotFoundException || error instanceof TaskNotFoundException
				|| error instanceof PeriodicTaskNotFoundException || error instanceof UnknownPathException) {
			return new Problem("Not Found", 404, text(error));
		}
		if (error instanceof TaskStateException || error instanceof QueueStateException
				|| error instanceof QueueNotEmptyException || error instanceof UnexpectedCountException
				|| error instanceof DuplicateTaskException || error instanceof TaskIdConflictException) {
			return new Problem("Conflict", 409, text(error));
		}
		if (error instanceof BrokerUnavailableException || error instanceof LoginRefusedException) {
			return new Problem("Service Unavailable", 503, text(error));
		}
		if (error instanceof AsynqException && !(error instanceof BrokerException)) {
			return new Problem("Bad Request", 400, text(error));
		}
		if (error instanceof BrokerException) {
			logger.warn("A call of the endpoint failed: {}", text(error));
			return new Problem("Internal Server Error", 500, text(error));
		}
		logger.warn("A call of the endpoint failed", error);
		return new Problem("Internal Server Error", 500, "See the log of the application");
	}

	WebEndpointResponse<Object> response() {
		return new WebEndpointResponse<>(this, this.status, MEDIA_TYPE);
	}

	private static String text(RuntimeException error) {
		return String.valueOf(error.getMessage());
	}

	/**
	 * There is nothing at this path.
	 */
	static final class UnknownPathException extends AsynqException {

		UnknownPathException(String path, Collection<String> known) {
			super("There is no '" + path + "' here, but " + known);
		}

	}

}
