package io.asynq.outbox.jdbc;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Savepoint;
import java.sql.Types;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Collectors;

import javax.sql.DataSource;

import io.asynq.internal.enqueue.OutboxTask;
import org.jspecify.annotations.Nullable;
import org.springframework.dao.DataAccessException;
import org.springframework.jdbc.BadSqlGrammarException;
import org.springframework.jdbc.UncategorizedSQLException;
import org.springframework.jdbc.core.ConnectionCallback;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.core.namedparam.NamedParameterJdbcTemplate;

/**
 * All statements run in the transaction of the calling thread.
 */
final class OutboxTable {

	/** Rows are read until they have so many bytes together. */
	private static final long MAX_BYTES = 16L * 1024 * 1024;

	/** A driver that can reads so many rows at a time. */
	private static final int FETCHED_AT_ONCE = 64;

	private static final String WRITTEN = "transaction_id, ordinal, created_at, queue, task_id, task_type, message,"
			+ " due_at, lock_seconds, replaces_archived";

	private static final String INSERT = "INSERT INTO asynq_outbox (" + WRITTEN
			+ ") VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)";

	private static final String WAITING = " FROM asynq_outbox WHERE set_aside_at IS NULL";

	private static final String SET_ASIDE = " FROM asynq_outbox WHERE set_aside_at <= ? AND created_at >= ?";

	private final JdbcTemplate jdbc;

	private final NamedParameterJdbcTemplate named;

	private final AtomicLong queries = new AtomicLong();

	/** Whether the database passes over rows that others have locked, once known. */
	private volatile @Nullable Boolean skipsLocked;

	/** How rows of one queue are found by the index, once known. */
	private volatile @Nullable String ofOneQueue;

	OutboxTable(DataSource source) {
		this.jdbc = new JdbcTemplate(source);
		this.jdbc.setFetchSize(FETCHED_AT_ONCE);
		this.named = new NamedParameterJdbcTemplate(this.jdbc);
	}

	/**
	 * @throws BadSqlGrammarException if the table or a column is missing or may not be
	 * used
	 */
	void check() {
		this.jdbc.query("SELECT id, set_aside_at, reason, " + WRITTEN + " FROM asynq_outbox WHERE 1 = 0",
				(ResultSet found) -> {
				});
	}

	DatabaseAddress address() {
		return this.jdbc.execute((ConnectionCallback<DatabaseAddress>) DatabaseAddress::of);
	}

	/** A replica takes none. */
	boolean takesWrites() {
		try {
			this.jdbc.update("DELETE FROM asynq_outbox WHERE id = 0");
			return true;
		}
		catch (UncategorizedSQLException ex) {
			return false;
		}
	}

	/**
	 * All or none.
	 * @param first the ordinal of the first task within its transaction
	 */
	void insert(String transactionId, int first, long createdAt, List<OutboxTask> tasks) {
		List<Object[]> rows = new ArrayList<>(tasks.size());
		for (OutboxTask task : tasks) {
			rows.add(new Object[] { transactionId, first + rows.size(), createdAt, task.queue(), task.id(), task.type(),
					task.message(), task.dueSeconds(), task.lockSeconds(), task.replacesArchived() });
		}
		if (rows.size() == 1) {
			this.jdbc.batchUpdate(INSERT, rows, 1, OutboxTable::bind);
		}
		else {
			this.jdbc.execute((Connection connection) -> insertAll(connection, rows));
		}
	}

	/** Steps from each queue to the next in the index, however many rows they have. */
	Set<String> queues() {
		Set<String> queues = new LinkedHashSet<>();
		List<String> next = List.of("");
		while (!next.isEmpty()) {
			next = this.jdbc.queryForList(fresh("SELECT queue" + WAITING + " AND queue > ? ORDER BY queue LIMIT 1"),
					String.class, next.get(0));
			queues.addAll(next);
		}
		return queues;
	}

	/** Set aside before one time, and not written before another. */
	Set<String> queuesOfSetAside(long before, long oldest) {
		return new LinkedHashSet<>(
				this.jdbc.queryForList(fresh("SELECT DISTINCT queue" + SET_ASIDE), String.class, before, oldest));
	}

	/** Those that were written first come first. */
	List<Place> waiting(String queue, int limit) {
		return places(WAITING, limit, queue, queue);
	}

	/** Set aside before one time, and not written before another. */
	List<Place> setAside(String queue, int limit, long before, long oldest) {
		return places(SET_ASIDE, limit, before, oldest, queue, queue);
	}

	private List<Place> places(String which, int limit, Object... arguments) {
		return this.jdbc.query(
				fresh("SELECT id, transaction_id" + which + ofOneQueue() + " ORDER BY queue, id LIMIT " + limit),
				(row, number) -> new Place(row.getLong(1), row.getString(2)), arguments);
	}

