package io.asynq.outbox.jdbc;

import java.time.Duration;
import java.time.Instant;
import java.util.Set;

import io.asynq.info.LoopInfo;
import io.asynq.lifecycle.AsyncStop;
import io.asynq.lifecycle.PeriodicRunner;
import io.asynq.lifecycle.ServerPhase;

import org.springframework.context.SmartLifecycle;
import org.springframework.core.NestedExceptionUtils;
import org.springframework.dao.DataAccessException;
import org.springframework.transaction.TransactionException;

/**
 * Sends the rows of the outbox in a thread of its own: at once when a transaction of this
 * application has committed, and at an interval what others have left behind. Several
 * applications may have a relay of the same table. Safe for concurrent use; can be
 * started again after a stop.
 */
final class OutboxRelay implements SmartLifecycle {

	/** The key of the trouble with the database. */
	static final String DATABASE = "database";

	private static final String NAME = "asynq-outbox-relay";

	/** A batch is short, unless Redis or the database does not answer. */
	private static final Duration STOP_TIME = Duration.ofSeconds(5);

	/** How often rows are counted, which reads the whole table. */
	private static final long COUNT_NANOS = Duration.ofSeconds(10).toNanos();

	private final PeriodicRunner runner = new PeriodicRunner(NAME, this::run);

	private final RelayRound round;

	private final OutboxTable table;

	private final SentMarks marks;

	private final Troubles queues;

	private final RelayCounters counters;

	private final Duration pollInterval;

	private final Troubles database = new Troubles(System::nanoTime);

	private volatile boolean pausing;

	private long countedNanos;

	/**
	 * @param queues troubles by queue
	 */
	OutboxRelay(RelayRound round, OutboxTable table, SentMarks marks, Troubles queues, RelayCounters counters,
			Duration pollInterval) {
		this.round = round;
		this.table = table;
		this.marks = marks;
		this.queues = queues;
		this.counters = counters;
		this.pollInterval = pollInterval;
	}

	/**
	 * Has the relay look for rows now, unless it pauses because the database is away.
	 */
	void wake() {
		if (!this.pausing) {
			this.runner.wake();
		}
	}

	/**
	 * Describes the thread.
	 */
	LoopInfo loop(Instant now) {
		return this.runner.info(now);
	}

	/** What is wrong with the database, empty if nothing is. */
	Troubles database() {
		return this.database;
	}

	/** What is wrong with queues, by their names. */
	Troubles queues() {
		return this.queues;
	}

	@Override
	public void start() {
		this.countedNanos = System.nanoTime() - COUNT_NANOS;
		this.pausing = false;
		this.runner.start();
	}

	@Override
	public void stop() {
		this.runner.stop(STOP_TIME);
	}

	@Override
	public void stop(Runnable callback) {
		AsyncStop.run(NAME, this::stop, callback);
	}

	@Override
	public boolean isRunning() {
		return this.runner.isRunning();
	}

	/**
	 * Stops before the connections to Redis and the database do, and before the
	 * listeners.
	 */
	@Override
	public int getPhase() {
		return ServerPhase.SCHEDULER.value();
	}

	private Duration run() {
		try {
			Batch batch = this.round.run(this.queues.resting());
			this.marks.add(batch.answered());
			this.marks.forget();
			count();
			this.pausing = false;
			this.database.end(DATABASE);
			return batch.mayHaveMore() ? Duration.ZERO : pause();
		}
		catch (DataAccessException | TransactionException ex) {
			this.pausing = true;
			this.counters.failed();
			this.counters.numbers(null);
			this.database.begin(DATABASE, DATABASE, NestedExceptionUtils.getMostSpecificCause(ex).toString());
			return this.database.pause(DATABASE);
		}
	}

	/** Queues that rest are tried again when their time has come. */
	private Duration pause() {
		Set<String> resting = this.queues.resting();
		return resting.stream().map(this.queues::pause).reduce(this.pollInterval, OutboxRelay::shorter);
	}

	private void count() {
		if (System.nanoTime() - this.countedNanos >= COUNT_NANOS) {
			this.counters.numbers(this.table.numbers());
			this.countedNanos = System.nanoTime();
		}
	}

	private static Duration shorter(Duration one, Duration other) {
		return (one.compareTo(other) < 0) ? one : other;
	}

}
