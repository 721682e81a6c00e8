package io.asynq.outbox.jdbc;

import java.util.UUID;

import javax.sql.DataSource;

import org.h2.jdbcx.JdbcDataSource;
import org.springframework.data.redis.connection.RedisConnectionFactory;

class H2OutboxIT extends OutboxContract {

	H2OutboxIT(RedisConnectionFactory factory) {
		super(factory, source());
	}

	static DataSource source() {
		JdbcDataSource source = new JdbcDataSource();
		source.setURL("jdbc:h2:mem:" + UUID.randomUUID() + ";DB_CLOSE_DELAY=-1;LOCK_TIMEOUT=60000");
		return source;
	}

}
