package io.asynq.internal.server;

import java.util.Map;
import java.util.SortedSet;
import java.util.function.Supplier;

import io.asynq.internal.worker.Processor;
import io.asynq.internal.worker.ServerStatus;
import io.asynq.internal.worker.UserThread;
import io.asynq.server.AsynqServer;
import io.asynq.server.ServerHealth;
import io.asynq.server.ServerState;
import io.asynq.server.ServerStatistics;

final class DefaultAsynqServer implements AsynqServer {

	private final Processor processor;

	private final ServerStatus status;

	private final Supplier<ServerStatistics> statistics;

	private final Vitals vitals;

	private final ServerParts parts;

	DefaultAsynqServer(Processor processor, ServerStatus status, Supplier<ServerStatistics> statistics, Vitals vitals,
			ServerParts parts) {
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
		this.parts.start();
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
		UserThread.runStop(this.parts::stop);
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
		return this.vitals.health(this.processor.isQuiet(), this.parts.all());
	}

	@Override
	public Map<String, SortedSet<String>> nodesAway() {
		return this.vitals.nodesAway();
	}

}
