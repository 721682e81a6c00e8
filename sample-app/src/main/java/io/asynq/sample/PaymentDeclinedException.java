package io.asynq.sample;

/**
 * A payment failed for now.
 */
class PaymentDeclinedException extends RuntimeException {

	PaymentDeclinedException(String message) {
		super(message);
	}

}
