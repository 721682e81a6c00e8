package io.asynq.internal.redis;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

import io.asynq.BrokerUnavailableException;
import io.asynq.internal.broker.RedisBroker;
import io.asynq.internal.worker.ArrivalSubscription;
import io.asynq.test.RedisExtension;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.core.task.SimpleAsyncTaskExecutor;
import org.springframework.data.redis.connection.RedisConnection;
import org.springframework.data.redis.connection.RedisConnectionFactory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

/**
 * How arrivals are reported over Jedis on a standalone Redis.
 */
@ExtendWith(RedisExtension.class)
class ArrivalsIT {

	/** The common pool may have a single thread, which listening would block. */
	private static final Executor THREADS = new SimpleAsyncTaskExecutor("listening-");

	private final BlockingQueue<String> events = new LinkedBlockingQueue<>();

	private final RedisConnectionFactory factory;

	private final RedisState state;

	private final RedisBroker broker;

	private ArrivalSubscription subscription;

	private CompletableFuture<Void> listening;

	ArrivalsIT(RedisConnectionFactory factory) {
		this.factory = factory;
		this.state = new RedisState(factory);
		this.broker = new RedisBroker(factory, Clock.systemUTC(), RedisBroker.DEFAULT_LEASE_DURATION, (task) -> {
		});
	}

	@BeforeEach
	void listen() throws Exception {
		this.subscription = this.broker.arrivals().subscribe(List.of("a", "b"), new HeardArrivals(this.events::add));
		this.listening = CompletableFuture.runAsync(this.subscription::listen, THREADS);
		assertThat(next()).isEqualTo("ready");
	}

	@AfterEach
	void close() {
		this.subscription.close();
		await().until(this.listening::isDone);
	}

	@Test
	void everyEnqueuedTaskIsReported() throws Exception {
		assertThat(this.subscription.watchPending(List.of("a", "b"))).isEmpty();
		push("asynq:{b}:pending");
		assertThat(next()).isEqualTo("pending b");
	}

	@Test
	void queueIsReportedOnceUntilWatchedAgain() throws Exception {
		this.subscription.watchPending(List.of("a", "b"));
		push("asynq:{b}:pending");
		push("asynq:{b}:pending");
		push("asynq:{a}:pending");
		assertThat(next()).isEqualTo("pending b");
		assertThat(next()).isEqualTo("pending a");
		assertThat(this.subscription.watchPending(List.of("a", "b"))).containsExactlyInAnyOrder("a", "b");
		push("asynq:{b}:pending");
		assertThat(next()).isEqualTo("pending b");
	}

	@Test
	void pendingTasksAreReportedOnWatchUnlessPaused() {
		push("asynq:{a}:pending");
		push("asynq:{b}:pending");
		this.state.redis().opsForValue().set("asynq:{b}:paused", "1");
		assertThat(this.subscription.watchPending(List.of("a", "b"))).containsExactly("a");
	}

	@Test
	void resumeOfPausedQueueIsReported() throws Exception {
		this.state.redis().opsForValue().set("asynq:{a}:paused", "1");
		this.subscription.watchPending(List.of("a"));
		this.state.redis().delete("asynq:{a}:paused");
		assertThat(next()).isEqualTo("pending a");
	}

	@Test
	void scheduledAndRetryTasksAreReportedAsDelayed() throws Exception {
		this.subscription.watchDelayed(List.of("a", "b"));
		this.state.seedScheduled(Instant.now(), RedisState.message("a", "t1").build());
		assertThat(next()).isEqualTo("delayed a");
		this.state.seedRetry(Instant.now(), RedisState.message("b", "t2").build());
		assertThat(next()).isEqualTo("delayed b");
	}

	@Test
	void otherQueuesAndKeysAreNotReported() throws Exception {
		this.subscription.watchPending(List.of("a"));
		push("asynq:{c}:pending");
		push("asynq:{a}:active");
		push("asynq:{a}:pending");
		assertThat(next()).isEqualTo("pending a");
	}

	@Test
	void watchReportsBrokenReadConnection() {
		this.subscription.watchPending(List.of("a"));
		String clients = this.state.redis()
			.execute((connection) -> new String((byte[]) connection.execute("CLIENT", "LIST".getBytes())), true);
		// That of a test before may still be listed
		List<String> readers = clients.lines().filter((line) -> line.contains(" flags=t ")).toList();
		assertThat(readers).isNotEmpty();
		for (String reader : readers) {
			String id = reader.substring("id=".length(), reader.indexOf(' '));
			this.state.redis()
				.execute(
						(connection) -> connection.execute("CLIENT", "KILL".getBytes(), "ID".getBytes(), id.getBytes()),
						true);
		}
		assertThatExceptionOfType(BrokerUnavailableException.class)
			.isThrownBy(() -> this.subscription.watchPending(List.of("a")));
	}

	@Test
	void flushIsReportedForEveryQueueAndBreaksNoConnection() {
		try (RedisConnection connection = this.factory.getConnection()) {
			connection.serverCommands().flushDb();
		}
		await().until(() -> this.events.containsAll(List.of("pending a", "delayed a", "pending b", "delayed b")));
		for (int i = 0; i < 20; i++) {
			this.state.redis().opsForValue().set("asynq:{a}:paused", "value" + i);
			assertThat(this.state.redis().opsForValue().get("asynq:{a}:paused")).isEqualTo("value" + i);
		}
	}

	@Test
	void closingEndsSubscriptionAtOnceAndReleasesConnections() {
		this.subscription.close();
		assertThat(this.listening).succeedsWithin(Duration.ofSeconds(60));
		await().until(() -> this.state.redis()
			.execute((connection) -> !new String((byte[]) connection.execute("CLIENT", "LIST".getBytes()))
				.matches("(?s).* flags=(P|t) .*"), true));
	}

	@Test
	void poolOfApplicationIsNotUsed() throws Exception {
		List<RedisConnection> all = new ArrayList<>();
		for (int i = 0; i < 8; i++) {
			RedisConnection connection = this.factory.getConnection();
			connection.ping();
			all.add(connection);
		}
		this.subscription.watchPending(List.of("b"));
		push("asynq:{b}:pending");
		assertThat(next()).isEqualTo("pending b");
		all.forEach(RedisConnection::close);
	}

	@Test
	void brokenConnectionIsDetected() {
		this.state.redis()
			.execute((connection) -> connection.execute("CLIENT", "KILL".getBytes(), "TYPE".getBytes(),
					"pubsub".getBytes()), true);
		assertThat(this.listening).failsWithin(Duration.ofMinutes(1))
			.withThrowableThat()
			.withCauseInstanceOf(BrokerUnavailableException.class);
	}

	private void push(String key) {
		this.state.redis().opsForList().leftPush(key, "t1");
	}

	private String next() throws InterruptedException {
		return this.events.poll(60, TimeUnit.SECONDS);
	}

}
