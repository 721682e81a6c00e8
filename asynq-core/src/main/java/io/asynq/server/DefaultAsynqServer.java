package io.asynq.server;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.SortedSet;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;

import io.asynq.lifecycle.UserCode;
import io.asynq.logging.OneLineLogger;
import io.asynq.server.attempt.StopCause;
import io.asynq.server.state.ServerStatus;
import io.asynq.server.state.Vitals;
import io.asynq.server.work.Processor;
import org.slf4j.Logger;

import org.springframework.context.SmartLifecycle;

/**
 * Delegates to the components of the server.
 */
final class DefaultAsynqServer implements AsynqServer {

	private static final Logger logger = OneLineLogger.of(DefaultAsynqServer.class);

	private final Processor processor;

	private final ServerStatus status;

	private final Supplier<ServerStatistics> statistics;

	private final Vitals vitals;

	private final List<SmartLifecycle> parts;

	private final ReentrantLock starting = new ReentrantLock();

	DefaultAsynqServer(Processor processor, ServerStatus status, Supplier<ServerStatistics> statistics, Vitals vitals,
			List<SmartLifecycle> parts) {
		this.processor = processor;
		this.status = status;
		this.statistics = statistics;
		this.vitals = vitals;
		this.parts = parts;
	}

	@Override
	public ServerState state() {
		return this.status.get();
	}

	@Override
	public void start() {
		this.starting.lock();
		try {
			this.parts.forEach(SmartLifecycle::start);
		}
		finally {
			this.starting.unlock();
		}
	}

	@Override
	public void quiet() {
		this.processor.quiet();
	}

	@Override
	public void resume() {
		this.processor.resume();
	}

	@Override
	public void stop() {
		awaitStart();
		StopCause.run(this::stopParts);
	}

	@Override
	public void ping() {
		this.vitals.ping();
	}

	@Override
	public ServerStatistics statistics() {
		return this.statistics.get();
	}

	@Override
	public ServerHealth health() {
		return this.vitals.health(this.processor.isQuiet(), this.parts);
	}

	@Override
	public Map<String, SortedSet<String>> nodesAway() {
		return this.vitals.nodesAway();
	}

	/**
	 * Waits for a start in progress: the first task may stop the server before its last
	 * parts are started, and these would run on.
	 */
	private void awaitStart() {
		this.starting.lock();
		this.starting.unlock();
	}

	private void stopParts() {
		List<SmartLifecycle> reversed = new ArrayList<>(this.parts);
		Collections.reverse(reversed);
		// A component that fails must not keep the others running
		reversed.forEach((part) -> UserCode.run(part::stop,
				(shown) -> logger.error("{} did not stop cleanly", part.getClass().getSimpleName(), shown)));
	}

}
