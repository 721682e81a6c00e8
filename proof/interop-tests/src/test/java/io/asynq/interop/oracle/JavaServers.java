package io.asynq.interop.oracle;

import java.time.Clock;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Collectors;

import io.asynq.Task;
import io.asynq.group.GroupLimits;
import io.asynq.handler.TaskAggregators;
import io.asynq.internal.broker.RedisBroker;
import io.asynq.internal.event.Observers;
import io.asynq.internal.server.ServerComponents;
import io.asynq.interop.oracle.JavaActor.Operation;
import io.asynq.interop.oracle.ScriptedHandler.PostponedException;
import io.asynq.server.AsynqServer;
import io.asynq.server.ServerOptions;
import io.asynq.server.ServerPolicies;

/**
 * Operations of servers.
 */
final class JavaServers implements AutoCloseable {

	/** A staged set expires with the time-out of its aggregator. */
	private static final Duration UNTIL_SEEN = Duration.ofMillis(500);

	private final Map<String, RunningServer> running = new HashMap<>();

	private final RedisBroker broker;

	JavaServers(RedisBroker broker) {
		this.broker = broker;
	}

	void addTo(Map<String, Operation> operations) {
		operations.put("server.start", this::start);
		operations.put("server.quiet", (arguments) -> {
			named(arguments).server().quiet();
			return null;
		});
		operations.put("server.release", (arguments) -> {
			named(arguments).handler().release();
			return null;
		});
		operations.put("server.stop", (arguments) -> {
			named(arguments).server().stop();
			return null;
		});
	}

	@Override
	public void close() {
		this.running.values().forEach((server) -> server.server().stop());
	}

	private Object start(Arguments arguments) {
		ScriptedHandler handler = new ScriptedHandler();
		AsynqServer server = new ServerComponents(this.broker, handler, aggregators(arguments), options(arguments),
				policies(arguments), Observers.none(), Clock.systemUTC(), () -> true)
			.server();
		this.running.put(arguments.text("name"), new RunningServer(server, handler));
		server.start();
		return Optional.empty();
	}

	private RunningServer named(Arguments arguments) {
		RunningServer server = this.running.get(arguments.text("name"));
		if (server == null) {
			throw new IllegalArgumentException("No server " + arguments.text("name"));
		}
		return server;
	}

	private static ServerOptions options(Arguments arguments) {
		ServerOptions.Builder options = ServerOptions.builder()
			.concurrency(arguments.number("concurrency"))
			.strictPriority(arguments.flag("strict"))
			.taskCheckInterval(Duration.ofMillis(100))
			.delayedTaskCheckInterval(arguments.millis("forward"))
			.janitorInterval(arguments.millis("janitor"))
			.recoverInterval(Duration.ofMillis(200))
			.shutdownTimeout(arguments.millis("shutdown"))
			.handleTstp(false);
		arguments.numbers("queues").forEach(options::queue);
		if (!arguments.text("aggregate").isEmpty()) {
			options.groupLimits(new GroupLimits(arguments.millis("groupGrace"), arguments.millis("groupDelay"),
					arguments.number("groupSize")));
		}
		return options.build();
	}

	private static ServerPolicies policies(Arguments arguments) {
		ServerPolicies defaults = ServerPolicies.defaults();
		Duration delay = arguments.millis("retryDelay");
		return new ServerPolicies((retried, error, task) -> delay, (error) -> !(error instanceof PostponedException),
				defaults.errors(), defaults.health(), defaults.decorator());
	}

	private static TaskAggregators aggregators(Arguments arguments) {
		TaskAggregators aggregators = new TaskAggregators();
		switch (arguments.text("aggregate")) {
			case "join" -> aggregators.add("", "", (queue, group, tasks) -> join(group, tasks));
			case "null" -> aggregators.add("", "", (queue, group, tasks) -> {
				LockSupport.parkNanos(UNTIL_SEEN.toNanos());
				return null;
			});
			case "fail" -> aggregators.add("", "", (queue, group, tasks) -> {
				LockSupport.parkNanos(UNTIL_SEEN.toNanos());
				throw new IllegalStateException("no task of " + group);
			});
			default -> {
				// Does not aggregate
			}
		}
		return aggregators;
	}

	private static Task join(String group, List<Task> tasks) {
		return Task.of("joined", group + "="
				+ tasks.stream().map((task) -> Views.text(task.payload())).sorted().collect(Collectors.joining("+")));
	}

	private record RunningServer(AsynqServer server, ScriptedHandler handler) {

	}

}
