package io.asynq.benchmarks.rivals;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;

/** A database in the memory of this process, which lives as long as the process. */
final class H2Store {

	private static final String SCRIPT = "classpath:io/asynq/benchmarks/rivals/h2-store.sql";

	private final String url;

	H2Store(String name) {
		this.url = "jdbc:h2:mem:" + name + ";DB_CLOSE_DELAY=-1";
	}

	HikariDataSource open(int threads) {
		HikariConfig config = new HikariConfig();
		config.setJdbcUrl(this.url);
		// One for polling, one for heartbeats
		config.setMaximumPoolSize(threads + 2);
		return new HikariDataSource(config);
	}

	void clear() throws SQLException {
		try (HikariDataSource pool = open(1);
				Connection connection = pool.getConnection();
				Statement statement = connection.createStatement()) {
			statement.execute("runscript from '" + SCRIPT + "'");
		}
	}

}
