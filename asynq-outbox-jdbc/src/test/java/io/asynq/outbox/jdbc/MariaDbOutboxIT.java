package io.asynq.outbox.jdbc;

import io.asynq.test.database.DatabaseServer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.springframework.data.redis.connection.RedisConnectionFactory;
import org.springframework.jdbc.datasource.DriverManagerDataSource;

@Tag("full")
class MariaDbOutboxIT extends OutboxContract {

	private static DatabaseServer server;

	MariaDbOutboxIT(RedisConnectionFactory factory) {
		super(factory, new DriverManagerDataSource(server.url()));
	}

	@BeforeAll
	static void start() {
		server = DatabaseServer.mariaDb();
	}

	@AfterAll
	static void stop() {
		server.close();
	}

}
