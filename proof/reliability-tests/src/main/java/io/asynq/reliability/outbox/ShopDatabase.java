package io.asynq.reliability.outbox;

import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.BooleanSupplier;

import com.zaxxer.hikari.HikariDataSource;
import io.asynq.test.ledger.TaskKey;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.support.TransactionTemplate;

/** It is the ledger: it knows which transactions have committed. */
final class ShopDatabase implements AutoCloseable {

	/** One for a transaction and one to look meanwhile. */
	private static final int CONNECTIONS = 2;

	private final HikariDataSource source = new HikariDataSource();

	private final JdbcTemplate jdbc;

	private final TransactionTemplate transaction;

	private final ShopDialect dialect;

	ShopDatabase(String url) {
		this.dialect = ShopDialect.of(url);
		this.source.setJdbcUrl(url);
		this.source.setMaximumPoolSize(CONNECTIONS);
		this.jdbc = new JdbcTemplate(this.source);
		this.transaction = new TransactionTemplate(new JdbcTransactionManager(this.source));
		this.transaction.setIsolationLevel(TransactionDefinition.ISOLATION_READ_COMMITTED);
		this.jdbc.execute("CREATE TABLE orders (id BIGINT PRIMARY KEY)");
		this.jdbc.execute(this.dialect.numbers());
	}

	/** Prepares for holding rows, when the application has made its table. */
	void tableIsThere() {
		for (String statement : this.dialect.holdable()) {
			this.jdbc.execute(statement);
		}
	}

	/** Returns how many numbers of orders were given. */
	long begun() {
		return this.jdbc.queryForObject(this.dialect.given(), Long.class);
	}

	/** Returns how many transactions have committed. */
	long committedCount() {
		return this.jdbc.queryForObject("SELECT COUNT(*) FROM orders", Long.class);
	}

	/** Returns the orders whose transactions have committed. */
	Set<Long> committed() {
		return new TreeSet<>(this.jdbc.queryForList("SELECT id FROM orders", Long.class));
	}

	/** Returns the tasks that have a row, set aside or not. */
	List<TaskKey> rows() {
		return this.jdbc.query("SELECT queue, task_id FROM asynq_outbox",
				(row, number) -> new TaskKey(row.getString(1), row.getString(2)));
	}

	/**
	 * Does something while rows can be read and locked, but not deleted: a relay that has
	 * sent rows stands still before it deletes them.
	 */
	boolean holdingRows(BooleanSupplier action) {
		return Boolean.TRUE.equals(this.transaction.execute((status) -> {
			this.jdbc.execute(this.dialect.hold());
			return action.getAsBoolean();
		}));
	}

	@Override
	public void close() {
		this.source.close();
	}

}
