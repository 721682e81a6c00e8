package io.asynq.server;

import java.time.Clock;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.function.BooleanSupplier;

import io.asynq.broker.Broker;
import io.asynq.broker.TaskCompleter;
import io.asynq.broker.fleet.ServerWish;
import io.asynq.broker.message.TaskMessageFactory;
import io.asynq.handler.RetrySettings;
import io.asynq.handler.TaskHandlerFunction;
import io.asynq.handler.TaskMux;
import io.asynq.lifecycle.LoopErrorLog;
import io.asynq.lifecycle.Loops;
import io.asynq.lifecycle.ServerPhase;
import io.asynq.lifecycle.StopBudget;
import io.asynq.logging.OneLineLogger;
import io.asynq.server.attempt.ActiveTasks;
import io.asynq.server.attempt.FailureDecision;
import io.asynq.server.attempt.FailureLog;
import io.asynq.server.attempt.MissingHandlers;
import io.asynq.server.attempt.ServerEvents;
import io.asynq.server.fetch.CountedDequeuer;
import io.asynq.server.fetch.QueueReadiness;
import io.asynq.server.fetch.QueueSelector;
import io.asynq.server.fetch.TaskFetcher;
import io.asynq.server.fetch.TaskFlow;
import io.asynq.server.group.Aggregator;
import io.asynq.server.group.AggregatorCalls;
import io.asynq.server.group.GroupAggregation;
import io.asynq.server.lane.Lanes;
import io.asynq.server.lane.QueueRound;
import io.asynq.server.lane.WorkRound;
import io.asynq.server.limit.HeldTokens;
import io.asynq.server.limit.LimitRules;
import io.asynq.server.limit.Limiter;
import io.asynq.server.outcome.OutcomeLanes;
import io.asynq.server.outcome.OutcomeReporter;
import io.asynq.server.outcome.OutcomeSender;
import io.asynq.server.outcome.Syncer;
import io.asynq.server.signal.ArrivalWatch;
import io.asynq.server.signal.Subscriber;
import io.asynq.server.signal.TstpSignal;
import io.asynq.server.state.ServerCounters;
import io.asynq.server.state.ServerStatus;
import io.asynq.server.state.Vitals;
import io.asynq.server.upkeep.Forwarder;
import io.asynq.server.upkeep.GroupRecovery;
import io.asynq.server.upkeep.HealthChecker;
import io.asynq.server.upkeep.Heartbeater;
import io.asynq.server.upkeep.Janitor;
import io.asynq.server.upkeep.LeaseRenewal;
import io.asynq.server.upkeep.ListedTasks;
import io.asynq.server.upkeep.QueueRecovery;
import io.asynq.server.upkeep.RecoveredTasks;
import io.asynq.server.upkeep.Recoverer;
import io.asynq.server.upkeep.RecoveryDecision;
import io.asynq.server.upkeep.AdriftTasks;
import io.asynq.server.upkeep.ServerEntry;
import io.asynq.server.upkeep.UnhandledTasks;
import io.asynq.server.work.Admission;
import io.asynq.server.work.ArrivalSignals;
import io.asynq.server.work.Beginnings;
import io.asynq.server.work.Cancellations;
import io.asynq.server.work.DeadlineWatch;
import io.asynq.server.work.HeldTasks;
import io.asynq.server.work.Intake;
import io.asynq.server.work.NotedOutcomes;
import io.asynq.server.work.Processor;
import io.asynq.server.work.QueuePoll;
import io.asynq.server.work.Slots;
import io.asynq.server.work.TakenTasks;
import io.asynq.server.work.TaskExecution;
import io.asynq.server.work.Unfinished;
import io.asynq.server.work.Witnesses;
import io.asynq.server.work.Worker;
import io.asynq.server.work.WorkerThreads;
import io.asynq.server.work.Workers;
import org.slf4j.Logger;

import org.springframework.context.SmartLifecycle;

public final class ServerComponents {

	private static final Logger logger = OneLineLogger.of(AsynqServer.class);

	/**
	 * Together with the shares of scheduler and listeners, less than 5 s beyond the
	 * shutdown timeout.
	 */
	private static final Duration STOP = Duration.ofMillis(2400);

	private static final Duration STOP_OF_LOOPS = Duration.ofMillis(1000);

	private static final Duration STOP_FOR_OUTCOMES = Duration.ofMillis(800);

	private final Broker broker;

	private final ServerOptions options;

	private final ServerPolicies policies;

	private final Clock clock;

	private final Loops loops;

	private final Lanes lanes;

	private final ServerStatus status = new ServerStatus();

	private final ServerCounters counters;

	private final ActiveTasks active = new ActiveTasks();

	private final TaskCompleter completer;

	private final HeldTasks held;

	private final QueueReadiness readiness;

	private final ArrivalSignals signals;

	private final MissingHandlers missing;

	private final FailureDecision decision;

	private final HeldTokens tokens;

	private final Limiter limiter;

	private final ServerEvents events;

	private final Aggregator aggregator;

	private final List<SmartLifecycle> parts;

