package io.asynq.outbox.jdbc;

import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BooleanSupplier;
import java.util.function.Function;

import io.asynq.AsynqException;
import io.asynq.BrokerUnavailableException;
import io.asynq.inspect.LoopInfo;
import io.asynq.internal.lane.Lanes;
import io.asynq.internal.lane.QueueRound;
import io.asynq.internal.lifecycle.LoopErrorLog;
import io.asynq.internal.lifecycle.PeriodicRunner;
import io.asynq.internal.text.OneLineLogger;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.springframework.core.NestedExceptionUtils;
import org.springframework.dao.DataAccessException;
import org.springframework.scheduling.concurrent.CustomizableThreadFactory;
import org.springframework.transaction.TransactionException;

/**
 * Each queue has its turn with a batch of its own, and each master of a cluster a thread,
 * so that neither a master that hangs nor a queue that fails or is long holds up others.
 */
final class DatabaseRelay {

	private static final Logger logger = OneLineLogger.of(DatabaseRelay.class);

	/** A batch is short, unless Redis or the database does not answer. */
	private static final Duration STOP_TIME = Duration.ofSeconds(5);

	/** Counting reads the whole table. */
	private static final Duration COUNT_PAUSE = Duration.ofSeconds(10);

	/** How often rows are looked for that can be tried again. */
	private static final long LOOK_NANOS = Duration.ofMinutes(1).toNanos();

	/** How often a database is asked that takes no writes, as a replica does not. */
	private static final Duration READ_ONLY_PAUSE = Duration.ofMinutes(1);

	private static final int MOST_LOCATED = 10_000;

	private final String name;

	private final OutboxTable table;

	private final RelayRound round;

	private final OutboxSender sender;

	private final SentMarks marks;

	private final Troubles queues;

	private final RelayCounters counters;

	private final Duration pollInterval;

	private final boolean amongSeveral;

	private final PeriodicRunner runner;

	private final PeriodicRunner counting;

	private final Troubles database = new Troubles(System::nanoTime);

	/** The queues whose masters are looked for. */
	private final Set<String> located = ConcurrentHashMap.newKeySet();

	private final Lanes lanes;

	private final QueueRound turns;

	private final Set<String> again = ConcurrentHashMap.newKeySet();

	private final AtomicReference<@Nullable RuntimeException> databaseError = new AtomicReference<>();

	private volatile @Nullable DatabaseAddress address;

	private volatile boolean pausing;

	private long lookedNanos;

	/**
	 * @param amongSeveral whether the database may be one that takes no writes
	 */
	DatabaseRelay(String name, OutboxTable table, RelayRound round, OutboxSender sender, SentMarks marks,
			Troubles queues, RelayCounters counters, BooleanSupplier partitioned,
			Function<Collection<String>, Map<String, String>> places, Duration pollInterval, boolean amongSeveral) {
		this.name = name;
		this.table = table;
		this.round = round;
		this.sender = sender;
		this.marks = marks;
		this.queues = queues;
		this.counters = counters;
		this.pollInterval = pollInterval;
		this.amongSeveral = amongSeveral;
		this.runner = new PeriodicRunner("asynq-outbox-relay", this::run);
		this.counting = new PeriodicRunner("asynq-outbox-count", this::count);
		CustomizableThreadFactory threads = new CustomizableThreadFactory("asynq-outbox-lane-");
		threads.setDaemon(true);
		this.lanes = new Lanes(this.located, partitioned, places, Executors.newCachedThreadPool(threads),
				new LoopErrorLog());
		this.turns = new QueueRound("asynq-outbox-relay", this.lanes);
	}

	/** Does nothing while the relay pauses because the database is away. */
	void wake() {
		if (!this.pausing) {
			this.runner.wake();
		}
	}

	void start() {
		this.lookedNanos = System.nanoTime() - LOOK_NANOS;
		this.pausing = false;
		this.runner.start();
		this.counting.start();
	}

	void stop() {
		this.runner.stop(STOP_TIME);
		this.counting.stop(STOP_TIME);
	}

	LoopInfo loop(Instant now) {
		return this.runner.info(now);
	}

