package io.asynq.outbox.jdbc;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Savepoint;
import java.sql.Types;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.Map;

import javax.sql.DataSource;

import io.asynq.broker.outbox.OutboxTask;
import org.jspecify.annotations.Nullable;

import org.springframework.dao.DataAccessException;
import org.springframework.jdbc.BadSqlGrammarException;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.core.ResultSetExtractor;
import org.springframework.jdbc.core.RowMapperResultSetExtractor;
import org.springframework.jdbc.core.namedparam.NamedParameterJdbcTemplate;

/**
 * The statements on the table, in the transaction of the calling thread. Safe for
 * concurrent use.
 */
final class OutboxTable {

	/** Rows are read until they have so many bytes together. */
	private static final long MAX_BYTES = 16L * 1024 * 1024;

	/** A driver that can reads so many rows at a time. */
	private static final int FETCHED_AT_ONCE = 64;

	private static final int FEWEST_NAMES = 16;

	private static final String WRITTEN = "transaction_id, ordinal, created_at, queue, task_id, task_type, message,"
			+ " due_at, lock_seconds, replaces_archived";

	private static final String INSERT = "INSERT INTO asynq_outbox (" + WRITTEN
			+ ") VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)";

	private static final String WAITING = " FROM asynq_outbox WHERE set_aside_at IS NULL";

	private final JdbcTemplate jdbc;

	private final NamedParameterJdbcTemplate named;

	/** Whether the database passes over rows that others have locked, once known. */
	private volatile @Nullable Boolean skipsLocked;

	OutboxTable(DataSource source) {
		this.jdbc = new JdbcTemplate(source);
		this.jdbc.setFetchSize(FETCHED_AT_ONCE);
		this.named = new NamedParameterJdbcTemplate(this.jdbc);
	}

	/**
	 * Checks that the table is there.
	 * @throws BadSqlGrammarException if it is missing, or a column is, or may not be used
	 */
	void check() {
		this.jdbc.query("SELECT id, set_aside_at, reason, " + WRITTEN + " FROM asynq_outbox WHERE 1 = 0",
				(ResultSet found) -> {
				});
	}

	/**
	 * Writes rows, all or none.
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

	/**
	 * Reads waiting rows and locks them until the end of the transaction, those that were
	 * written first in front. Leaves out those that another transaction has locked; a
	 * database that cannot do so waits for it.
	 * @param without queues whose rows are left out
	 */
	List<OutboxRow> lock(int limit, Collection<String> without) {
		String sql = "SELECT id, " + WRITTEN + WAITING + except(without) + " ORDER BY id LIMIT " + limit + " FOR UPDATE"
				+ (skipsLocked() ? " SKIP LOCKED" : "");
		return query(sql, without, OutboxTable::rows);
	}

	/**
	 * Reads which waiting rows there are before another. Also shows that the transaction
	 * still has its locks.
	 */
	List<Place> waitingBefore(long id, Collection<String> without) {
		return query("SELECT id, transaction_id, queue" + WAITING + except(without) + " AND id < " + id, without,
				new RowMapperResultSetExtractor<>(
						(row, number) -> new Place(row.getLong(1), row.getString(2), row.getString(3))));
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
	 * Queries without a prepared statement where that is possible: PostgreSQL would keep
	 * the plan of the first ones, when the table was empty, and read and sort the whole
	 * table each time that a million rows wait.
	 */
	private <T> T query(String sql, Collection<String> without, ResultSetExtractor<T> extractor) {
		return without.isEmpty() ? this.jdbc.query(sql, extractor)
				: this.named.query(sql, Map.of("without", padded(without)), extractor);
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

	/**
	 * Repeats names until there are 16, 32, 64 …: statements of few shapes, as drivers
	 * and databases keep each that was prepared.
	 */
	static List<String> padded(Collection<String> queues) {
		List<String> padded = new ArrayList<>(queues);
		int size = Math.max(FEWEST_NAMES, Integer.highestOneBit(2 * padded.size() - 1));
		padded.addAll(Collections.nCopies(size - padded.size(), padded.get(0)));
		return padded;
	}

	private static String except(Collection<String> queues) {
		return queues.isEmpty() ? "" : " AND queue NOT IN (:without)";
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
			String transactionId = found.getString(2);
			OutboxTask task = new OutboxTask(OutboxRow.mark(transactionId, found.getInt(3)), found.getString(5),
					found.getString(6), found.getString(7), found.getBytes(8), nullable(found, 9), nullable(found, 10),
					found.getBoolean(11));
			rows.add(new OutboxRow(found.getLong(1), transactionId, found.getLong(4), task));
			bytes += task.message().length;
		}
		return rows;
	}

	private static @Nullable Long nullable(ResultSet row, int column) throws SQLException {
		long value = row.getLong(column);
		return row.wasNull() ? null : value;
	}

	/**
	 * Where a row stands.
	 */
	record Place(long id, String transactionId, String queue) {
	}

}
