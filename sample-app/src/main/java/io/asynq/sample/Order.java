package io.asynq.sample;

import java.math.BigDecimal;
import java.util.List;

/**
 * An order that was accepted.
 *
 * @param id its id
 * @param number counts the orders since this application started, from 1
 * @param customer an e-mail address
 * @param item what is bought
 * @param quantity how many
 * @param total what it costs
 * @param tasks what was enqueued for it
 */
record Order(String id, long number, String customer, String item, int quantity, BigDecimal total,
		List<OrderTask> tasks) {

	Order {
		tasks = List.copyOf(tasks);
	}

	Order withTasks(List<OrderTask> tasks) {
		return new Order(this.id, this.number, this.customer, this.item, this.quantity, this.total, tasks);
	}

}
