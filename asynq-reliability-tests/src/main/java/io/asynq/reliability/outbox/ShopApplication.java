package io.asynq.reliability.outbox;

import io.asynq.client.AsynqClient;
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
import org.springframework.transaction.support.TransactionTemplate;

/**
 * An application that places orders as fast as it can, with an outbox and without a
 * server. Ends with its parent.
 */
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

}
