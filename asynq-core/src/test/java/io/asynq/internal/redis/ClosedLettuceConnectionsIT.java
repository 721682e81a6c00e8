package io.asynq.internal.redis;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.BiConsumer;
import java.util.function.Consumer;

import io.asynq.BrokerUnavailableException;
import io.asynq.TaskIdConflictException;
import io.asynq.internal.broker.RedisBroker;
import io.asynq.internal.enqueue.EnqueueRequest;
import io.asynq.test.LettuceRedisExtension;
import io.asynq.test.TestRedis;
import io.asynq.test.process.RequiresGo;
import io.asynq.test.redis.LossyProxy;
import io.lettuce.core.ClientOptions;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.springframework.core.task.SimpleAsyncTaskExecutor;
import org.springframework.data.redis.connection.RedisStandaloneConfiguration;
import org.springframework.data.redis.connection.lettuce.LettuceClientConfiguration;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;
import redis.clients.jedis.Jedis;
import redis.clients.jedis.args.ClientType;
import redis.clients.jedis.params.ClientKillParams;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Redis closes the connection that all callers share.
 */
@Tag("slow")
class ClosedLettuceConnectionsIT {

	private static final int CALLERS = 8;

	private static final Duration TIMEOUT = Duration.ofSeconds(5);

	private TestRedis redis = TestRedis.startOwn();

	private final LettuceConnectionFactory factory = LettuceRedisExtension.connectionFactory(this.redis);

	private final ClosedConnections application = new ClosedConnections(this.factory);

	@BeforeEach
	void connect() {
		this.application.broker().enqueuer().enqueue(this.application.request());
	}

	@AfterEach
	void stop() {
		this.factory.destroy();
		this.redis.stop();
	}

	@Test
	void noCallFailsAfterConnectionsAreKilled() {
		admin((admin) -> {
			this.application.awaitIdle(admin);
			kill(admin);
		});
		this.application.assertAllCallsSucceed();
	}

	@Test
	void noCallFailsAfterRestart() {
		int port = this.redis.port();
		this.redis.stop();
		this.redis = TestRedis.startOwn(port);
		this.application.assertAllCallsSucceed();
	}

	@Test
	@RequiresGo
	void enqueueWithLostAnswerFailsAndIsNotRepeated() {
		withRelay((relay, other) -> {
			listQueue(other);
			relay.loseAnswerTo("asynq:{default}:pending");
			assertThatExceptionOfType(BrokerUnavailableException.class)
				.isThrownBy(() -> other.broker().enqueuer().enqueue(other.request()))
				.withMessageContaining("the task may have been stored: look for its id before you enqueue it again");
			assertThat(relay.lost()).isEqualTo(1);
			assertThat(pending()).containsExactly("t2", "t1");
		});
	}

	@Test
	@RequiresGo
	void enqueueWithLostAnswerIsNotRepeatedOnceTaskIsGone() {
		withRelay((relay, other) -> {
			listQueue(other);
			relay.proxy().dropAnswers(Duration.ZERO);
			EnqueueRequest request = other.request();
			CompletableFuture<Void> call = CompletableFuture.runAsync(() -> other.broker().enqueuer().enqueue(request),
					new SimpleAsyncTaskExecutor());
			Awaitility.await().until(() -> pending().contains("t2"));
			admin((admin) -> admin.flushAll());
			relay.proxy().heal();
			assertThat(call).failsWithin(Duration.ofMinutes(1))
				.withThrowableThat()
				.withCauseInstanceOf(BrokerUnavailableException.class);
			assertThat(pending()).isEmpty();
			other.assertAllCallsSucceed();
		});
	}

	@Test
	void callsInFlightAtDisconnectAreNotRepeatedAndAnswersStayMatched() throws Exception {
		ExecutorService callers = Executors.newFixedThreadPool(CALLERS);
		try {
			List<Future<?>> calls = new ArrayList<>();
			admin((admin) -> {
				admin.sendCommand(() -> "CLIENT".getBytes(), "PAUSE", "600000", "WRITE");
				for (int i = 0; i < CALLERS; i++) {
					EnqueueRequest request = this.application.request();
					calls.add(callers.submit(() -> this.application.broker().enqueuer().enqueue(request)));
				}
				// All share one connection, and Redis reads the commands behind the first
				// one later
				Awaitility.await().until(() -> ClosedConnections.asking(admin) == 1);
				kill(admin);
				admin.sendCommand(() -> "CLIENT".getBytes(), "UNPAUSE");
			});
			int stored = 1;
			for (Future<?> call : calls) {
				try {
					call.get();
					stored++;
				}
				catch (ExecutionException ex) {
					assertThat(ex).hasCauseInstanceOf(BrokerUnavailableException.class);
				}
			}
			assertThat(stored).isLessThanOrEqualTo(CALLERS);
			assertThat(pending()).hasSize(stored);
		}
		finally {
			callers.shutdown();
		}
		this.application.assertAllCallsSucceed();
	}

	@Test
	void interruptedCallerGetsAnswerAndStaysInterrupted() {
		admin(this.application::awaitIdle);
		Thread.currentThread().interrupt();
		try {
			this.application.broker().enqueuer().enqueue(this.application.request());
		}
		finally {
			assertThat(Thread.interrupted()).isTrue();
		}
		assertThat(pending()).containsExactly("t2", "t1");
	}

