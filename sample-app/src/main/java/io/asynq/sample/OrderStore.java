package io.asynq.sample;

import java.util.List;
import java.util.Optional;

import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Repository;

/**
 * Stores orders and which tasks they have. The database is in memory, so orders are
 * remembered as long as the application runs.
 */
@Repository
class OrderStore {

	private final JdbcClient jdbc;

	OrderStore(JdbcClient jdbc) {
		this.jdbc = jdbc;
	}

	long nextNumber() {
		return this.jdbc.sql("SELECT NEXT VALUE FOR order_numbers").query(Long.class).single();
	}

	void add(Order order) {
		this.jdbc
			.sql("INSERT INTO orders (id, number, customer, item, quantity, total) VALUES (:id, :number, :customer,"
					+ " :item, :quantity, :total)")
			.paramSource(order)
			.update();
		order.tasks()
			.forEach((task) -> this.jdbc.sql("INSERT INTO order_tasks VALUES (?, ?, ?, ?)")
				.params(order.id(), task.name(), task.queue(), task.id())
				.update());
	}

	Optional<Order> find(String id) {
		List<OrderTask> tasks = this.jdbc.sql("SELECT name, queue, task_id AS id FROM order_tasks WHERE order_id = ?")
			.param(id)
			.query(OrderTask.class)
			.list();
		return this.jdbc.sql("SELECT id, number, customer, item, quantity, total FROM orders WHERE id = ?")
			.param(id)
			.query((row, number) -> new Order(row.getString(1), row.getLong(2), row.getString(3), row.getString(4),
					row.getInt(5), row.getBigDecimal(6), tasks))
			.optional();
	}

	/** Notes that the payment of an order has failed for good. */
	void markUnpaid(String id) {
		this.jdbc.sql("UPDATE orders SET unpaid = TRUE WHERE id = ?").param(id).update();
	}

	boolean isUnpaid(String id) {
		return this.jdbc.sql("SELECT unpaid FROM orders WHERE id = ?").param(id).query(Boolean.class).single();
	}

	/** Tells whether a task has committed with its order and was not sent yet. */
	boolean isWaiting(OrderTask task) {
		return this.jdbc.sql("SELECT COUNT(*) FROM asynq_outbox WHERE queue = ? AND task_id = ?")
			.params(task.queue(), task.id())
			.query(Long.class)
			.single() > 0;
	}

	int size() {
		return this.jdbc.sql("SELECT COUNT(*) FROM orders").query(Integer.class).single();
	}

}
