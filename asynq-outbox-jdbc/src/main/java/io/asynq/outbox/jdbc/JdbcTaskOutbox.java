package io.asynq.outbox.jdbc;

import java.nio.charset.StandardCharsets;
import java.security.SecureRandom;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Clock;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;

import javax.sql.DataSource;

import io.asynq.AsynqException;
import io.asynq.broker.message.EnqueueRequest;
import io.asynq.broker.message.TaskMessage;
import io.asynq.broker.outbox.OutboxStore;
import io.asynq.broker.outbox.OutboxTask;
import io.asynq.client.TaskOutbox;

import org.springframework.core.NestedExceptionUtils;
import org.springframework.core.Ordered;
import org.springframework.dao.DataAccessException;
import org.springframework.jdbc.datasource.DataSourceUtils;
import org.springframework.jdbc.datasource.TransactionAwareDataSourceProxy;
import org.springframework.transaction.support.TransactionSynchronization;
import org.springframework.transaction.support.TransactionSynchronizationManager;

/**
 * Writes tasks as rows of the table, over the connection that the transaction of the
 * calling thread has. Safe for concurrent use.
 */
final class JdbcTaskOutbox implements TaskOutbox {

	private static final int RANDOM_BYTES = 16;

	private final DataSource source;

	private final OutboxTable table;

	private final OutboxStore store;

	private final Clock clock;

	private final Runnable committed;

	private final SecureRandom random = new SecureRandom();

	/**
	 * @param committed called after each transaction that may have committed rows
	 */
	JdbcTaskOutbox(DataSource source, OutboxTable table, OutboxStore store, Clock clock, Runnable committed) {
		// Transactions are bound to what the proxy stands for
		this.source = (source instanceof TransactionAwareDataSourceProxy proxy && proxy.getTargetDataSource() != null)
				? proxy.getTargetDataSource() : source;
		this.table = table;
		this.store = store;
		this.clock = clock;
		this.committed = committed;
	}

	@Override
	public void write(List<EnqueueRequest> requests) {
		TaskMessage first = requests.get(0).message();
		requireTransaction(first);
		Rows rows = (Rows) TransactionSynchronizationManager.getResource(this);
		if (rows == null) {
			rows = new Rows(transactionId());
			TransactionSynchronizationManager.registerSynchronization(rows);
			TransactionSynchronizationManager.bindResource(this, rows);
		}
		List<OutboxTask> tasks = new ArrayList<>(requests.size());
		for (EnqueueRequest request : requests) {
			tasks.add(this.store.pack(request, OutboxRow.mark(rows.transactionId, rows.count + tasks.size())));
		}
		int ordinal = rows.count;
		rows.count += tasks.size();
		rows.late |= rows.committed;
		try {
			this.table.insert(rows.transactionId, ordinal, this.clock.millis(), tasks);
		}
		catch (DataAccessException ex) {
			throw new AsynqException(describe(first) + " could not be written to the outbox: "
					+ NestedExceptionUtils.getMostSpecificCause(ex).getMessage(), ex);
		}
	}

	private void requireTransaction(TaskMessage task) {
		if (!TransactionSynchronizationManager.hasResource(this.source) || onConnection(Connection::getAutoCommit)) {
			throw new AsynqException(describe(task) + " cannot be written to the outbox: the present transaction is not"
					+ " one of the outbox's data source, or has committed already. Begin it with the transaction manager"
					+ " of that data source; after a commit, begin a new one (REQUIRES_NEW)");
		}
	}

	private boolean onConnection(Use use) {
		Connection connection = DataSourceUtils.getConnection(this.source);
		try {
			return use.apply(connection);
		}
		catch (SQLException ex) {
			throw new AsynqException("The outbox's connection to the database cannot be used: " + ex.getMessage(), ex);
		}
		finally {
			DataSourceUtils.releaseConnection(connection, this.source);
		}
	}

	private static boolean commit(Connection connection) throws SQLException {
		connection.commit();
		return true;
	}

	private String transactionId() {
		byte[] bytes = new byte[RANDOM_BYTES];
		this.random.nextBytes(bytes);
		return new String(Base64.getUrlEncoder().withoutPadding().encode(bytes), StandardCharsets.US_ASCII);
	}

	private static String describe(TaskMessage task) {
		return "Task " + task.id() + " (" + task.type() + ") in queue " + task.queue();
	}

	/**
	 * The rows of one transaction. Used by one thread at a time.
	 */
	private final class Rows implements TransactionSynchronization {

		private final String transactionId;

		/**
		 * How many were written, also those that failed or that a savepoint has rolled
		 * back: marks must differ.
		 */
		private int count;

		private boolean committed;

		/** Whether rows were written between the commit and the end. */
		private boolean late;

		Rows(String transactionId) {
			this.transactionId = transactionId;
		}

		@Override
		public void suspend() {
			TransactionSynchronizationManager.unbindResource(JdbcTaskOutbox.this);
		}

		@Override
		public void resume() {
			TransactionSynchronizationManager.bindResource(JdbcTaskOutbox.this, this);
		}

		/** Before all others, which may write rows. */
		@Override
		public int getOrder() {
			return Ordered.HIGHEST_PRECEDENCE;
		}

		@Override
		public void afterCommit() {
			this.committed = true;
		}

		@Override
		public void afterCompletion(int status) {
			TransactionSynchronizationManager.unbindResourceIfPossible(JdbcTaskOutbox.this);
			// Who was registered after the commit was not told of it
			if (status == STATUS_COMMITTED && (this.late || !this.committed)) {
				onConnection(JdbcTaskOutbox::commit);
			}
			if (status != STATUS_ROLLED_BACK) {
				JdbcTaskOutbox.this.committed.run();
			}
		}

	}

	/**
	 * What is done with the connection of the transaction.
	 */
	@FunctionalInterface
	private interface Use {

		boolean apply(Connection connection) throws SQLException;

	}

}
