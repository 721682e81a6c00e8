package io.asynq.internal.fleet;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.Supplier;

import io.asynq.BrokerException;
import io.asynq.internal.lane.LaneThreads;
import io.asynq.internal.lane.Lanes;
import io.asynq.internal.redis.ServerIdentity;
import io.asynq.internal.text.OneLineLogger;
import io.asynq.internal.worker.ActiveTasks;
import io.asynq.internal.worker.Attempt;
import io.asynq.internal.worker.ServerStatus;
import io.asynq.internal.worker.TakenTasks;
import io.asynq.internal.worker.WorkerSnapshot;
import io.asynq.server.ServerOptions;
import org.slf4j.Logger;

/**
 * This server's entry in Redis, which tools and dashboards list; used by one thread.
 */
public final class ServerEntry {

	private static final Logger logger = OneLineLogger.of(ServerEntry.class);

	private final ServerRegistry servers;

	private final ServerOptions options;

	private final Supplier<String> types;

	private final Consumer<ServerWish> steering;

	private final Supplier<Map<String, Integer>> held;

	private final ServerStatus status;

	private final ActiveTasks active;

	private final TakenTasks taken;

	private final Lanes lanes;

	private final Clock clock;

	private final LaneThreads threads;

	private ServerIdentity identity = ServerIdentity.ofThisProcess();

	private Instant startedAt = Instant.EPOCH;

	private String lastWish = "";

	/**
	 * @param taken puts back what was fetched ahead beside a server that does not know of
	 * it
	 */
	public ServerEntry(ServerRegistry servers, Offer offer, ServerStatus status, ActiveTasks active, TakenTasks taken,
			Lanes lanes, Clock clock) {
		this.servers = servers;
		this.options = offer.options();
		this.types = offer.types();
		this.steering = offer.steering();
		this.held = offer.held();
		this.status = status;
		this.active = active;
		this.taken = taken;
		this.lanes = lanes;
		this.clock = clock;
		this.threads = lanes.threads("asynq-heartbeater");
	}

	void start() {
		this.identity = ServerIdentity.ofThisProcess();
		this.startedAt = this.clock.instant();
		this.status.heartbeat().start();
	}

	void renew() {
		if (this.lanes.areSeveral()) {
			// Any of their nodes may hang, which must not cost any lease
			this.threads.run(Map.of("lists", this::enlist, "entry", this::write, "servers", () -> look(() -> {
			})));
		}
		else {
			look(() -> {
				write();
				enlist();
			});
		}
	}

	void remove() {
		try {
			this.servers.clear(this.identity);
		}
		catch (BrokerException ex) {
			logger.info("The server's entry could not be removed and will expire by itself: {}", ex.getMessage());
		}
	}

	private void enlist() {
		this.servers.enlist(this.identity, life());
	}

	/** Finds out beside whom tasks are fetched, which is unknown if anything fails. */
	private void look(Runnable first) {
		int count = 0;
		try {
			first.run();
			count = this.servers.countIfAllPublishTypes(this.options.queues().weights().keySet());
		}
		finally {
			this.status.servers(count);
		}
		if (count == 0) {
			this.taken.putBackAhead();
		}
	}

	private void write() {
		List<WorkerSnapshot> workers = new ArrayList<>();
		List<StuckHandler> stuck = new ArrayList<>();
		for (Attempt attempt : this.active.running()) {
			if (!attempt.isCancelled()) {
				workers.add(attempt.snapshot());
			}
			else if (attempt.isStuck()) {
				stuck.add(new StuckHandler(attempt.queue(), attempt.message().type(), attempt.taskId(),
						attempt.snapshot().startedAt()));
			}
		}
		// First, so that others never take it for a server that does not tell
		this.servers.writeTypes(this.identity, this.types.get(), life());
		ServerWish wish = this.servers.write(new ServerSnapshot(this.identity, this.options.concurrency(),
				this.options.queues(), this.status.get().wireName(), this.startedAt, workers, this.held.get()), life());
		this.status.heartbeat().written();
		if (!stuck.isEmpty()) {
			this.servers.writeStuck(this.identity, StuckHandler.text(stuck), life());
		}
		if (wish != null && !wish.id().equals(this.lastWish)) {
			this.lastWish = wish.id();
			logger.info("An operator has asked this server to {}",
					wish.quiet() ? "take no more tasks" : "take tasks again");
			this.steering.accept(wish);
		}
	}

	private Duration life() {
		return this.options.heartbeatInterval().multipliedBy(2);
	}

	public record Offer(ServerOptions options, Supplier<String> types, Consumer<ServerWish> steering,
			Supplier<Map<String, Integer>> held) {
	}

}
