package io.asynq.sample;

import org.springframework.http.HttpStatus;
import org.springframework.http.ProblemDetail;
import org.springframework.web.ErrorResponseException;

/**
 * There is no order with this id.
 */
class OrderNotFoundException extends ErrorResponseException {

	OrderNotFoundException(String id) {
		super(HttpStatus.NOT_FOUND, ProblemDetail.forStatusAndDetail(HttpStatus.NOT_FOUND,
				"There is no order '" + id + "'; orders are forgotten when the application ends"), null);
	}

}
