package io.asynq.reliability.outbox;

import io.asynq.AsynqClient;
import io.asynq.Task;
import io.asynq.TaskOptions;
import io.asynq.reliability.process.Starter;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.context.event.ApplicationReadyEvent;
import org.springframework.context.annotation.Bean;
import org.springframework.context.event.EventListener;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.support.TransactionOperations;
import org.springframework.transaction.support.TransactionTemplate;

/** Places orders as fast as it can, and ends with its parent. */
@SpringBootConfiguration(proxyBeanMethods = false)
@EnableAutoConfiguration
class ShopApplication {

	public static void main(String[] args) {
		Starter.endWithIt();
		SpringApplication.run(ShopApplication.class, args);
	}

	@Bean
	OrderPlacing orderPlacing(JdbcTemplate jdbc, PlatformTransactionManager transactions, AsynqClient client,
			@Value("${spring.datasource.url}") String database, @Value("${reliability.orders}") long orders) {
		return new OrderPlacing(jdbc, new TransactionTemplate(transactions), client, ShopDialect.of(database), orders);
	}

	@EventListener
	void begin(ApplicationReadyEvent event) {
		System.out.println("ready");
		event.getApplicationContext().getBean(OrderPlacing.class).begin();
	}

	/** Places orders in some threads until all numbers are given. */
	record OrderPlacing(JdbcTemplate jdbc, TransactionOperations transaction, AsynqClient client, ShopDialect dialect,
			long orders) {

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

}
