package io.asynq.sample;

import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.jdbc.datasource.embedded.EmbeddedDatabaseBuilder;
import org.springframework.jdbc.datasource.embedded.EmbeddedDatabaseType;

/**
 * Stores of orders in databases of their own, with an outbox.
 */
final class TestOrders {

	private TestOrders() {
	}

	static OrderStore store() {
		return new OrderStore(jdbc());
	}

	static JdbcClient jdbc() {
		return JdbcClient.create(new EmbeddedDatabaseBuilder().generateUniqueName(true)
			.setType(EmbeddedDatabaseType.H2)
			.addScripts("schema.sql", "io/asynq/outbox/jdbc/schema-h2.sql")
			.build());
	}

}
