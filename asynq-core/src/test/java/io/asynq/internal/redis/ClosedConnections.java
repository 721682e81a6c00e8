package io.asynq.internal.redis;

import java.time.Clock;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;

import io.asynq.AsynqException;
import io.asynq.TaskState;
import io.asynq.internal.broker.RedisBroker;
import io.asynq.internal.enqueue.EnqueueRequest;
import io.asynq.internal.enqueue.Placement;
import io.asynq.internal.schedule.Fire;
import org.awaitility.Awaitility;
import org.springframework.data.redis.connection.RedisConnectionFactory;
import redis.clients.jedis.Jedis;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Calls of an application, one after the other over connections that were idle, and the
 * commands that Redis receives.
 */
final class ClosedConnections {

	/** The default pool size of Spring Boot. */
	private static final int CONNECTIONS = 8;

	private static final int ROUNDS = 4;

	private final RedisBroker broker;

	private int count;

	ClosedConnections(RedisConnectionFactory factory) {
		this.broker = new RedisBroker(factory, Clock.systemUTC(), RedisBroker.DEFAULT_LEASE_DURATION, (task) -> {
		});
	}

	/**
	 * Opens connections by concurrent calls while Redis is paused, and waits until they
	 * have been idle.
	 */
	void openMany(Jedis node) throws InterruptedException, ExecutionException {
		// Lists the queue, and loads the script
		this.broker.enqueuer().enqueue(request());
		ExecutorService callers = Executors.newFixedThreadPool(CONNECTIONS);
		try {
			node.sendCommand(() -> "CLIENT".getBytes(), "PAUSE", "600000", "WRITE");
			List<Future<?>> calls = new ArrayList<>();
			for (int i = 0; i < CONNECTIONS; i++) {
				EnqueueRequest request = request();
				calls.add(callers.submit(() -> this.broker.enqueuer().enqueue(request)));
			}
			Awaitility.await().until(() -> asking(node) == CONNECTIONS);
			node.sendCommand(() -> "CLIENT".getBytes(), "UNPAUSE");
			for (Future<?> call : calls) {
				call.get();
			}
		}
		finally {
			callers.shutdown();
		}
		assertThat(callers.awaitTermination(1, TimeUnit.MINUTES)).isTrue();
		awaitIdle(node);
	}

	/**
	 * Waits until Redis has received no command for a second. Redis counts the seconds
	 * that have begun, so the first may be short.
	 */
	void awaitIdle(Jedis node) {
		Awaitility.await().until(() -> others(node).stream().noneMatch((line) -> line.matches(".* idle=[01] .*")));
	}

	/**
	 * Makes 24 calls as a client, inspector and scheduler; each must succeed.
	 */
	void assertAllCallsSucceed() {
		for (int i = 0; i < ROUNDS; i++) {
			this.broker.enqueuer().enqueue(request());
			assertThat(this.broker.enqueuer().enqueueAll(List.of(request(), request()))).containsOnly(Optional.empty());
			assertThat(this.broker.queues().groups("default")).isEmpty();
			assertThat(this.broker.tasks().find("default", "t" + this.count)).isPresent();
			assertThat(this.broker.tasks().list("default", TaskState.PENDING, 0, 1)).hasSize(1);
			assertThat(fire("scheduler" + i, i)).isTrue();
		}
	}

	/**
	 * Makes calls and returns their errors.
	 */
	List<AsynqException> failures() {
		List<AsynqException> failures = new ArrayList<>();
		for (int i = 0; i < ROUNDS * 6; i++) {
			try {
				this.broker.enqueuer().enqueue(request());
			}
			catch (AsynqException ex) {
				failures.add(ex);
			}
		}
		return failures;
	}

	boolean fire(String scheduler, int second) {
		return this.broker.schedulers()
			.enqueue(request(),
					new Fire("entry", Instant.ofEpochSecond(4_000_000_000L + second), scheduler, true, false));
	}

	RedisBroker broker() {
		return this.broker;
	}

	EnqueueRequest request() {
		return new EnqueueRequest(RedisState.message("default", "t" + ++this.count).build(), new Placement.Pending(),
				null);
	}

	static long asking(Jedis node) {
		return others(node).stream().filter((line) -> line.contains(" cmd=eval")).count();
	}

	/**
	 * Lists connections except the current one and those of subscriptions.
	 */
	static List<String> others(Jedis node) {
		String self = "id=" + node.clientId() + " ";
		return node.clientList()
			.lines()
			.filter((line) -> !line.startsWith(self) && line.contains(" sub=0 ") && line.contains("flags=N")
					|| line.contains("flags=b"))
			.toList();
	}

}
