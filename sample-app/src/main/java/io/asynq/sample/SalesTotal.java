package io.asynq.sample;

import java.math.BigDecimal;

/**
 * Task: report what was sold.
 *
 * @param invoices how many invoices
 */
record SalesTotal(int invoices, BigDecimal amount) {
}
