package io.asynq.sample;

import java.math.BigDecimal;
import java.util.List;

/**
 * An order that was accepted.
 *
 * @param number number of the order since this application was started, from 1
 * @param customer an e-mail address
 * @param item what is bought
 * @param tasks the tasks that were enqueued for it
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
