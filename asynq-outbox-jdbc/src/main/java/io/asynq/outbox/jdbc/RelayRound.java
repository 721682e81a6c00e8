package io.asynq.outbox.jdbc;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

import io.asynq.BrokerException;
import io.asynq.internal.enqueue.OutboxStore;
import org.springframework.transaction.support.TransactionOperations;

/**
 * Rows are sent and deleted in one transaction, which locks them all the time; relays of
 * other applications, and threads that have other queues, work beside it.
 */
final class RelayRound {

	/** How long a row that was set aside rests before it is tried again. */
	static final Duration REST = Duration.ofHours(1);

	/** So many relays can work on one queue side by side. */
	private static final int WINDOW = 4;

	private final OutboxTable table;

	private final TransactionOperations transaction;

	private final OutboxSender sender;

	private final Clock clock;

	private final int batchSize;

	RelayRound(OutboxTable table, TransactionOperations transaction, OutboxSender sender, Clock clock, int batchSize) {
		this.table = table;
		this.transaction = transaction;
		this.sender = sender;
		this.clock = clock;
		this.batchSize = batchSize;
	}

	/**
	 * Returns what is done and committed.
	 * @param begun the time of the queue's Redis before this call, so that rows that are
	 * locked now were not lost then
	 */
	Batch run(String queue, Instant begun) {
		return this.transaction.execute((status) -> {
			List<OutboxTable.Place> places = this.table.waiting(queue, WINDOW * this.batchSize);
			List<OutboxRow> rows = firstUnlocked(places);
			Batch batch = new Batch(rows.size());
			this.sender.send(queue, inOrder(young(rows, batch), places), until(begun), batch);
			store(batch);
			return batch;
		});
	}

	/** Rows that were set aside an hour ago. */
	Batch again(String queue, Instant begun) {
		return this.transaction.execute((status) -> {
			List<OutboxRow> rows = locked(
					this.table.setAside(queue, this.batchSize, before(REST), before(OutboxStore.MAX_AGE)), true);
			Batch batch = new Batch(rows.size());
			this.sender.send(queue, rows, until(begun), batch);
			store(batch);
			return batch;
		});
	}

	/** Queues of rows that were set aside an hour ago. */
	Set<String> setAside() {
		return this.table.queuesOfSetAside(before(REST), before(OutboxStore.MAX_AGE));
	}

	private void store(Batch batch) {
		this.table.delete(batch.answered().stream().map(OutboxRow::id).toList());
		batch.setAside().forEach((row, reason) -> this.table.setAside(row.id(), this.clock.millis(), reason));
	}

	private static Instant until(Instant begun) {
		return begun.plus(OutboxStore.SENDING_TIME);
	}

	private long before(Duration age) {
		return this.clock.millis() - age.toMillis();
	}

	private List<OutboxRow> young(List<OutboxRow> rows, Batch batch) {
		long oldest = before(OutboxStore.MAX_AGE);
		List<OutboxRow> young = new ArrayList<>(rows.size());
		for (OutboxRow row : rows) {
			if (row.createdAt() >= oldest) {
				young.add(row);
			}
			else {
				this.sender.setAside(row, new BrokerException("It is older than " + OutboxStore.MAX_AGE.toDays()
						+ " days, so nobody can tell any more whether it was sent", null), batch);
			}
		}
		return young;
	}

	/** Relays that work side by side take a batch each. */
	private List<OutboxRow> firstUnlocked(List<OutboxTable.Place> places) {
		for (int from = 0; from < places.size(); from += this.batchSize) {
			List<OutboxRow> rows = locked(places.subList(from, Math.min(from + this.batchSize, places.size())), false);
			if (!rows.isEmpty()) {
				return rows;
			}
		}
		return List.of();
	}

	/**
	 * Others may have set some aside, or tried them again, since they were looked for.
	 */
	private List<OutboxRow> locked(List<OutboxTable.Place> places, boolean setAside) {
		return places.isEmpty() ? List.of()
				: this.table.lock(places).stream().filter((row) -> row.setAside() == setAside).toList();
	}

	/**
	 * Leaves out rows if another relay must first send predecessors of the same
	 * transaction.
	 */
	private static List<OutboxRow> inOrder(List<OutboxRow> rows, List<OutboxTable.Place> places) {
		Set<Long> own = rows.stream().map(OutboxRow::id).collect(Collectors.toSet());
		Map<String, Long> firstOfOthers = places.stream()
			.filter((place) -> !own.contains(place.id()))
			.collect(Collectors.toMap(OutboxTable.Place::transactionId, OutboxTable.Place::id, Math::min));
		return rows.stream()
			.filter((row) -> row.id() < firstOfOthers.getOrDefault(row.transactionId(), Long.MAX_VALUE))
			.toList();
	}

}
