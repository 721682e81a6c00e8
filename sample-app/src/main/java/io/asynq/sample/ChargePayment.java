package io.asynq.sample;

import java.math.BigDecimal;

import io.asynq.TaskDefaults;

/**
 * Task: charge the customer. While it waits or runs, the same payment is refused: nobody
 * pays twice.
 */
@TaskDefaults(type = PaymentHandler.TYPE, queue = "critical", unique = "1h", maxRetry = 5)
record ChargePayment(String orderId, long orderNumber, BigDecimal amount) {
}
