package io.asynq.sample;

import java.util.Map;
import java.util.TreeMap;

import io.asynq.AsynqException;
import io.asynq.BrokerException;
import io.asynq.QueueNotFoundException;
import io.asynq.TaskNotFoundException;
import io.asynq.TaskStateException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpStatus;
import org.springframework.http.HttpStatusCode;
import org.springframework.http.ProblemDetail;
import org.springframework.http.ResponseEntity;
import org.springframework.http.converter.HttpMessageNotReadableException;
import org.springframework.web.bind.MethodArgumentNotValidException;
import org.springframework.web.bind.annotation.ExceptionHandler;
import org.springframework.web.bind.annotation.RestControllerAdvice;
import org.springframework.web.context.request.WebRequest;
import org.springframework.web.servlet.mvc.method.annotation.ResponseEntityExceptionHandler;
import tools.jackson.core.JacksonException;

/**
 * Reports invalid fields of a request, and that Redis is not available, for this
 * application's own controllers; the actuator has answers of its own.
 */
@RestControllerAdvice(basePackageClasses = ApiErrors.class)
class ApiErrors extends ResponseEntityExceptionHandler {

	private static final Logger logger = LoggerFactory.getLogger(ApiErrors.class);

	private static final String EXAMPLE = "{\"customer\":\"ada@example.com\",\"item\":\"Book\",\"quantity\":2,\"price\":19.90}";

	@ExceptionHandler
	ProblemDetail redisIsAway(BrokerException ex) {
		logger.warn("A request failed: {}", ex.getMessage());
		return ProblemDetail.forStatusAndDetail(HttpStatus.SERVICE_UNAVAILABLE,
				"The queue cannot be reached; try again in a moment");
	}

	@ExceptionHandler({ QueueNotFoundException.class, TaskNotFoundException.class })
	ProblemDetail taskIsGone(AsynqException ex) {
		return ProblemDetail.forStatusAndDetail(HttpStatus.NOT_FOUND, String.valueOf(ex.getMessage()));
	}

	@ExceptionHandler
	ProblemDetail taskIsInAnotherState(TaskStateException ex) {
		return ProblemDetail.forStatusAndDetail(HttpStatus.CONFLICT, String.valueOf(ex.getMessage()));
	}

	@Override
	protected @Nullable ResponseEntity<Object> handleMethodArgumentNotValid(MethodArgumentNotValidException ex,
			HttpHeaders headers, HttpStatusCode status, WebRequest request) {
		Map<String, String> errors = new TreeMap<>();
		ex.getFieldErrors()
			.forEach((error) -> errors.merge(error.getField(), message(error.getDefaultMessage()),
					(one, other) -> one + ", " + other));
		ProblemDetail body = ex.getBody();
		body.setDetail("Invalid order: " + errors);
		body.setProperty("errors", errors);
		return handleExceptionInternal(ex, body, headers, status, request);
	}

	@Override
	protected @Nullable ResponseEntity<Object> handleHttpMessageNotReadable(HttpMessageNotReadableException ex,
			HttpHeaders headers, HttpStatusCode status, WebRequest request) {
		String detail = wrongField(ex) + "The body must be JSON such as " + EXAMPLE;
		return handleExceptionInternal(ex, ProblemDetail.forStatusAndDetail(status, detail), headers, status, request);
	}

	private static String message(@Nullable String message) {
		return (message != null) ? message : "is not valid";
	}

	private static String wrongField(HttpMessageNotReadableException ex) {
		if (ex.getCause() instanceof JacksonException cause && !cause.getPath().isEmpty()) {
			String field = cause.getPath().get(cause.getPath().size() - 1).getPropertyName();
			return "Field '" + field + "' has a value of the wrong type. ";
		}
		return "";
	}

}
