package io.asynq.sample;

import java.math.BigDecimal;

/**
 * Task of a group: an invoice was written. Many of them become one {@link SalesTotal}.
 *
 * @param amount how much it was
 */
record Sale(BigDecimal amount) {
}
