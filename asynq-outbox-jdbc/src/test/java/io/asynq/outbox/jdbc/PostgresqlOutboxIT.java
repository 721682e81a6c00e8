package io.asynq.outbox.jdbc;

import io.asynq.test.database.DatabaseServer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.springframework.data.redis.connection.RedisConnectionFactory;
import org.springframework.jdbc.datasource.DriverManagerDataSource;
import org.springframework.jdbc.datasource.SingleConnectionDataSource;

import static org.assertj.core.api.Assertions.assertThat;

@Tag("full")
class PostgresqlOutboxIT extends OutboxContract {

	private static DatabaseServer server;

	private final RedisConnectionFactory factory;

	PostgresqlOutboxIT(RedisConnectionFactory factory) {
		super(factory, new DriverManagerDataSource(server.url()));
		this.factory = factory;
	}

	@BeforeAll
	static void start() {
		server = DatabaseServer.postgresql();
	}

	@AfterAll
	static void stop() {
		server.close();
	}

	/**
	 * The plan of a prepared statement is that of the table when it was prepared. For an
	 * empty table that is to read and sort all of it.
	 */
	@Test
	void queriesForRowsArePlannedForTheTableAsItIs() {
		SingleConnectionDataSource connection = new SingleConnectionDataSource(server.url(), true);
		try (OutboxFixture outbox = new OutboxFixture(this.factory, connection)) {
			for (int i = 0; i < 20; i++) {
				outbox.commit("t" + i);
				outbox.relay();
			}
			assertThat(outbox.jdbc.queryForList("SELECT statement FROM pg_prepared_statements", String.class))
				.anyMatch((statement) -> statement.startsWith("INSERT INTO asynq_outbox"))
				.noneMatch((statement) -> statement.startsWith("SELECT id, transaction_id"));
		}
		finally {
			connection.destroy();
		}
	}

}
