package io.asynq.outbox.jdbc;

import java.sql.Connection;
import java.sql.DatabaseMetaData;
import java.sql.SQLException;

import org.jspecify.annotations.Nullable;

/**
 * Tells databases apart, as drivers know it without a call; may have secrets in it, so
 * never for a log.
 */
record DatabaseAddress(@Nullable String url, @Nullable String user) {

	static DatabaseAddress of(Connection connection) throws SQLException {
		DatabaseMetaData data = connection.getMetaData();
		return new DatabaseAddress(data.getURL(), data.getUserName());
	}

	@Override
	public String toString() {
		return "DatabaseAddress";
	}

}
