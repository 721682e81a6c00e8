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

	/**
	 * Builds the parts; nothing is started and Redis is not touched.
	 * @param broker the store
	 * @param handler what runs the tasks
	 * @param options settings
	 * @param policies the user's say
	 * @param clock the time
	 * @param autoStartup whether the parts start with the application context; asked when
	 * that starts
	 */
	public ServerComponents(Broker broker, AsynqHandler handler, ServerOptions options, ServerPolicies policies,
			Clock clock, BooleanSupplier autoStartup) {
	}

	public AsynqServer server() {
		throw new UnsupportedOperationException();
	}

	/**
	 * Returns all parts in the order in which they start.
	 * @return the parts
	 */
	public List<SmartLifecycle> all() {
		throw new UnsupportedOperationException();
	}

	public SmartLifecycle heartbeater() {
		throw new UnsupportedOperationException();
	}

	public SmartLifecycle healthChecker() {
		throw new UnsupportedOperationException();
	}

	public SmartLifecycle janitor() {
		throw new UnsupportedOperationException();
	}

	public SmartLifecycle subscriber() {
		throw new UnsupportedOperationException();
	}

	public SmartLifecycle syncer() {
		throw new UnsupportedOperationException();
	}

	public SmartLifecycle outcomeReporter() {
		throw new UnsupportedOperationException();
	}

	public SmartLifecycle deadlineWatch() {
		throw new UnsupportedOperationException();
	}

	public SmartLifecycle recoverer() {
		throw new UnsupportedOperationException();
	}

	public SmartLifecycle processor() {
		throw new UnsupportedOperationException();
	}

	public SmartLifecycle arrivalWatch() {
		throw new UnsupportedOperationException();
	}

	public SmartLifecycle forwarder() {
		throw new UnsupportedOperationException();
	}

}