	private final AsynqServer server;

	private final TstpSignal tstp;

	/**
	 * @param autoStartup evaluated when the application context starts
	 * @throws IllegalArgumentException if the heartbeat is too rare for the broker's
	 * leases
	 */
	public ServerComponents(Broker broker, TaskHandlerFunction handler, ServerOptions options, ServerPolicies policies,
			Clock clock, BooleanSupplier autoStartup) {
		options.requireLease(broker.upkeep().leaseDuration());
		this.broker = broker;
		this.options = options;
		this.policies = policies;
		this.clock = clock;
		this.loops = new Loops(autoStartup, new LoopErrorLog(), new StopBudget(STOP, STOP_OF_LOOPS, STOP_FOR_OUTCOMES));
		this.lanes = new Lanes(queues(), () -> broker.servers().isPartitioned(),
				(queues) -> broker.servers().masters(queues), this.loops.errors());
		this.counters = new ServerCounters(queues());
		this.held = new HeldTasks(options.queues(), this::wakeProcessor);
		this.readiness = new QueueReadiness(queues());
		this.signals = new ArrivalSignals(queues(), this.readiness, this.loops.waker(ServerPhase.PROCESSOR),
				this.loops.waker(ServerPhase.FORWARDER), this.lanes);
		this.missing = new MissingHandlers(handler, options, this.loops.waker(ServerPhase.UNHANDLED));
		this.decision = new FailureDecision(policies.retryDelay(), policies.failures(),
				(type) -> (handler instanceof TaskMux mux) ? mux.retry(type) : RetrySettings.none(), this.missing,
				options.cancelMode());
		LimitRules rules = new LimitRules(handler, options);
		this.tokens = new HeldTokens(rules, broker.limits(),
				new HeldTokens.Work(queues(), work("asynq-limits"), this.lanes, this.signals::onPending),
				options.heartbeatInterval(), this.loops);
		this.completer = this.active.ending(broker.completer());
		this.limiter = new Limiter(rules, this.tokens, this.loops.errors());
		this.events = new ServerEvents(policies.events());
		OutcomeSender sender = new OutcomeSender(this.completer, this.active, this.counters, this.events,
				this.tokens::lineUp);
		Syncer syncer = new Syncer(sender, this.lanes, this.loops);
		OutcomeReporter reporter = reporter(sender, syncer);
		Witnesses witnesses = new Witnesses(policies.errors(), new FailureLog(options.logFailures()), this.events,
				policies.observations(), policies.contexts());
		TaskExecution execution = new TaskExecution(handler, witnesses, this.decision, reporter, this.counters);
		DeadlineWatch deadlines = new DeadlineWatch(execution, this.active, this.counters, this.events,
				options.stuckHandlerTimeout(), this.loops);
		this.aggregator = newAggregator();
		Unfinished unfinished = new Unfinished(execution, this.decision, this.active,
				new NotedOutcomes(this.completer, reporter, this.lanes), options, clock);
		TakenTasks taken = new TakenTasks(this.completer, this.held, this.active, unfinished, this.lanes, this.limiter,
				clock);
		Processor processor = processor(execution, reporter, deadlines, unfinished, taken);
		Forwarder forwarder = new Forwarder(broker.upkeep(), options, this.signals, work("asynq-forwarder"),
				this.loops);
		this.parts = List.of(heartbeater(execution, processor, taken),
				new HealthChecker(broker.queues(), policies.health(), options.healthCheckInterval(), this.loops),
				this.aggregator, new Janitor(broker.upkeep(), options, work("asynq-janitor"), this.loops),
				unhandledTasks(),
				new Subscriber(broker.signals(), new Cancellations(this.held, taken, this.active, execution), queues(),
						this.lanes, this.loops),
				syncer, reporter, this.tokens, deadlines, recoverer(), processor,
				new ArrivalWatch(broker.signals(), this.signals, options, this.lanes, this.loops), forwarder);
		this.server = new DefaultAsynqServer(processor, this.status,
				() -> this.counters.snapshot(new ServerCounters.Present(this.active.running().size(),
						options.concurrency(), this.held.size(), this.status.sinceHeartbeat(), deadlines.hanging(),
						syncer.backlog(), forwarder.lag())),
				new Vitals(broker.queues(), this.lanes, this.status, options, clock, this.missing),
				new ServerParts(this.parts, this.loops));
		this.tstp = new TstpSignal(this.server::quiet);
	}

	public AsynqServer server() {
		return this.server;
	}

	public List<SmartLifecycle> all() {
		return this.parts;
	}

	public SmartLifecycle part(ServerPhase phase) {
		return this.parts.stream().filter((part) -> part.getPhase() == phase.value()).findFirst().orElseThrow();
	}

	private OutcomeReporter reporter(OutcomeSender sender, Syncer syncer) {
		// Room for a batch beyond what the workers can hand over at once
		int limit = Math.max(256, this.options.concurrency() * 2);
		return new OutcomeReporter(new OutcomeLanes(this.lanes, sender, syncer, limit), this.active, limit, this.loops);
	}

