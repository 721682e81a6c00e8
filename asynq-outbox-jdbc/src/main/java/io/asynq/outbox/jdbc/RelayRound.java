package io.asynq.outbox.jdbc;

import java.time.Clock;
import java.time.Instant;
import java.util.Collection;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

import io.asynq.AsynqException;
import io.asynq.BrokerException;
import io.asynq.broker.outbox.OutboxStore;

import org.springframework.transaction.support.TransactionOperations;

/**
 * Sends one batch of rows and deletes them, in one transaction, which locks them all the
 * time. Used by one thread; relays of other applications work beside it.
 */
final class RelayRound {

	/** Each of these may have taken a time-out while rows are locked. */
	private static final int SILENT_QUEUES = 2;

	private final OutboxTable table;

	private final TransactionOperations transaction;

	private final OutboxStore store;

	private final OutboxSender sender;

	private final Clock clock;

	private final int batchSize;

	RelayRound(OutboxTable table, TransactionOperations transaction, OutboxStore store, OutboxSender sender,
			Clock clock, int batchSize) {
		this.table = table;
		this.transaction = transaction;
		this.store = store;
		this.sender = sender;
		this.clock = clock;
		this.batchSize = batchSize;
	}

	/**
	 * Does the work.
	 * @param without queues that are left out
	 * @return what is done and committed
	 * @throws org.springframework.dao.DataAccessException if the database fails
	 * @throws org.springframework.transaction.TransactionException if it fails to begin
	 * or to commit
	 */
	Batch run(Collection<String> without) {
		return this.transaction.execute((status) -> send(without));
	}

	private Batch send(Collection<String> without) {
		List<OutboxRow> rows = this.table.lock(this.batchSize, without);
		Batch batch = new Batch(rows.size());
		if (rows.isEmpty()) {
			return batch;
		}
		List<OutboxRow> young = setAsideOld(rows, batch);
		Map<String, Instant> until = until(young);
		// After the times: whoever still has the locks now had them then
		List<OutboxTable.Place> before = this.table.waitingBefore(rows.get(rows.size() - 1).id(), without);
		inOrder(young, before).forEach((queue, ready) -> {
			if (until.containsKey(queue)) {
				this.sender.send(queue, ready, until.get(queue), batch);
			}
		});
		this.table.delete(batch.answered().stream().map(OutboxRow::id).toList());
		batch.setAside().forEach((row, reason) -> this.table.setAside(row.id(), this.clock.millis(), reason));
		return batch;
	}

	private List<OutboxRow> setAsideOld(List<OutboxRow> rows, Batch batch) {
		long oldest = this.clock.millis() - OutboxStore.MAX_AGE.toMillis();
		rows.stream()
			.filter((row) -> row.createdAt() < oldest)
			.forEach((row) -> this.sender.setAside(row, new BrokerException("It is older than "
					+ OutboxStore.MAX_AGE.toDays() + " days, so nobody can tell any more whether it was sent", null),
					batch));
		return rows.stream().filter((row) -> row.createdAt() >= oldest).toList();
	}

	/**
	 * Returns until when the rows of each queue may be sent, by the clock of the queue's
	 * Redis.
	 */
	private Map<String, Instant> until(List<OutboxRow> rows) {
		Map<String, Instant> until = new LinkedHashMap<>();
		Set<String> silent = new HashSet<>();
		for (OutboxRow row : rows) {
			String queue = row.task().queue();
			if (!until.containsKey(queue) && !silent.contains(queue) && silent.size() < SILENT_QUEUES) {
				try {
					until.put(queue, this.store.time(queue).plus(SentMarks.SENDING_TIME));
				}
				catch (AsynqException ex) {
					silent.add(queue);
					this.sender.failed(queue, ex);
				}
			}
		}
		return until;
	}

	/**
	 * Leaves out rows that another relay must send first the predecessors of: rows of the
	 * same transaction for the same queue.
	 */
	private static Map<String, List<OutboxRow>> inOrder(List<OutboxRow> rows, List<OutboxTable.Place> before) {
		Set<Long> own = rows.stream().map(OutboxRow::id).collect(Collectors.toSet());
		Map<Chain, Long> firstOfOthers = before.stream()
			.filter((place) -> !own.contains(place.id()))
			.collect(Collectors.toMap((place) -> new Chain(place.transactionId(), place.queue()), OutboxTable.Place::id,
					Math::min));
		return rows.stream()
			.filter((row) -> row.id() < firstOfOthers.getOrDefault(new Chain(row.transactionId(), row.task().queue()),
					Long.MAX_VALUE))
			.collect(Collectors.groupingBy((row) -> row.task().queue(), LinkedHashMap::new, Collectors.toList()));
	}

	/**
	 * Rows whose order is kept.
	 */
	private record Chain(String transactionId, String queue) {
	}

}
