package io.asynq.sample;

import java.math.BigDecimal;

/**
 * Result of a {@link WriteInvoice} task.
 *
 * @param number the invoice's number
 */
record Invoice(String number, String orderId, BigDecimal amount) {
}
