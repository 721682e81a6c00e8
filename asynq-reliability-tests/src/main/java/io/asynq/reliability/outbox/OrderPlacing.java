package io.asynq.reliability.outbox;

import io.asynq.Task;
import io.asynq.TaskOptions;
import io.asynq.client.AsynqClient;

import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.transaction.support.TransactionOperations;

/** Places orders in some threads until all numbers are given. */
final class OrderPlacing {

	private final JdbcTemplate jdbc;

	private final TransactionOperations transaction;

	private final AsynqClient client;

	private final ShopDialect dialect;

	private final long orders;

	OrderPlacing(JdbcTemplate jdbc, TransactionOperations transaction, AsynqClient client, ShopDialect dialect,
			long orders) {
		this.jdbc = jdbc;
		this.transaction = transaction;
		this.client = client;
		this.dialect = dialect;
		this.orders = orders;
	}

	void begin() {
		for (int i = 0; i < Orders.THREADS; i++) {
			new Thread(this::placeAll, "orders-" + i).start();
		}
	}

	private void placeAll() {
		for (long number = next(); number <= this.orders; number = next()) {
			place(number);
		}
	}

	private long next() {
		return this.jdbc.queryForObject(this.dialect.next(), Long.class);
	}

	private void place(long number) {
		this.transaction.executeWithoutResult((status) -> {
			this.jdbc.update("INSERT INTO orders VALUES (?)", number);
			for (String queue : Orders.QUEUES) {
				this.client.enqueue(Task.of(Orders.TYPE, ""),
						TaskOptions.of((options) -> options.queue(queue).taskId(String.valueOf(number))));
			}
			if (Orders.isRolledBack(number)) {
				status.setRollbackOnly();
			}
		});
	}

}
