package io.asynq.server;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.SortedSet;

import io.asynq.lifecycle.UserCode;
import io.asynq.logging.OneLineLogger;
import org.slf4j.Logger;

import org.springframework.context.SmartLifecycle;

/**
 * Acts on all parts together.
 */
final class DefaultAsynqServer implements AsynqServer {

	private static final Logger logger = OneLineLogger.of(DefaultAsynqServer.class);

	private final ServerRuntime runtime;

	private final Processor processor;

	private final List<SmartLifecycle> parts;

	DefaultAsynqServer(ServerRuntime runtime, Processor processor, List<SmartLifecycle> parts) {
		this.runtime = runtime;
		this.processor = processor;
		this.parts = parts;
	}

	@Override
	public ServerState state() {
		return this.runtime.status().get();
	}

	@Override
	public void start() {
		this.parts.forEach(SmartLifecycle::start);
	}

	@Override
	public void quiet() {
		this.processor.quiet();
	}

	@Override
	public void stop() {
		List<SmartLifecycle> reversed = new ArrayList<>(this.parts);
		Collections.reverse(reversed);
		// One that fails must not keep the others running
		reversed.forEach((part) -> UserCode.run(part::stop,
				(shown) -> logger.error("{} could not stop in order", part.getClass().getSimpleName(), shown)));
	}

	@Override
	public void ping() {
		this.runtime.broker().queues().ping();
	}

	@Override
	public ServerStatistics statistics() {
		return this.runtime.counters().snapshot(this.runtime.active().running().size());
	}

	@Override
	public Map<String, SortedSet<String>> nodesAway() {
		return this.runtime.lanes().away();
	}

}