	Map<String, String> databaseErrors() {
		return this.database.errors();
	}

	Map<String, String> queueErrors() {
		return this.queues.errors();
	}

	/** {@code null} if nobody has asked or it could not be told. */
	@Nullable DatabaseAddress knownAddress() {
		return this.address;
	}

	/** The database may have to be asked. */
	@Nullable DatabaseAddress address() {
		if (this.address == null) {
			try {
				this.address = this.table.address();
			}
			catch (DataAccessException ex) {
				logger.debug("The outbox's {} cannot be asked where it is", this.name, ex);
			}
		}
		return this.address;
	}

	private Duration run() {
		try {
			if (this.amongSeveral) {
				address();
				if (!this.table.takesWrites()) {
					return READ_ONLY_PAUSE;
				}
			}
			this.turns.each(due(), this::relay, this::unreachable);
		}
		catch (BrokerUnavailableException ex) {
			logger.debug("Redis does not answer the outbox's relay", ex);
		}
		catch (DataAccessException | TransactionException ex) {
			this.databaseError.set(ex);
		}
		RuntimeException error = this.databaseError.getAndSet(null);
		this.pausing = error != null;
		if (error == null) {
			this.database.end(this.name);
			return pause();
		}
		this.counters.failed();
		this.counters.numbers(this.name, null);
		this.database.begin(this.name, this.name, NestedExceptionUtils.getMostSpecificCause(error).toString());
		return this.database.pause(this.name);
	}

	private Set<String> due() {
		if (System.nanoTime() - this.lookedNanos >= LOOK_NANOS) {
			this.again.addAll(this.round.setAside());
			this.lookedNanos = System.nanoTime();
		}
		Set<String> due = new LinkedHashSet<>(this.table.queues());
		due.addAll(this.again);
		due.addAll(this.marks.due());
		this.queues.retain(due);
		due.removeAll(this.queues.resting());
		if (this.located.size() > MOST_LOCATED) {
			this.located.clear();
		}
		for (String queue : due) {
			if (this.located.add(queue)) {
				// Has its master looked for
				this.lanes.moved(queue, null);
			}
		}
		return due;
	}

	private void relay(String queue) {
		if (this.databaseError.get() != null || !this.runner.isRunning()) {
			return;
		}
		if (!this.lanes.areSeveral()) {
			// All turns are in the loop's thread
			this.runner.step();
		}
		try {
			Instant begun = this.marks.begin(queue);
			done(queue, this.round.run(queue, begun));
			if (this.again.remove(queue) && !this.queues.resting().contains(queue)) {
				done(queue, this.round.again(queue, begun));
			}
		}
		catch (BrokerUnavailableException ex) {
			this.sender.failed(queue, ex);
			throw ex;
		}
		catch (AsynqException ex) {
			this.sender.failed(queue, ex);
		}
		catch (DataAccessException | TransactionException ex) {
			this.databaseError.set(ex);
		}
	}

	private void done(String queue, Batch batch) {
		this.marks.add(queue, batch.answered());
		batch.requireRedis();
		if (batch.mayHaveMore()) {
			this.runner.wake();
		}
	}

	private void unreachable(String queue) {
		if (!this.queues.resting().contains(queue)) {
			this.queues.begin(queue, "unavailable", "Redis cannot be reached");
		}
	}

	/** Queues that rest are tried again when their time has come. */
	private Duration pause() {
		return this.queues.resting()
			.stream()
			.map(this.queues::pause)
			.reduce(this.pollInterval, (one, other) -> (one.compareTo(other) < 0) ? one : other);
	}

	/** Where counting takes long, it is done seldom. */
	private Duration count() {
		long start = System.nanoTime();
		try {
			if (!this.amongSeveral || this.table.takesWrites()) {
				this.counters.numbers(this.name, this.table.numbers());
			}
		}
		catch (DataAccessException ex) {
			this.counters.numbers(this.name, null);
		}
		Duration taken = Duration.ofNanos(System.nanoTime() - start).multipliedBy(20);
		return (taken.compareTo(COUNT_PAUSE) > 0) ? taken : COUNT_PAUSE;
	}

}
