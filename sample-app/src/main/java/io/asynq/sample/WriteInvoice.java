package io.asynq.sample;

import java.math.BigDecimal;

import io.asynq.TaskDefaults;

/**
 * Task: write the invoice. It is kept for an hour after success, with its result.
 */
@TaskDefaults(type = "invoice:write", queue = "low", retention = "1h")
record WriteInvoice(String orderId, String customer, BigDecimal amount) {
}
