package io.asynq.outbox.jdbc;

import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;

import io.asynq.AsynqException;
import io.asynq.BrokerUnavailableException;
import io.asynq.broker.message.EnqueueRequest;
import io.asynq.broker.outbox.OutboxAnswer;
import io.asynq.broker.outbox.OutboxStore;
import io.asynq.broker.outbox.OutboxTask;
import io.asynq.broker.redis.Batches;
import io.asynq.client.OutboxReport;
import io.asynq.logging.OneLineLogger;
import org.slf4j.Logger;

/**
 * Sends the rows of one queue. If a call fails for whatever reason, the rows are sent one
 * by one the next time: so the one that is to blame is found, and does not keep the
 * others from going on. Used by one thread.
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
	private final Map<Long, Integer> failures = new HashMap<>();

	/**
	 * @param queues troubles by queue
	 */
	OutboxSender(OutboxStore store, OutboxReport report, Troubles queues, RelayCounters counters) {
		this.store = store;
		this.report = report;
		this.queues = queues;
		this.counters = counters;
	}

	/**
	 * Sends rows until the first call that fails, so that their order is kept.
	 * @param until see {@link OutboxStore#send}
	 * @param batch takes those that are done
	 */
	void send(String queue, List<OutboxRow> rows, Instant until, Batch batch) {
		boolean singly = this.queues.has(queue);
		for (List<OutboxRow> part : Batches.of(rows,
				(row) -> singly ? Batches.MAX_BYTES : row.task().message().length)) {
			if (!sendPart(queue, part, until, batch)) {
				return;
			}
		}
		this.queues.end(queue);
	}

	/**
	 * Notes that a queue could not be asked.
	 */
	void failed(String queue, AsynqException ex) {
		this.counters.failed();
		this.queues.begin(queue, (ex instanceof BrokerUnavailableException) ? "unavailable" : queue,
				String.valueOf(ex.getMessage()));
	}

	private boolean sendPart(String queue, List<OutboxRow> rows, Instant until, Batch batch) {
		List<OutboxAnswer> answers;
		try {
			answers = this.store.send(queue, rows.stream().map(OutboxRow::task).toList(), until);
		}
		catch (AsynqException ex) {
			if (rows.size() == 1 && isToBlame(queue, rows.get(0), ex)) {
				setAside(rows.get(0), ex, batch);
				return true;
			}
			failed(queue, ex);
			return false;
		}
		for (int i = 0; i < answers.size(); i++) {
			take(rows.get(i), answers.get(i), batch);
		}
		// If it was too late, others may have them by now
		return answers.size() == rows.size();
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

	/**
	 * Sets a row aside that cannot be sent.
	 */
	void setAside(OutboxRow row, AsynqException error, Batch batch) {
		this.failures.remove(row.id());
		OutboxTask task = row.task();
		batch.setAside(row, String.valueOf(error.getMessage()));
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

	/**
	 * Returns whether it is this row that cannot be sent, rather than Redis that cannot
	 * take anything.
	 */
	private boolean isToBlame(String queue, OutboxRow row, AsynqException ex) {
		if (isUndecodable(row)) {
			return true;
		}
		if (STATE_OF_REDIS.matcher(String.valueOf(ex.getMessage())).find() || !answers(queue)) {
			return false;
		}
		return this.failures.merge(row.id(), 1, Integer::sum) >= PATIENCE;
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

	private boolean answers(String queue) {
		try {
			this.store.time(queue);
			return true;
		}
		catch (AsynqException ex) {
			return false;
		}
	}

}
