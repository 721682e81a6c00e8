package io.asynq.interop.peer;

import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;

import io.asynq.group.GroupLimits;
import io.asynq.handler.TaskAggregators;
import io.asynq.internal.broker.RedisBroker;
import io.asynq.internal.event.Observers;
import io.asynq.internal.server.ServerComponents;
import io.asynq.server.AsynqServer;
import io.asynq.server.ServerOptions;
import io.asynq.server.ServerPolicies;

/**
 * A server in this JVM.
 */
final class JavaServer implements PeerServer {

	private final AtomicBoolean closed = new AtomicBoolean();

	private final JavaHandler handler;

	private final AsynqServer server;

	JavaServer(RedisBroker broker, ServerSpec spec, TaskAggregators aggregators, GroupLimits limits) {
		this.handler = new JavaHandler(spec.behaviours());
		this.server = new ServerComponents(broker, this.handler, aggregators, options(spec, limits), policies(spec),
				Observers.none(), Clock.systemUTC(), () -> true)
			.server();
	}

	void start() {
		this.server.start();
	}

	@Override
	public Attempt awaitStarted() {
		return this.handler.started().await();
	}

	@Override
	public AttemptEnd awaitEnded() {
		return this.handler.ended().await();
	}

	@Override
	public List<Attempt> drainStarted() {
		return this.handler.started().drain();
	}

	@Override
	public void release() {
		this.handler.release();
	}

	@Override
	public void quiet() {
		this.server.quiet();
	}

	@Override
	public void close() {
		if (this.closed.compareAndSet(false, true)) {
			this.server.stop();
		}
	}

	private static ServerOptions options(ServerSpec spec, GroupLimits limits) {
		ServerOptions.Builder options = ServerOptions.builder()
			.concurrency(spec.concurrency())
			.shutdownTimeout(spec.shutdownTimeout())
			.taskCheckInterval(ServerSpec.TASK_CHECK)
			.delayedTaskCheckInterval(ServerSpec.DELAYED_CHECK)
			.janitorInterval(ServerSpec.DELAYED_CHECK)
			.heartbeatInterval(Duration.ofMillis(500))
			.groupLimits(limits)
			.handleTstp(false);
		spec.queues().forEach(options::queue);
		return options.build();
	}

	private static ServerPolicies policies(ServerSpec spec) {
		ServerPolicies defaults = ServerPolicies.defaults();
		return new ServerPolicies((retried, error, task) -> spec.retryDelay(),
				(error) -> !(error instanceof JavaHandler.PostponedException), defaults.errors(), defaults.health(),
				defaults.decorator());
	}

}
