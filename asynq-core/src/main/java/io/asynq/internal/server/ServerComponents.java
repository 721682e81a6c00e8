package io.asynq.internal.server;

import java.time.Clock;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.function.BooleanSupplier;

import io.asynq.handler.RetrySettings;
import io.asynq.handler.TaskAggregators;
import io.asynq.handler.TaskHandlerFunction;
import io.asynq.handler.TaskMux;
import io.asynq.internal.arrival.ArrivalWatch;
import io.asynq.internal.broker.RedisBroker;
import io.asynq.internal.cancel.Cancellations;
import io.asynq.internal.cancel.Subscriber;
import io.asynq.internal.enqueue.TaskMessageFactory;
import io.asynq.internal.event.Observers;
import io.asynq.internal.fleet.Heartbeater;
import io.asynq.internal.fleet.ServerEntry;
import io.asynq.internal.fleet.ServerWish;
import io.asynq.internal.group.Aggregator;
import io.asynq.internal.group.GroupAggregation;
import io.asynq.internal.group.GroupRecovery;
import io.asynq.internal.lane.Lanes;
import io.asynq.internal.lane.QueueRound;
import io.asynq.internal.lifecycle.LoopErrorLog;
import io.asynq.internal.lifecycle.Loops;
import io.asynq.internal.lifecycle.ServerPhase;
import io.asynq.internal.lifecycle.StopBudget;
import io.asynq.internal.limit.LimitRules;
import io.asynq.internal.limit.Limiter;
import io.asynq.internal.text.OneLineLogger;
import io.asynq.internal.worker.ActiveTasks;
import io.asynq.internal.worker.ArrivalSignals;
import io.asynq.internal.worker.AttemptObserver;
import io.asynq.internal.worker.DeadlineWatch;
import io.asynq.internal.worker.Decision;
import io.asynq.internal.worker.Forwarder;
import io.asynq.internal.worker.Intake;
import io.asynq.internal.worker.Janitor;
import io.asynq.internal.worker.LeaseRenewal;
import io.asynq.internal.worker.ListedTasks;
import io.asynq.internal.worker.MissingHandlers;
import io.asynq.internal.worker.OutcomeWriter;
import io.asynq.internal.worker.PrefetchBuffer;
import io.asynq.internal.worker.Processor;
import io.asynq.internal.worker.QueuePoll;
import io.asynq.internal.worker.QueueReadiness;
import io.asynq.internal.worker.QueueRecovery;
import io.asynq.internal.worker.QueueSelector;
import io.asynq.internal.worker.QuietSwitch;
import io.asynq.internal.worker.Recoverer;
import io.asynq.internal.worker.RecoveryDecision;
import io.asynq.internal.worker.Requeuer;
import io.asynq.internal.worker.ServerCounters;
import io.asynq.internal.worker.ServerStatus;
import io.asynq.internal.worker.Slots;
import io.asynq.internal.worker.TakenTasks;
import io.asynq.internal.worker.TaskExecution;
import io.asynq.internal.worker.TaskFetcher;
import io.asynq.internal.worker.TaskFlow;
import io.asynq.internal.worker.UnhandledTasks;
import io.asynq.internal.worker.WorkerThreads;
import io.asynq.internal.worker.Workers;
import io.asynq.server.AsynqServer;
import io.asynq.server.ServerOptions;
import io.asynq.server.ServerPolicies;
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

	private final RedisBroker broker;

	private final ServerOptions options;

	private final ServerPolicies policies;

	private final Observers observers;

	private final Clock clock;

	private final Loops loops;

	private final Lanes lanes;

	private final ServerStatus status = new ServerStatus();

	private final ServerCounters counters;

	private final ActiveTasks active = new ActiveTasks();

	private final PrefetchBuffer buffer;

	private final QueueReadiness readiness;

	private final ArrivalSignals signals;

	private final MissingHandlers missing;

	private final Decision decision;

	private final Limiter limiter;

	private final Aggregator aggregator;

	private final List<SmartLifecycle> parts;

	private final AsynqServer server;

	private final TstpSignal tstp;

	/**
	 * @param autoStartup evaluated when the application context starts
	 * @throws IllegalArgumentException if the heartbeat is too rare for the broker's
	 * leases
	 */
	public ServerComponents(RedisBroker broker, TaskHandlerFunction handler, TaskAggregators aggregators,
			ServerOptions options, ServerPolicies policies, Observers observers, Clock clock,
			BooleanSupplier autoStartup) {
		options.requireLease(broker.upkeep().leaseDuration());
		this.broker = broker;
		this.options = options;
		this.policies = policies;
		this.observers = observers;
		this.clock = clock;
		this.loops = new Loops(autoStartup, new LoopErrorLog(), new StopBudget(STOP, STOP_OF_LOOPS, STOP_FOR_OUTCOMES));
		this.lanes = new Lanes(queues(), () -> broker.servers().isPartitioned(),
				(queues) -> broker.servers().masters(queues), this.loops.errors());
		this.counters = new ServerCounters(queues());
		this.buffer = new PrefetchBuffer(options.queues(), this::wakeProcessor);
		this.readiness = new QueueReadiness(queues());
		this.signals = new ArrivalSignals(queues(), this.readiness, this.loops.waker(ServerPhase.PROCESSOR),
				this.loops.waker(ServerPhase.FORWARDER), this.lanes);
		this.missing = new MissingHandlers(handler, options, this.loops.waker(ServerPhase.UNHANDLED_TASKS));
		this.decision = new Decision(policies.retryDelay(), policies.failures(),
				(type) -> (handler instanceof TaskMux mux) ? mux.retry(type) : RetrySettings.none(), this.missing,
				options.cancelMode());
		this.limiter = new Limiter(new LimitRules(handler, options), broker.limits(), work("asynq-limits"), this.lanes,
				queues(), this.signals::onPending, options.heartbeatInterval(), this.loops);
		// Room for a batch beyond what the workers can hand over at once
		OutcomeWriter outcomes = new OutcomeWriter(broker.completer(), this.active, this.counters, observers.events(),
				this.limiter::lineUp, this.lanes, Math.max(256, options.concurrency() * 2), this.loops);
		AttemptObserver observer = new AttemptObserver(policies.errors(), options.logFailures(), observers.events(),
				observers.observations(), policies.contexts());
		TaskFlow flow = new TaskFlow(options.fetchAhead(), options.concurrency(), this.status::servers,
				System::nanoTime);
		TaskFetcher fetcher = new TaskFetcher(broker.dequeuer(),
				new QueueSelector(options.queues(), this.buffer::count), this.readiness, this.active, this.counters,
				policies.waits(), this.lanes, this::wakeProcessor);
		TaskExecution execution = new TaskExecution(handler, policies.decorator(), observer, this.decision, outcomes,
				this.counters, flow,
				(attempt) -> !broker.completer().begin(attempt.queue(), List.of(attempt.leased())).isEmpty(),
				fetcher::rest, this.loops.errors());
		DeadlineWatch deadlines = new DeadlineWatch(execution, this.active, this.counters, observers.events(),
				options.stuckHandlerTimeout(), this.loops);
		this.aggregator = newAggregator(aggregators);
		Requeuer requeuer = new Requeuer(execution, this.decision, this.active, outcomes, options, clock);
		TakenTasks taken = new TakenTasks(broker.completer(), this.buffer, this.active, requeuer, this.lanes,
				this.limiter, clock);
		Processor processor = processor(execution, flow, fetcher, deadlines, requeuer, taken);
		Forwarder forwarder = new Forwarder(broker.upkeep(), options, this.signals, work("asynq-forwarder"),
				this.loops);
		this.parts = List.of(heartbeater(execution, processor, taken),
				new HealthChecker(broker.queues(), policies.health(), options.healthCheckInterval(), this.loops),
				this.aggregator, new Janitor(broker.upkeep(), options, work("asynq-janitor"), this.loops),
				unhandledTasks(),
				new Subscriber(broker.cancellations(), new Cancellations(taken, this.active, execution), queues(),
						this.lanes, this.loops),
				outcomes, this.limiter, deadlines, recoverer(), processor,
				new ArrivalWatch(broker.arrivals(), this.signals, options, this.lanes, this.loops), forwarder);
		this.server = new DefaultAsynqServer(processor, this.status,
				() -> this.counters.snapshot(new ServerCounters.Present(this.active.running().size(),
						options.concurrency(), this.buffer.size(), this.status.sinceHeartbeat(), deadlines.hanging(),
						outcomes.backlog(), forwarder.lag())),
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

	private Processor processor(TaskExecution execution, TaskFlow flow, TaskFetcher fetcher, DeadlineWatch deadlines,
			Requeuer requeuer, TakenTasks taken) {
		Slots slots = new Slots(this.options.concurrency(), this::wakeProcessor);
		WorkerThreads threads = WorkerThreads.of(this.options, slots);
		Workers workers = new Workers(taken, slots, threads, execution, this.active, deadlines, this.limiter);
		Intake intake = new Intake(fetcher, slots, this.buffer, flow, workers, this::wakeProcessor);
		QuietSwitch quietSwitch = new QuietSwitch(intake, this.status, execution::hasHandler, new Starts());
		return new Processor(quietSwitch, new QueuePoll(this.readiness, this.signals, this.options.taskCheckInterval()),
				fetcher, intake, slots, threads, requeuer, this.loops);
	}

	private Heartbeater heartbeater(TaskExecution execution, Processor processor, TakenTasks taken) {
		LeaseRenewal leases = new LeaseRenewal(this.broker.upkeep(), this.active, taken,
				new QueueRound("asynq-heartbeater", this.lanes));
		ServerEntry entry = new ServerEntry(
				this.broker.servers(), new ServerEntry.Offer(this.options, this.missing::published,
						(wish) -> steer(processor, wish), this.buffer::byQueue),
				this.status, this.active, taken, this.lanes, this.clock);
		return new Heartbeater(this.active, execution, leases, entry, this.options.heartbeatInterval(), this.loops);
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
		return new UnhandledTasks(this.broker.unhandled(), this.broker.servers()::served, this.missing, this.status,
				queues(), work("asynq-unhandled"), this.lanes, this.loops);
	}

	private Recoverer recoverer() {
		RecoveryDecision recovery = new RecoveryDecision(this.decision, this.options.stuckHandlerTimeout());
		ListedTasks listed = new ListedTasks(this.broker.servers()::listedTasks, this.active, this.lanes);
		GroupRecovery groups = new GroupRecovery(this.broker.groups());
		return new Recoverer(() -> queues().stream()
			.map((queue) -> new QueueRecovery(queue, this.options, this.broker.upkeep(), listed, recovery,
					this.broker.completer(), this.counters, this.observers.events()))
			.toList(), recovery, listed, groups::sweep, work("asynq-recoverer"), this.loops);
	}

	private Aggregator newAggregator(TaskAggregators aggregators) {
		GroupAggregation aggregation = new GroupAggregation(this.broker.groups(), aggregators, this.options,
				this.counters, this.observers.observations(), this.observers.events(),
				new TaskMessageFactory(this.clock, this.policies.interceptors()));
		return new Aggregator(this.options, aggregators, this.broker.groups(), aggregation, work("asynq-aggregator"),
				this.lanes, this.loops);
	}

	private Collection<String> queues() {
		return this.options.queues().weights().keySet();
	}

	private QueueRound work(String subject) {
		return new QueueRound(subject, this.lanes, this.broker.work()::find);
	}

	private void wakeProcessor() {
		this.loops.waker(ServerPhase.PROCESSOR).wake();
	}

	private final class Starts implements QuietSwitch.Listener {

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
