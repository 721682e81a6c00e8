package io.asynq.operations;

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
import io.asynq.internal.redis.LoginRefusedException;
import io.asynq.schedule.PeriodicTaskNotFoundException;
import org.slf4j.Logger;

/**
 * A problem document (RFC 9457) for a call that failed; it has no stack trace.
 */
public record Problem(String title, int status, String detail, String code) {

	public static final String MEDIA_TYPE = "application/problem+json";

	public static Problem of(int status, String code, String detail) {
		return new Problem(title(status), status, detail, code);
	}

	/** The logger is told what is not the caller's doing. */
	public static Problem of(RuntimeException error, Logger logger) {
		String text = String.valueOf(error.getMessage());
		if (error instanceof ProblemException told) {
			return of(told.status(), told.code(), text);
		}
		if (error instanceof UnexpectedCountException) {
			return of(409, "count", text);
		}
		if (error instanceof QueueNotFoundException || error instanceof TaskNotFoundException
				|| error instanceof PeriodicTaskNotFoundException) {
			return of(404, "not-found", text);
		}
		if (error instanceof TaskStateException || error instanceof QueueStateException
				|| error instanceof QueueNotEmptyException || error instanceof DuplicateTaskException
				|| error instanceof TaskIdConflictException) {
			return of(409, "conflict", text);
		}
		if (error instanceof BrokerUnavailableException || error instanceof LoginRefusedException) {
			return of(503, "redis", text);
		}
		if (error instanceof BrokerException) {
			logger.warn("A call failed: {}", text);
			return of(500, "redis", text);
		}
		if (error instanceof AsynqException) {
			return of(400, "parameter", text);
		}
		logger.warn("A call failed", error);
		return of(500, "error", "See the log of the application");
	}

	private static String title(int status) {
		return switch (status) {
			case 400 -> "Bad Request";
			case 401 -> "Unauthorized";
			case 403 -> "Forbidden";
			case 404 -> "Not Found";
			case 405 -> "Method Not Allowed";
			case 409 -> "Conflict";
			case 413 -> "Content Too Large";
			case 415 -> "Unsupported Media Type";
			case 503 -> "Service Unavailable";
			case 505 -> "HTTP Version Not Supported";
			default -> "Internal Server Error";
		};
	}

}
