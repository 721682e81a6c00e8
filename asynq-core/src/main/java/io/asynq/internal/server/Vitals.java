package io.asynq.internal.server;

import java.time.Clock;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.SortedSet;

import io.asynq.inspect.LoopInfo;
import io.asynq.internal.inspect.QueueReader;
import io.asynq.internal.lane.Lanes;
import io.asynq.internal.lifecycle.LoopErrorLog;
import io.asynq.internal.lifecycle.PeriodicComponent;
import io.asynq.internal.worker.Heartbeat;
import io.asynq.internal.worker.MissingHandlers;
import io.asynq.internal.worker.ServerStatus;
import io.asynq.server.ServerHealth;
import io.asynq.server.ServerHealth.LastError;
import io.asynq.server.ServerOptions;
import io.asynq.server.ServerState;
import org.jspecify.annotations.Nullable;
import org.springframework.context.SmartLifecycle;

/**
 * Tells whether a server is well: state, heartbeat, loops, and masters out of reach.
 */
public final class Vitals {

	private final QueueReader queues;

	private final Lanes lanes;

	private final ServerStatus status;

	private final ServerOptions options;

	private final Clock clock;

	private final MissingHandlers missing;

	public Vitals(QueueReader queues, Lanes lanes, ServerStatus status, ServerOptions options, Clock clock,
			MissingHandlers missing) {
		this.queues = queues;
		this.lanes = lanes;
		this.status = status;
		this.options = options;
		this.clock = clock;
		this.missing = missing;
	}

	public void ping() {
		this.queues.ping();
	}

	public Map<String, SortedSet<String>> nodesAway() {
		return this.lanes.away();
	}

	public ServerHealth health(boolean quiet, List<SmartLifecycle> parts) {
		Instant now = this.clock.instant();
		Heartbeat heartbeat = this.status.heartbeat();
		ServerState state = this.status.get();
		boolean runs = state == ServerState.ACTIVE || state == ServerState.STOPPED;
		return new ServerHealth(quiet, heartbeat.last(now),
				runs && heartbeat.isMissed(this.options.heartbeatInterval()), loops(parts, now), lastError(now),
				this.missing.waiting());
	}

	private static List<LoopInfo> loops(List<SmartLifecycle> parts, Instant now) {
		return parts.stream()
			.filter(PeriodicComponent.class::isInstance)
			.map(PeriodicComponent.class::cast)
			.filter(PeriodicComponent::isRunning)
			.map((part) -> part.loop(now))
			.toList();
	}

	private @Nullable LastError lastError(Instant now) {
		LoopErrorLog.Last last = this.lanes.errors().last();
		return (last != null) ? new LastError(last.subject(), last.error(), last.at(now)) : null;
	}

}
