package io.asynq.server;

import java.time.Clock;
import java.util.List;
import java.util.function.BooleanSupplier;

import io.asynq.broker.Broker;
import io.asynq.handler.AsynqHandler;

import org.springframework.context.SmartLifecycle;

/**
 * Builds the parts of one server; the only place that knows all of them. Each part is a
 * lifecycle of its own, to be made a bean, and starts again after a stop.
 */
public final class ServerComponents {

	private final ServerRuntime runtime;

	private final Heartbeater heartbeater;

	private final HealthChecker healthChecker;

	private final Aggregator aggregator;

	private final Janitor janitor;

	private final Subscriber subscriber;

	private final DeadlineWatch deadlineWatch;

	private final Recoverer recoverer;

	private final Processor processor;

	private final ArrivalWatch arrivalWatch;

	private final Forwarder forwarder;

	private final AsynqServer server;

	/**
	 * Builds the parts; nothing is started and Redis is not touched.
	 * @param broker the store
	 * @param handler what runs the tasks
	 * @param options settings
	 * @param policies the user's say
	 * @param clock the time
	 * @param autoStartup whether the parts start with the application context; asked when
	 * that starts
	 * @throws IllegalArgumentException if heartbeats are too rare for the broker's leases
	 */
	public ServerComponents(Broker broker, AsynqHandler handler, ServerOptions options, ServerPolicies policies,
			Clock clock, BooleanSupplier autoStartup) {
		options.requireLease(broker.leases().leaseDuration());
		this.runtime = new ServerRuntime(broker, options, policies, clock, autoStartup);
		FailureDecision decision = new FailureDecision(policies.retryDelay(), policies.failures());
		TaskExecution execution = new TaskExecution(handler, decision, this.runtime);
		ArrivalSignals signals = new ArrivalSignals(this.runtime.errors());
		TaskFetcher fetcher = new TaskFetcher(broker.dequeuer(), options.queues(), this.runtime.postponements(),
				this.runtime.lanes(), this.runtime.errors());
		this.heartbeater = new Heartbeater(this.runtime, execution);
		this.healthChecker = new HealthChecker(this.runtime);
		this.aggregator = new Aggregator(this.runtime);
		this.janitor = new Janitor(this.runtime);
		this.subscriber = new Subscriber(this.runtime, execution);
		this.deadlineWatch = new DeadlineWatch(this.runtime, execution);
		this.recoverer = new Recoverer(this.runtime, decision);
		this.processor = new Processor(this.runtime, execution, fetcher, signals, this.deadlineWatch,
				new Unfinished(this.runtime, execution, decision));
		this.forwarder = new Forwarder(this.runtime, signals);
		this.arrivalWatch = new ArrivalWatch(this.runtime, signals, this.processor, this.forwarder);
		this.server = new DefaultAsynqServer(this.runtime, this.processor, all());
		this.processor.onStart(this::processorStarts);
		this.processor.onStop(this.aggregator::takeNoMore);
	}

	public AsynqServer server() {
		return this.server;
	}

	/**
	 * Returns all parts in the order in which they start.
	 * @return the parts
	 */
	public List<SmartLifecycle> all() {
		return List.of(this.heartbeater, this.healthChecker, this.aggregator, this.janitor, this.subscriber, syncer(),
				outcomeReporter(), this.deadlineWatch, this.recoverer, this.processor, this.arrivalWatch,
				this.forwarder);
	}

	public SmartLifecycle heartbeater() {
		return this.heartbeater;
	}

	public SmartLifecycle healthChecker() {
		return this.healthChecker;
	}

	public SmartLifecycle aggregator() {
		return this.aggregator;
	}

	public SmartLifecycle janitor() {
		return this.janitor;
	}

	public SmartLifecycle subscriber() {
		return this.subscriber;
	}

	public SmartLifecycle syncer() {
		return this.runtime.syncer();
	}

	public SmartLifecycle outcomeReporter() {
		return this.runtime.reporter();
	}

	public SmartLifecycle deadlineWatch() {
		return this.deadlineWatch;
	}

	public SmartLifecycle recoverer() {
		return this.recoverer;
	}

	public SmartLifecycle processor() {
		return this.processor;
	}

	public SmartLifecycle arrivalWatch() {
		return this.arrivalWatch;
	}

	public SmartLifecycle forwarder() {
		return this.forwarder;
	}

	private void processorStarts() {
		// Its entry was written while the server was not active yet
		this.heartbeater.wake();
		this.aggregator.takeAgain();
		if (this.runtime.options().handleTstp()) {
			TstpSignal.handle(this.server::quiet);
		}
	}

}