	@Test
	void enqueueUnansweredAtShutdownFails() throws Exception {
		ExecutorService callers = Executors.newSingleThreadExecutor();
		try {
			List<Future<?>> calls = new ArrayList<>();
			admin((admin) -> {
				admin.sendCommand(() -> "CLIENT".getBytes(), "PAUSE", "600000", "WRITE");
				EnqueueRequest request = this.application.request();
				calls.add(callers.submit(() -> this.application.broker().enqueuer().enqueue(request)));
				// The check has been answered, so the script is waiting
				Awaitility.await()
					.until(() -> ClosedConnections.others(admin)
						.stream()
						.anyMatch((line) -> line.contains("cmd=evalsha") && line.contains("flags=b")));
				this.factory.destroy();
				admin.sendCommand(() -> "CLIENT".getBytes(), "UNPAUSE");
			});
			assertThatExceptionOfType(ExecutionException.class).isThrownBy(calls.get(0)::get)
				.havingCause()
				.isInstanceOf(BrokerUnavailableException.class)
				.withMessageContaining("the task may have been stored");
		}
		finally {
			callers.shutdown();
		}
	}

	@Test
	@RequiresGo
	void enqueueWithLostAnswerFailsWithoutAutoReconnect() {
		try (LossyProxy relay = LossyProxy.start(this.redis.port())) {
			LettuceConnectionFactory through = new LettuceConnectionFactory(
					new RedisStandaloneConfiguration("127.0.0.1", relay.port()),
					LettuceClientConfiguration.builder()
						.clientOptions(ClientOptions.builder().autoReconnect(false).build())
						.build());
			through.afterPropertiesSet();
			through.start();
			try {
				ClosedConnections other = new ClosedConnections(through);
				listQueue(other);
				relay.loseAnswerTo("asynq:{default}:pending");
				assertThatExceptionOfType(BrokerUnavailableException.class)
					.isThrownBy(() -> other.broker().enqueuer().enqueue(other.request()))
					.withMessageContaining("the task may have been stored");
				assertThatExceptionOfType(BrokerUnavailableException.class)
					.isThrownBy(() -> other.broker().enqueuer().enqueue(other.request()))
					.withMessageContaining("not connected");
			}
			finally {
				through.destroy();
			}
		}
	}

	@Test
	@RequiresGo
	void readWithLostAnswerIsRepeated() {
		withRelay((relay, other) -> {
			relay.loseAnswerTo("asynq:{default}:t:t1");
			assertThat(other.broker().tasks().find("default", "t1")).isPresent();
			assertThat(relay.lost()).isEqualTo(1);
		});
	}

	@Test
	void timedOutCallIsReportedAndNotRepeated() {
		LettuceConnectionFactory impatient = new LettuceConnectionFactory(this.factory.getStandaloneConfiguration(),
				LettuceClientConfiguration.builder().commandTimeout(TIMEOUT).build());
		impatient.afterPropertiesSet();
		impatient.start();
		try {
			RedisBroker broker = new ClosedConnections(impatient).broker();
			assertThat(broker.tasks().find("default", "t1")).isPresent();
			admin((admin) -> {
				admin.configResetStat();
				admin.sendCommand(() -> "CLIENT".getBytes(), "PAUSE", "600000", "WRITE");
				assertThatExceptionOfType(BrokerUnavailableException.class)
					.isThrownBy(() -> broker.tasks().find("default", "t1"));
				admin.sendCommand(() -> "CLIENT".getBytes(), "UNPAUSE");
				// Uses the same connection, so it follows all commands that waited there
				assertThat(broker.tasks().find("default", "t1")).isPresent();
				assertThat(admin.info("commandstats")).contains("cmdstat_evalsha:calls=2,");
			});
		}
		finally {
			impatient.destroy();
		}
	}

	@Test
	@RequiresGo
	void fireWithLostAnswerIsRepeatedAndStoredOnce() {
		withRelay((relay, other) -> {
			admin((admin) -> admin.flushAll());
			relay.loseAnswerTo(":fire:entry:");
			assertThat(other.fire("scheduler", 1)).isTrue();
			assertThat(relay.lost()).isEqualTo(1);
			assertThat(pending()).containsExactly("t1");
		});
	}

	/**
	 * Makes one call, so that the queue is listed and the script loaded; a task with this
	 * id exists.
	 */
	private static void listQueue(ClosedConnections other) {
		assertThatExceptionOfType(TaskIdConflictException.class)
			.isThrownBy(() -> other.broker().enqueuer().enqueue(other.request()));
	}

	private void withRelay(BiConsumer<LossyProxy, ClosedConnections> test) {
		try (LossyProxy relay = LossyProxy.start(this.redis.port())) {
			LettuceConnectionFactory through = (LettuceConnectionFactory) relay.connectionsLike(this.factory);
			try {
				test.accept(relay, new ClosedConnections(through));
			}
			finally {
				through.destroy();
			}
		}
	}

	private List<String> pending() {
		try (Jedis admin = this.redis.node().connect()) {
			return admin.lrange("asynq:{default}:pending", 0, -1);
		}
	}

	private void admin(Consumer<Jedis> use) {
		try (Jedis admin = this.redis.node().connect()) {
			use.accept(admin);
		}
	}

	private static void kill(Jedis admin) {
		admin.clientKill(new ClientKillParams().type(ClientType.NORMAL).skipMe(ClientKillParams.SkipMe.YES));
	}

}
