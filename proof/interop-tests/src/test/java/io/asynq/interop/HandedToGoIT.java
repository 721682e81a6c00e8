package io.asynq.interop;

import java.time.Clock;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;

import io.asynq.Task;
import io.asynq.TaskOptions;
import io.asynq.TaskState;
import io.asynq.group.GroupLimits;
import io.asynq.handler.PostponeTaskException;
import io.asynq.handler.TaskAggregatorFunction;
import io.asynq.handler.TaskAggregators;
import io.asynq.handler.TaskHandlerFunction;
import io.asynq.handler.TaskMux;
import io.asynq.internal.broker.RedisBroker;
import io.asynq.internal.event.Observers;
import io.asynq.internal.server.ServerComponents;
import io.asynq.interop.peer.Attempt;
import io.asynq.interop.peer.InteropTest;
import io.asynq.interop.peer.PeerServer;
import io.asynq.interop.peer.Peers;
import io.asynq.interop.peer.ServerSpec;
import io.asynq.interop.peer.ServerView;
import io.asynq.interop.peer.TaskView;
import io.asynq.server.AsynqServer;
import io.asynq.server.ServerOptions;
import io.asynq.server.ServerPolicies;
import org.junit.jupiter.api.Test;
import org.springframework.data.redis.connection.RedisConnectionFactory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * A Go server continues what only a Java server can begin.
 */
@InteropTest
class HandedToGoIT {

	private final RedisConnectionFactory connections;

	HandedToGoIT(RedisConnectionFactory connections) {
		this.connections = connections;
	}

	@Test
	void goRunsTaskAggregatedByJavaServerWithoutHandlers(Peers peers) {
		peers.go().enqueue(Task.of("member", "1"), TaskOptions.of((options) -> options.group("g")));
		AsynqServer java = server(new TaskMux(), (queue, group, tasks) -> Task.of("joined", group + tasks.size()));
		java.start();
		try {
			PeerServer go = peers.go().serve(ServerSpec.ofDefaultQueue());
			Attempt attempt = go.awaitStarted();
			assertThat(attempt.type()).isEqualTo("joined");
			assertThat(attempt.payload()).isEqualTo("g1");
			// Heartbeats need no call
			await().untilAsserted(() -> assertThat(peers.go().inspector().servers()).extracting(ServerView::status)
				.containsExactlyInAnyOrder("active", "stopped"));
		}
		finally {
			java.stop();
		}
	}

	@Test
	void goRunsTaskPostponedByJavaUncounted(Peers peers) {
		TaskView task = peers.go().enqueue(Task.of("limited", "x"), TaskOptions.of((options) -> options.maxRetry(0)));
		AtomicInteger calls = new AtomicInteger();
		AsynqServer java = server((ofTask, context) -> {
			calls.incrementAndGet();
			throw new PostponeTaskException(Duration.ofSeconds(2));
		}, null);
		java.start();
		await().untilAsserted(
				() -> assertThat(peers.go().queue("default").tasks()).isEqualTo(Map.of(TaskState.RETRY, 1L)));
		java.stop();
		// On a busy machine it may have been due before
		int before = calls.get();
		assertThat(peers.go().task("default", task.id())).isEqualTo(peers.java().task("default", task.id()));
		assertThat(peers.go().queue("default").failed()).isZero();
		PeerServer go = peers.go().serve(ServerSpec.ofDefaultQueue());
		assertThat(go.awaitStarted()).extracting(Attempt::taskId, Attempt::retried).containsExactly(task.id(), 0);
		assertThat(calls).hasValue(before);
	}

	@Test
	void goRunsTaskThatHasWaitedForAHandlerOfJavaUncounted(Peers peers) {
		TaskView task = peers.go().enqueue(Task.of("unknown", "x"), TaskOptions.of((options) -> options.maxRetry(0)));
		AsynqServer java = server(new TaskMux().handle("other", (ofTask, context) -> null), null);
		java.start();
		await().untilAsserted(
				() -> assertThat(peers.go().queue("default").tasks()).isEqualTo(Map.of(TaskState.RETRY, 1L)));
		java.stop();
		TaskView waits = peers.go().task("default", task.id());
		assertThat(waits).isEqualTo(peers.java().task("default", task.id()));
		assertThat(waits.lastError()).isEqualTo("handler not found for task \"unknown\"");
		assertThat(peers.go().queue("default").failed()).isZero();
		// It may have been due just before the stop
		if (waits.state() == TaskState.RETRY) {
			peers.go().inspector().run(waits);
		}
		PeerServer go = peers.go().serve(ServerSpec.ofDefaultQueue());
		assertThat(go.awaitStarted()).extracting(Attempt::taskId, Attempt::retried).containsExactly(task.id(), 0);
	}

	private AsynqServer server(TaskHandlerFunction handler, TaskAggregatorFunction aggregator) {
		RedisBroker broker = new RedisBroker(this.connections, Clock.systemUTC(), RedisBroker.DEFAULT_LEASE_DURATION,
				(broken) -> {
				});
		ServerOptions options = ServerOptions.builder()
			.groupLimits(GroupLimits.defaults().withGracePeriod(Duration.ofSeconds(1)))
			.handleTstp(false)
			.build();
		ServerPolicies defaults = ServerPolicies.defaults();
		ServerPolicies policies = new ServerPolicies(defaults.retryDelay(), defaults.failures(), defaults.errors(),
				defaults.health(), defaults.decorator());
		TaskAggregators aggregators = new TaskAggregators();
		if (aggregator != null) {
			aggregators.add("", "", aggregator);
		}
		return new ServerComponents(broker, handler, aggregators, options, policies, Observers.none(),
				Clock.systemUTC(), () -> true)
			.server();
	}

}
