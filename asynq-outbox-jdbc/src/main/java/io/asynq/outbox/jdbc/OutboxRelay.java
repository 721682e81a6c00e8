package io.asynq.outbox.jdbc;

import java.sql.Connection;
import java.sql.SQLException;
import java.time.Instant;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.stream.Collectors;

import javax.sql.DataSource;

import io.asynq.inspect.LoopInfo;
import io.asynq.internal.lifecycle.AsyncStop;
import io.asynq.internal.lifecycle.ServerPhase;
import org.jspecify.annotations.Nullable;
import org.springframework.context.SmartLifecycle;

/**
 * Each database has a relay of its own, and several applications may have relays of the
 * same table.
 */
final class OutboxRelay implements SmartLifecycle {

	static final String DATABASE = "database";

	private static final String NAME = "asynq-outbox-relay";

	private final OutboxDatabases databases;

	private final BiFunction<String, DataSource, DatabaseRelay> factory;

	private final Map<DataSource, DatabaseRelay> relays = new IdentityHashMap<>();

	private boolean running;

	OutboxRelay(OutboxDatabases databases, BiFunction<String, DataSource, DatabaseRelay> factory) {
		this.databases = databases;
		this.factory = factory;
		look();
	}

	/**
	 * Also if the database is new; {@code null} if no relay reads what is written over
	 * the connection.
	 */
	@Nullable DatabaseRelay of(Connection connection) throws SQLException {
		if (!this.databases.areSeveral()) {
			return present().get(0);
		}
		DatabaseAddress address = DatabaseAddress.of(connection);
		DatabaseRelay known = at(address, DatabaseRelay::knownAddress);
		if (known != null) {
			return known;
		}
		look();
		return at(address, DatabaseRelay::address);
	}

	List<LoopInfo> loops(Instant now) {
		return present().stream().map((relay) -> relay.loop(now)).toList();
	}

	/** What is wrong with databases, by their names. */
	Map<String, String> databases() {
		return errors(DatabaseRelay::databaseErrors);
	}

	/** What is wrong with queues, by their names. */
	Map<String, String> queues() {
		return errors(DatabaseRelay::queueErrors);
	}

	@Override
	public synchronized void start() {
		this.running = true;
		this.relays.values().forEach(DatabaseRelay::start);
	}

	@Override
	public synchronized void stop() {
		this.running = false;
		this.relays.values().parallelStream().forEach(DatabaseRelay::stop);
	}

	@Override
	public void stop(Runnable callback) {
		AsyncStop.run(NAME, this::stop, callback);
	}

	@Override
	public synchronized boolean isRunning() {
		return this.running;
	}

	/**
	 * Stops before the connections to Redis and the database do, and before the
	 * listeners.
	 */
	@Override
	public int getPhase() {
		return ServerPhase.SCHEDULER.value();
	}

	private synchronized void look() {
		this.databases.byName().forEach((name, source) -> this.relays.computeIfAbsent(source, (found) -> {
			DatabaseRelay relay = this.factory.apply(name, found);
			if (this.running) {
				relay.start();
			}
			return relay;
		}));
	}

	private synchronized List<DatabaseRelay> present() {
		return List.copyOf(this.relays.values());
	}

	private @Nullable DatabaseRelay at(DatabaseAddress address,
			Function<DatabaseRelay, @Nullable DatabaseAddress> reader) {
		for (DatabaseRelay relay : present()) {
			if (address.equals(reader.apply(relay))) {
				return relay;
			}
		}
		return null;
	}

	private Map<String, String> errors(Function<DatabaseRelay, Map<String, String>> reader) {
		return present().stream()
			.flatMap((relay) -> reader.apply(relay).entrySet().stream())
			.collect(Collectors.toMap(Map.Entry::getKey, Map.Entry::getValue, (one, other) -> one, TreeMap::new));
	}

}
