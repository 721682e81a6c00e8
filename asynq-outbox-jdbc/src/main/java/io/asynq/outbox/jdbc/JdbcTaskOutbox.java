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
import io.asynq.internal.enqueue.EnqueueRequest;
import io.asynq.internal.enqueue.OutboxStore;
import io.asynq.internal.enqueue.OutboxTask;
import io.asynq.internal.enqueue.TaskOutbox;
import io.asynq.internal.redis.TaskMessage;
import org.jspecify.annotations.Nullable;
import org.springframework.core.NestedExceptionUtils;
import org.springframework.dao.DataAccessException;
import org.springframework.jdbc.datasource.DataSourceUtils;
import org.springframework.jdbc.datasource.TransactionAwareDataSourceProxy;
import org.springframework.transaction.support.TransactionSynchronization;
import org.springframework.transaction.support.TransactionSynchronizationManager;

/**
 * Writes over the connection that the transaction of the calling thread has.
 */
final class JdbcTaskOutbox implements TaskOutbox {

	private static final int RANDOM_BYTES = 16;

	private final DataSource source;

	private final OutboxTable table;

	private final OutboxStore store;

	private final Clock clock;

	private final Relays relays;

	private final SecureRandom random = new SecureRandom();

	JdbcTaskOutbox(DataSource source, OutboxTable table, OutboxStore store, Clock clock, Relays relays) {
		// Transactions are bound to what the proxy stands for
		this.source = (source instanceof TransactionAwareDataSourceProxy proxy && proxy.getTargetDataSource() != null)
				? proxy.getTargetDataSource() : source;
		this.table = table;
		this.store = store;
		this.clock = clock;
		this.relays = relays;
	}

	@Override
	public void write(List<EnqueueRequest> requests) {
		TaskMessage first = requests.get(0).message();
		TransactionOwner owner = requireTransaction(first);
		Rows rows = rows(owner, first);
		List<OutboxTask> tasks = new ArrayList<>(requests.size());
		for (EnqueueRequest request : requests) {
			tasks.add(this.store.pack(request, OutboxRow.mark(rows.transactionId, rows.count + tasks.size())));
		}
		int ordinal = rows.count;
		rows.count += tasks.size();
		rows.late |= owner.hasCommitted();
		try {
			this.table.insert(rows.transactionId, ordinal, this.clock.millis(), tasks);
		}
		catch (DataAccessException ex) {
			throw new AsynqException(describe(first) + " could not be written to the outbox: "
					+ NestedExceptionUtils.getMostSpecificCause(ex).getMessage(), ex);
		}
	}

	private TransactionOwner requireTransaction(TaskMessage task) {
		TransactionOwner owner = TransactionOwner.present();
		if (owner == null || !isOf(owner) || onConnection(Connection::getAutoCommit)) {
			throw new AsynqException(describe(task) + " cannot be written to the outbox: the present transaction "
					+ describe(owner, TransactionSynchronizationManager.getCurrentTransactionName())
					+ ". Begin it with a bean that manages transactions of the outbox's data source; after a commit,"
					+ " begin a new one (REQUIRES_NEW)");
		}
		return owner;
	}

	private boolean isOf(TransactionOwner owner) {
		return owner.hasBound(TransactionSynchronizationManager.getResource(this.source));
	}

	private Rows rows(TransactionOwner owner, TaskMessage task) {
		for (TransactionSynchronization present : TransactionSynchronizationManager.getSynchronizations()) {
			if (present instanceof Rows rows && rows.outbox() == this) {
				return rows;
			}
		}
		Runnable committed = onConnection(this.relays::of);
		if (committed == null) {
			throw new AsynqException(describe(task) + " cannot be written to the outbox: the database of the present"
					+ " transaction is none of those whose rows are sent. Have a bean of type OutboxDataSources list it");
		}
		Rows rows = new Rows(owner, transactionId(), committed);
		TransactionSynchronizationManager.registerSynchronization(rows);
		return rows;
	}

	private <T extends @Nullable Object> T onConnection(Use<T> use) {
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

	private static String describe(@Nullable TransactionOwner owner, @Nullable String name) {
		String named = (name != null) ? "'" + name + "' " : "";
		if (owner == null) {
			return named + "was not begun by a transaction manager that is a bean";
		}
		return named + "of the transaction manager '" + owner.manager()
				+ "' is not one of the outbox's data source, or has committed already";
	}

	private final class Rows implements TransactionSynchronization {

		private final TransactionOwner owner;

		private final String transactionId;

		private final Runnable committed;

		/**
		 * Counts also those that failed or that a savepoint has rolled back: marks must
		 * differ.
		 */
		private int count;

		/** Whether rows were written between the commit and the end. */
		private boolean late;

		Rows(TransactionOwner owner, String transactionId, Runnable committed) {
			this.owner = owner;
			this.transactionId = transactionId;
			this.committed = committed;
		}

		private JdbcTaskOutbox outbox() {
			return JdbcTaskOutbox.this;
		}

		@Override
		public void afterCompletion(int status) {
			if (this.late && status == STATUS_COMMITTED && isOf(this.owner)) {
				onConnection(JdbcTaskOutbox::commit);
			}
			if (status != STATUS_ROLLED_BACK) {
				this.committed.run();
			}
		}

	}

	@FunctionalInterface
	interface Relays {

		/**
		 * What to call after a transaction that may have committed rows, {@code null} if
		 * nobody reads them.
		 */
		@Nullable Runnable of(Connection connection) throws SQLException;

	}

	@FunctionalInterface
	private interface Use<T extends @Nullable Object> {

		T apply(Connection connection) throws SQLException;

	}

}