	/**
	 * By a range where PostgreSQL would else read the rows of all queues in the order of
	 * their ids; MariaDB would sort what it finds by one.
	 */
	private String ofOneQueue() {
		String known = this.ofOneQueue;
		if (known == null) {
			String product = this.jdbc.execute(
					(ConnectionCallback<String>) (connection) -> connection.getMetaData().getDatabaseProductName());
			known = "PostgreSQL".equals(product) ? " AND queue BETWEEN ? AND ?" : " AND queue = ? AND queue = ?";
			this.ofOneQueue = known;
		}
		return known;
	}

	/**
	 * Locks by ids, because a database may lock all rows that it sorts; leaves out rows
	 * that another transaction has locked, for which a database that cannot do so waits.
	 */
	List<OutboxRow> lock(List<Place> places) {
		String ids = places.stream().map((place) -> String.valueOf(place.id())).collect(Collectors.joining(","));
		return this.jdbc.query("SELECT id, set_aside_at, " + WRITTEN + " FROM asynq_outbox WHERE id IN (" + ids
				+ ") ORDER BY id FOR UPDATE" + (skipsLocked() ? " SKIP LOCKED" : ""), OutboxTable::rows);
	}

	void delete(Collection<Long> ids) {
		if (!ids.isEmpty()) {
			this.named.update("DELETE FROM asynq_outbox WHERE id IN (:ids)", Map.of("ids", ids));
		}
	}

	void setAside(long id, long atMillis, String reason) {
		this.jdbc.update("UPDATE asynq_outbox SET set_aside_at = ?, reason = ? WHERE id = ?", atMillis, reason, id);
	}

	OutboxNumbers numbers() {
		return this.jdbc.queryForObject(
				"SELECT COUNT(*), COUNT(set_aside_at),"
						+ " MIN(CASE WHEN set_aside_at IS NULL THEN created_at END) FROM asynq_outbox",
				(row, number) -> {
					long setAside = row.getLong(2);
					return new OutboxNumbers(row.getLong(1) - setAside, setAside, nullable(row, 3));
				});
	}

	boolean skipsLocked() {
		Boolean known = this.skipsLocked;
		if (known == null) {
			known = trySkipping();
			this.skipsLocked = known;
		}
		return known;
	}

	/**
	 * Makes a query one of its own: a plan of PostgreSQL that was kept from when the
	 * table was empty would read and sort the whole table each time that a million rows
	 * wait.
	 */
	private String fresh(String sql) {
		return sql + " /* " + this.queries.incrementAndGet() + " */";
	}

	/** Some databases keep those rows of a batch that came before the one that failed. */
	private boolean insertAll(Connection connection, List<Object[]> rows) throws SQLException {
		Savepoint before = connection.setSavepoint();
		try {
			this.jdbc.batchUpdate(INSERT, rows, rows.size(), OutboxTable::bind);
		}
		catch (DataAccessException ex) {
			connection.rollback(before);
			throw ex;
		}
		connection.releaseSavepoint(before);
		return true;
	}

	private boolean trySkipping() {
		try {
			this.jdbc.query("SELECT id FROM asynq_outbox WHERE id = 0 FOR UPDATE SKIP LOCKED", (ResultSet found) -> {
			});
			return true;
		}
		catch (BadSqlGrammarException ex) {
			// The table was there at the start, so it is the clause
			return false;
		}
	}

	private static void bind(PreparedStatement statement, Object[] row) throws SQLException {
		for (int i = 0; i < row.length; i++) {
			if (row[i] == null) {
				statement.setNull(i + 1, Types.BIGINT);
			}
			else if (row[i] instanceof byte[] bytes) {
				statement.setBytes(i + 1, bytes);
			}
			else {
				statement.setObject(i + 1, row[i]);
			}
		}
	}

	private static List<OutboxRow> rows(ResultSet found) throws SQLException {
		List<OutboxRow> rows = new ArrayList<>();
		long bytes = 0;
		while (bytes < MAX_BYTES && found.next()) {
			String transactionId = found.getString(3);
			OutboxTask task = new OutboxTask(OutboxRow.mark(transactionId, found.getInt(4)), found.getString(6),
					found.getString(7), found.getString(8), found.getBytes(9), nullable(found, 10), nullable(found, 11),
					found.getBoolean(12));
			rows.add(
					new OutboxRow(found.getLong(1), transactionId, found.getLong(5), nullable(found, 2) != null, task));
			bytes += task.message().length;
		}
		return rows;
	}

	private static @Nullable Long nullable(ResultSet row, int column) throws SQLException {
		long value = row.getLong(column);
		return row.wasNull() ? null : value;
	}

	record Place(long id, String transactionId) {
	}

}
