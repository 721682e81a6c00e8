package io.asynq.outbox.jdbc;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.LongSupplier;

import io.asynq.AsynqException;
import io.asynq.broker.outbox.OutboxStore;
import io.asynq.logging.OneLineLogger;
import org.slf4j.Logger;

/**
 * Marks in Redis whose rows are deleted from the database for good. They stay for as long
 * as another relay that has lost its locks without noticing may still send such a row,
 * and are then deleted many at a time. Used by one thread.
 */
final class SentMarks {

	/** From the proof that a relay has its locks until its sending is refused. */
	static final Duration SENDING_TIME = Duration.ofSeconds(5);

	private static final long REST_NANOS = SENDING_TIME.plusSeconds(1).toNanos();

	private static final int AT_ONCE = 1000;

	/** Beyond that the oldest are left to their end after a week. */
	private static final int ROOM = 200_000;

	private static final Logger logger = OneLineLogger.of(SentMarks.class);

	private final OutboxStore store;

	private final LongSupplier nanoTime;

	private final Deque<Mark> marks = new ArrayDeque<>();

	SentMarks(OutboxStore store, LongSupplier nanoTime) {
		this.store = store;
		this.nanoTime = nanoTime;
	}

	/**
	 * Adds rows whose deletion has committed.
	 */
	void add(List<OutboxRow> deleted) {
		long now = this.nanoTime.getAsLong();
		deleted.forEach((row) -> this.marks.add(new Mark(row.task().queue(), row.task().mark(), now)));
		while (this.marks.size() > ROOM) {
			this.marks.remove();
		}
	}

	/**
	 * Deletes the marks that have stayed for long enough. Those that Redis does not
	 * delete now stay for the next time.
	 */
	void forget() {
		List<Mark> due = due();
		while (!due.isEmpty()) {
			Map<String, List<String>> byQueue = new LinkedHashMap<>();
			due.forEach((mark) -> byQueue.computeIfAbsent(mark.queue(), (queue) -> new ArrayList<>()).add(mark.text()));
			try {
				byQueue.forEach(this.store::forget);
			}
			catch (AsynqException ex) {
				logger.debug("Marks of the outbox could not be deleted; trying again", ex);
				for (int i = due.size() - 1; i >= 0; i--) {
					this.marks.addFirst(due.get(i));
				}
				return;
			}
			due = due();
		}
	}

	private List<Mark> due() {
		long now = this.nanoTime.getAsLong();
		List<Mark> due = new ArrayList<>();
		while (due.size() < AT_ONCE && !this.marks.isEmpty()
				&& now - this.marks.element().deletedNanos() > REST_NANOS) {
			due.add(this.marks.remove());
		}
		return due;
	}

	private record Mark(String queue, String text, long deletedNanos) {
	}

}
