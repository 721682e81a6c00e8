package io.asynq.broker.redis;

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
import io.asynq.broker.EnqueueRequest;
import io.asynq.broker.EnqueueResult;
import io.asynq.broker.EnqueueStatus;
import io.asynq.broker.Fire;
import io.asynq.broker.Placement;
import org.awaitility.Awaitility;
import redis.clients.jedis.Jedis;

import org.springframework.data.redis.connection.RedisConnectionFactory;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * An application's calls, one after the other over connections that have been idle, and
 * what Redis sees of them.
 */
final class ClosedConnections {

	/** As many as Spring Boot has by default. */
	private static final int CONNECTIONS = 8;

	private static final int ROUNDS = 4;

	private final RedisBroker broker;

	private int count;

	ClosedConnections(RedisConnectionFactory factory) {
		this.broker = new RedisBroker(factory, Clock.systemUTC(), RedisBroker.DEFAULT_LEASE_DURATION, (task) -> {
		});
	}

	/**
	 * Has the driver open connections by calling at the same time while Redis pauses, and
	 * waits until they have been idle.
	 * @param node the Redis that is called
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
	 * Waits until nobody has asked anything for a second.
	 * @param node the Redis that is called
	 */
	void awaitIdle(Jedis node) {
		Awaitility.await().until(() -> others(node).stream().noneMatch((line) -> line.contains(" idle=0 ")));
	}

	/**
	 * Makes 24 calls as client, inspector and scheduler do; each has to succeed.
	 */
	void assertAllCallsSucceed() {
		for (int i = 0; i < ROUNDS; i++) {
			assertThat(this.broker.enqueuer().enqueue(request())).isEqualTo(EnqueueStatus.ENQUEUED);
			assertThat(this.broker.enqueuer().enqueueAll(List.of(request(), request())))
				.extracting(EnqueueResult::error)
				.containsOnlyNulls();
			assertThat(this.broker.queues().groups("default")).isEmpty();
			assertThat(this.broker.tasks().find("default", "t" + this.count)).isPresent();
			assertThat(this.broker.taskLists().list("default", TaskState.PENDING, 0, 1)).hasSize(1);
			assertThat(fire("scheduler" + i, i)).contains(EnqueueStatus.ENQUEUED);
		}
	}

	/**
	 * Makes calls.
	 * @return what those threw that failed
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

	Optional<EnqueueStatus> fire(String scheduler, int second) {
		return this.broker.fires()
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
	 * Lists connections but for the one that asks and those that listen.
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
