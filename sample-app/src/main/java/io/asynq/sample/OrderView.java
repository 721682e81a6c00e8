package io.asynq.sample;

import java.math.BigDecimal;
import java.util.Map;

/**
 * An order as its customer sees it.
 *
 * @param customer an e-mail address
 * @param item what is bought
 * @param unpaid whether its payment has failed for good
 * @param tasks what is being done for it, by name
 */
record OrderView(String id, String customer, String item, int quantity, BigDecimal total, boolean unpaid,
		Map<String, TaskView> tasks) {
}
