package io.asynq.sample;

import java.math.BigDecimal;

/**
 * Result of a {@link WriteInvoice} task.
 *
 * @param number the invoice's number
 * @param orderId the order
 * @param amount how much
 */
record Invoice(String number, String orderId, BigDecimal amount) {
}
