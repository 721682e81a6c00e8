package io.asynq.server;

import java.time.Clock;
import java.util.function.BooleanSupplier;

import io.asynq.broker.Broker;
import io.asynq.lifecycle.LoopErrorLog;

/**
 * What the parts of one server share.
 */
final class ServerRuntime {

	private final Broker broker;

	private final ServerOptions options;

	private final ServerPolicies policies;

	private final Clock clock;

	private final BooleanSupplier autoStartup;

	private final LoopErrorLog errors = new LoopErrorLog();

	private final ServerStatus status = new ServerStatus();

	private final ServerCounters counters;

	private final ActiveTasks active = new ActiveTasks();

	private final PostponeBudget postponements;

	private final Syncer syncer;

	private final OutcomeReporter reporter;

	ServerRuntime(Broker broker, ServerOptions options, ServerPolicies policies, Clock clock,
			BooleanSupplier autoStartup) {
		this.broker = broker;
		this.options = options;
		this.policies = policies;
		this.clock = clock;
		this.autoStartup = autoStartup;
		this.counters = new ServerCounters(options.queues().weights().keySet());
		this.postponements = new PostponeBudget(System::nanoTime, broker.turns());
		OutcomeSender sender = new OutcomeSender(broker.completer(), this.active, this.counters, clock);
		this.syncer = new Syncer(sender, autoStartup, this.errors);
		// Room for a batch beyond what the workers can hand over at once
		int limit = Math.max(256, options.concurrency() * 2);
		this.reporter = new OutcomeReporter(sender, this.syncer, this.active, limit, autoStartup, this.errors);
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

	BooleanSupplier autoStartup() {
		return this.autoStartup;
	}

	LoopErrorLog errors() {
		return this.errors;
	}

	/**
	 * Creates what goes from queue to queue.
	 * @param subject who goes, for the log
	 * @return the round
	 */
	QueueRound round(String subject) {
		return new QueueRound(subject, this.broker::isPartitioned, this.errors);
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

}
