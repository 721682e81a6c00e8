package io.asynq.server;

import java.time.Clock;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.Executors;
import java.util.function.BooleanSupplier;

import io.asynq.broker.Broker;
import io.asynq.lifecycle.LoopErrorLog;
import io.asynq.lifecycle.Loops;
import io.asynq.lifecycle.StopBudget;

import org.springframework.scheduling.concurrent.CustomizableThreadFactory;

/**
 * What the parts of one server share.
 */
final class ServerRuntime {

	/** With what a scheduler takes, less than 5 s beyond the shutdown timeout. */
	private static final Duration STOP = Duration.ofMillis(2400);

	private static final Duration STOP_OF_LOOPS = Duration.ofMillis(1000);

	private static final Duration STOP_FOR_OUTCOMES = Duration.ofMillis(800);

	private final Broker broker;

	private final ServerOptions options;

	private final ServerPolicies policies;

	private final Clock clock;

	private final Loops loops;

	private final ServerStatus status = new ServerStatus();

	private final ServerCounters counters;

	private final ActiveTasks active = new ActiveTasks();

	private final PostponeBudget postponements;

	private final Lanes lanes;

	private final Map<String, QueueRound> rounds = new ConcurrentHashMap<>();

	private final Syncer syncer;

	private final OutcomeReporter reporter;

	ServerRuntime(Broker broker, ServerOptions options, ServerPolicies policies, Clock clock,
			BooleanSupplier autoStartup) {
		this.broker = broker;
		this.options = options;
		this.policies = policies;
		this.clock = clock;
		this.loops = new Loops(autoStartup, new LoopErrorLog(), new StopBudget(STOP, STOP_OF_LOOPS, STOP_FOR_OUTCOMES));
		this.counters = new ServerCounters(options.queues().weights().keySet());
		this.postponements = new PostponeBudget(System::nanoTime, broker.turns());
		this.lanes = new Lanes(options.queues().weights().keySet(), broker::isPartitioned,
				(queues) -> broker.cluster().masters(queues), threads());
		OutcomeSender sender = new OutcomeSender(broker.completer(), this.active, this.counters);
		this.syncer = new Syncer(sender, this.lanes, this.loops);
		// Room for a batch beyond what the workers can hand over at once
		int limit = Math.max(256, options.concurrency() * 2);
		this.reporter = new OutcomeReporter(new OutcomeLanes(this.lanes, sender, this.syncer, limit), this.active,
				limit, this.loops);
	}

	Broker broker() {
		return this.broker;
	}

	ServerOptions options() {
		return this.options;
	}

	ServerPolicies policies() {
		return this.policies;
	}

	Clock clock() {
		return this.clock;
	}

	Loops loops() {
		return this.loops;
	}

	LoopErrorLog errors() {
		return this.loops.errors();
	}

	StopBudget stops() {
		return this.loops.stops();
	}

	/**
	 * Returns where the queues lie.
	 * @return the lanes
	 */
	Lanes lanes() {
		return this.lanes;
	}

	/**
	 * Returns what goes from queue to queue.
	 * @param subject who goes, for the log
	 * @return the round, always the same for the same subject
	 */
	QueueRound round(String subject) {
		return this.rounds.computeIfAbsent(subject, (name) -> new QueueRound(name, this.lanes, errors()));
	}

	ServerStatus status() {
		return this.status;
	}

	ServerCounters counters() {
		return this.counters;
	}

	ActiveTasks active() {
		return this.active;
	}

	PostponeBudget postponements() {
		return this.postponements;
	}

	Syncer syncer() {
		return this.syncer;
	}

	OutcomeReporter reporter() {
		return this.reporter;
	}

	/**
	 * Threads that end when they have had nothing to do for a minute; a single Redis
	 * needs none.
	 */
	private static Executor threads() {
		CustomizableThreadFactory factory = new CustomizableThreadFactory("asynq-lane-");
		factory.setDaemon(true);
		return Executors.newCachedThreadPool(factory);
	}

}
