package io.asynq.sample;

import java.time.Duration;

import io.asynq.annotation.TaskHandler;
import io.asynq.handler.TaskContext;
import org.springframework.stereotype.Component;

/**
 * Charges payments. Every tenth fails at its first attempt and is retried when
 * {@link PaymentRetryDelay} says so.
 */
@Component
class PaymentHandler {

	static final String TYPE = "payment:charge";

	@TaskHandler(TYPE)
	void charge(ChargePayment payment, TaskContext context) {
		SimulatedWork.lasting(Duration.ofMillis(5));
		if (payment.orderNumber() % 10 == 0 && context.retryCount() == 0) {
			throw new PaymentDeclinedException("The bank did not answer for order " + payment.orderId());
		}
	}

}