	private Processor processor(TaskExecution execution, OutcomeReporter reporter, DeadlineWatch deadlines,
			Unfinished unfinished, TakenTasks taken) {
		TaskFlow flow = new TaskFlow(this.options.fetchAhead(), this.options.concurrency(), this.status::servers,
				System::nanoTime);
		Slots slots = new Slots(this.options.concurrency(), this::wakeProcessor);
		TaskFetcher fetcher = new TaskFetcher(
				new CountedDequeuer(this.broker.dequeuer(), this.active, this.counters, this.policies.waits()),
				new QueueSelector(this.options.queues(), this.held::count), this.readiness, this.lanes,
				this::wakeProcessor);
		Worker worker = new Worker(new Beginnings(this.completer, reporter, fetcher::rest, this.loops.errors()),
				this.policies.decorator(), execution, flow);
		Workers workers = new Workers(taken, slots, WorkerThreads.of(this.options, slots), worker,
				new Workers.Running(this.active, deadlines, this.limiter));
		Intake intake = new Intake(fetcher, slots, this.held, flow, workers, this::wakeProcessor);
		Admission admission = new Admission(intake, this.status, execution::hasHandler, new Starts());
		return new Processor(admission, new QueuePoll(this.readiness, this.signals, this.options.taskCheckInterval()),
				intake, workers, unfinished, this.loops);
	}

	private Heartbeater heartbeater(TaskExecution execution, Processor processor, TakenTasks taken) {
		LeaseRenewal leases = new LeaseRenewal(this.broker.upkeep(), this.active,
				new QueueRound("asynq-heartbeater", this.lanes));
		ServerEntry entry = new ServerEntry(
				this.broker.servers(), new ServerEntry.Offer(this.options, this.missing::published,
						(wish) -> steer(processor, wish), this.held::byQueue),
				this.status, this.active, taken, this.lanes, this.clock);
		return new Heartbeater(this.active, execution, leases, new AdriftTasks(this.active, taken), entry,
				this.options.heartbeatInterval(), this.loops);
	}

	private void steer(Processor processor, ServerWish wish) {
		if (wish.quiet()) {
			processor.quiet();
		}
		else {
			processor.resume();
		}
		// Others see it at once
		this.loops.waker(ServerPhase.HEARTBEATER).wake();
	}

	private UnhandledTasks unhandledTasks() {
		return new UnhandledTasks(this.broker.unhandled(), this.broker.servers(), this.missing, this.status,
				new UnhandledTasks.Work(queues(), work("asynq-unhandled"), this.lanes), this.loops);
	}

	private Recoverer recoverer() {
		RecoveryDecision recovery = new RecoveryDecision(this.decision, this.options.stuckHandlerTimeout());
		ListedTasks listed = new ListedTasks(this.broker.servers(), this.active, this.lanes);
		RecoveredTasks recovered = new RecoveredTasks(this.broker.completer(), this.counters, this.events);
		GroupRecovery groups = new GroupRecovery(this.broker.groupKeeper());
		return new Recoverer(() -> queues().stream()
			.map((queue) -> new QueueRecovery(queue, this.options, this.broker.upkeep(), listed, recovery, recovered))
			.toList(), recovery, listed, groups, work("asynq-recoverer"), this.loops);
	}

	private Aggregator newAggregator() {
		AggregatorCalls calls = new AggregatorCalls(this.broker.groups(), this.counters, this.policies.observations());
		GroupAggregation aggregation = new GroupAggregation(calls, this.broker.groups(), this.policies.aggregators(),
				this.options, this.events, new TaskMessageFactory(this.clock, this.policies.interceptors()));
		return new Aggregator(this.options, this.policies.aggregators(), this.broker.groups(), aggregation,
				work("asynq-aggregator"), this.lanes, this.loops);
	}

	private Collection<String> queues() {
		return this.options.queues().weights().keySet();
	}

	private WorkRound work(String subject) {
		return new WorkRound(subject, this.broker.work(), this.lanes);
	}

	private void wakeProcessor() {
		this.loops.waker(ServerPhase.PROCESSOR).wake();
	}

	private final class Starts implements Admission.Listener {

		@Override
		public void onStart(boolean takesTasks) {
			// The server's entry was written before the server became active
			ServerComponents.this.loops.waker(ServerPhase.HEARTBEATER).wake();
			ServerComponents.this.aggregator.takeAgain();
			ServerOptions options = ServerComponents.this.options;
			if (options.handleTstp()) {
				ServerComponents.this.tstp.await();
			}
			String workers = "concurrency " + options.concurrency()
					+ (options.virtualThreads() ? ", virtual threads" : "");
			logger.info("asynq server started: queues {}{}, {}", options.queues().weights(),
					options.queues().strict() ? " (strict)" : "",
					takesTasks ? workers : "takes no tasks, because there is no task handler");
		}

		@Override
		public void onStop() {
			ServerComponents.this.tstp.release();
			ServerComponents.this.aggregator.takeNoMore();
		}

	}

}
