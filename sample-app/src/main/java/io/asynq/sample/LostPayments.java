package io.asynq.sample;

import java.util.Objects;

import io.asynq.event.TaskEvent;
import io.asynq.event.TaskListener;
import io.asynq.payload.PayloadConverter;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.stereotype.Component;

/**
 * Hears of payments that failed for good: nobody retries them, so the order must show it.
 */
@Component
class LostPayments implements TaskListener {

	private static final Logger logger = LoggerFactory.getLogger(LostPayments.class);

	private final PayloadConverter payloads;

	private final OrderStore orders;

	LostPayments(PayloadConverter payloads, OrderStore orders) {
		this.payloads = payloads;
		this.orders = orders;
	}

	@Override
	public void onTaskEvent(TaskEvent event) {
		if (event instanceof TaskEvent.Exhausted exhausted && exhausted.facts().type().equals(PaymentHandler.TYPE)) {
			ChargePayment payment = (ChargePayment) Objects
				.requireNonNull(this.payloads.fromBytes(exhausted.facts().task().payload(), ChargePayment.class));
			this.orders.markUnpaid(payment.orderId());
			logger.warn("Order {} is not paid: {}", payment.orderId(), exhausted.error());
		}
	}

}
