package io.asynq.outbox.jdbc;

import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.regex.Pattern;

import io.asynq.AsynqException;
import io.asynq.BrokerException;
import io.asynq.BrokerUnavailableException;
import io.asynq.internal.enqueue.EnqueueRequest;
import io.asynq.internal.enqueue.OutboxAnswer;
import io.asynq.internal.enqueue.OutboxReport;
import io.asynq.internal.enqueue.OutboxStore;
import io.asynq.internal.enqueue.OutboxTask;
import io.asynq.internal.redis.Batches;
import io.asynq.internal.text.OneLineLogger;
import org.slf4j.Logger;

/**
 * If a call fails though Redis answers, fewer rows are sent at a time, so the one that is
 * to blame is found; each queue by one thread at a time.
 */
final class OutboxSender {

	private static final Logger logger = OneLineLogger.of(OutboxSender.class);

	/** How often a row fails alone, while Redis works, until it is set aside. */
	private static final int PATIENCE = 3;

	/** States of Redis for which no row is to blame. */
	private static final Pattern STATE_OF_REDIS = Pattern
		.compile("OOM |NOPERM|READONLY|MISCONF|LOADING|CLUSTERDOWN|MASTERDOWN|NOREPLICAS|NOAUTH|BUSY |TRYAGAIN");

	private final OutboxStore store;

	private final OutboxReport report;

	private final Troubles queues;

	private final RelayCounters counters;

	/** How often a row has failed alone. */
	private final Map<Long, Integer> failures = new ConcurrentHashMap<>();

	/** How many rows of a queue that fails are sent at a time. */
	private final Map<String, Integer> parts = new ConcurrentHashMap<>();

	OutboxSender(OutboxStore store, OutboxReport report, Troubles queues, RelayCounters counters) {
		this.store = store;
		this.report = report;
		this.queues = queues;
		this.counters = counters;
	}

	/**
	 * Stops at the first call that fails, so that the order is kept; rows that were set
	 * aside are sent one by one.
	 */
	void send(String queue, List<OutboxRow> rows, Instant until, Batch batch) {
		int most = this.parts.getOrDefault(queue, Batches.MAX_ITEMS);
		for (List<OutboxRow> part : Batches.of(rows, (row) -> row.setAside() ? Batches.MAX_BYTES
				: Math.max(row.task().message().length, Batches.MAX_BYTES / most))) {
			if (!sendPart(queue, part, until, batch)) {
				return;
			}
		}
		if (!rows.isEmpty()) {
			this.parts.remove(queue);
			this.queues.end(queue);
		}
	}

	/** The queue could not be asked. */
	void failed(String queue, AsynqException ex) {
		this.counters.failed();
		this.queues.begin(queue, (ex instanceof BrokerUnavailableException) ? "unavailable" : queue,
				String.valueOf(ex.getMessage()));
	}

	private boolean sendPart(String queue, List<OutboxRow> rows, Instant until, Batch batch) {
		try {
			List<OutboxAnswer> answers = this.store.send(queue, rows.stream().map(OutboxRow::task).toList(), until);
			for (int i = 0; i < answers.size(); i++) {
				take(rows.get(i), answers.get(i), batch);
			}
			return !answers.isEmpty() || isBlamed(queue, rows, tooLate(), batch);
		}
		catch (AsynqException ex) {
			return isBlamed(queue, rows, ex, batch);
		}
	}

	/** Others may have the rows by now. */
	private static AsynqException tooLate() {
		return new BrokerException(
				"It came too late: it takes longer than " + OutboxStore.SENDING_TIME.toMinutes() + " minutes", null);
	}

	/** Returns whether one row was set aside, so that the next ones may be sent. */
	private boolean isBlamed(String queue, List<OutboxRow> rows, AsynqException ex, Batch batch) {
		OutboxRow first = rows.get(0);
		boolean alone = rows.size() == 1;
		if (alone && isUndecodable(first)) {
			setAside(first, ex, batch);
			return true;
		}
		try {
			this.store.begin(queue, List.of());
		}
		catch (BrokerUnavailableException unavailable) {
			batch.failed(unavailable);
			return false;
		}
		catch (AsynqException refused) {
			failed(queue, refused);
			return false;
		}
		if (!STATE_OF_REDIS.matcher(String.valueOf(ex.getMessage())).find()) {
			if (alone && (first.setAside() || this.failures.merge(first.id(), 1, Integer::sum) >= PATIENCE)) {
				setAside(first, ex, batch);
				return true;
			}
			this.parts.put(queue, Math.max(1, rows.size() / 4));
		}
		failed(queue, ex);
		return false;
	}

	private void take(OutboxRow row, OutboxAnswer answer, Batch batch) {
		this.failures.remove(row.id());
		if (answer.kind() == OutboxAnswer.Kind.REFUSED) {
			setAside(row, answer.error(), batch);
			return;
		}
		batch.answered(row);
		if (answer.kind() == OutboxAnswer.Kind.STORED) {
			this.counters.sent();
			this.report.stored(this.store.unpack(row.task()));
		}
		else if (answer.kind() == OutboxAnswer.Kind.DUPLICATE) {
			OutboxTask task = row.task();
			logger.info("Task {} ({}) of the outbox was not enqueued in queue {}: {}", task.id(), task.type(),
					task.queue(), answer.error().getMessage());
			this.report.notStored(this.store.unpack(task), answer.error());
		}
	}

	void setAside(OutboxRow row, AsynqException error, Batch batch) {
		this.failures.remove(row.id());
		OutboxTask task = row.task();
		batch.setAside(row, String.valueOf(error.getMessage()));
		if (row.setAside()) {
			logger.debug("Row {} of the outbox still cannot be sent", row.id(), error);
			return;
		}
		logger.warn("Row {} of the outbox, task {} ({}) for queue {}, cannot be sent and is set aside: {}", row.id(),
				task.id(), task.type(), task.queue(), error.getMessage());
		try {
			EnqueueRequest request = this.store.unpack(task);
			this.report.notStored(request, error);
		}
		catch (AsynqException ex) {
			logger.debug("Listeners are not told of a task that cannot be decoded", ex);
		}
	}

	private boolean isUndecodable(OutboxRow row) {
		try {
			this.store.unpack(row.task());
			return false;
		}
		catch (AsynqException ex) {
			return true;
		}
	}

}
