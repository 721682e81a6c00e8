package io.asynq.server;

import java.time.Duration;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

import io.asynq.handler.HandlerLimits;
import io.asynq.handler.TaskHandlerFunction;
import io.asynq.handler.TaskMux;
import io.asynq.internal.redis.RedisState;
import io.asynq.internal.redis.TaskMessage;
import io.asynq.limit.TaskLimit;
import io.asynq.test.LettuceRedisExtension;
import io.asynq.test.RedisExtension;
import io.asynq.test.TestRedis;
import io.asynq.test.Tier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.beans.factory.DisposableBean;
import org.springframework.data.redis.connection.RedisConnectionFactory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * Every task that is taken is at all times in exactly one place that renews its lease,
 * and leaves by an outcome, whatever becomes of connections and of Redis: none is left
 * behind, runs twice, or counts as failed without having run. Each may be tried only
 * once.
 */
@Tag("slow")
@Timeout(300)
class TakenTasksIT {

	private static final String QUEUE = "default";

	private final Queue<String> ran = new ConcurrentLinkedQueue<>();

	private final TestRedis redis = TestRedis.startOwn("appendonly yes",
			"appendfsync " + Tier.choose("everysec", "always"));

	private RedisConnectionFactory factory;

	private int tasks;

	@AfterEach
	void stop() throws Exception {
		((DisposableBean) this.factory).destroy();
		this.redis.stop();
	}

	@ParameterizedTest
	@ValueSource(strings = { "jedis", "lettuce" })
	void allTasksRunOnceThoughConnectionsAreKilled(String driver) {
		run(driver, "free", Tier.choose(1000, 8000), this::killConnections);
	}

	@ParameterizedTest
	@CsvSource({ "jedis, free", "lettuce, free", "jedis, limited", "lettuce, limited" })
	@Tag("full")
	void allTasksRunOnceThoughRedisIsAwayForThreeSeconds(String driver, String type) {
		run(driver, type, 2000, () -> {
			this.redis.node().kill();
			LockSupport.parkNanos(Duration.ofSeconds(3).toNanos());
			this.redis.node().restart();
		});
	}

	@ParameterizedTest
	@ValueSource(strings = { "jedis", "lettuce" })
	@Tag("full")
	void allLimitedTasksRunOnceThoughConnectionsAreKilled(String driver) {
		run(driver, "limited", 2000, this::killConnections);
	}

	private void killConnections() {
		for (int kills = 0; kills < Tier.choose(10, 60) && this.ran.size() < this.tasks; kills++) {
			this.redis.node().call((jedis) -> jedis.sendCommand(() -> "CLIENT".getBytes(), "KILL", "TYPE", "normal"));
			LockSupport.parkNanos(Duration.ofMillis(60).toNanos());
		}
	}

	private void run(String driver, String type, int tasks, Runnable faults) {
		this.tasks = tasks;
		this.factory = driver.equals("jedis") ? RedisExtension.connectionFactory(this.redis)
				: LettuceRedisExtension.connectionFactory(this.redis);
		RedisState state = new RedisState(this.factory);
		Set<String> ids = IntStream.range(0, tasks).mapToObj((i) -> "t" + i).collect(Collectors.toSet());
		ids.forEach((id) -> state
			.seedPending(TaskMessage.builder(type, id, QUEUE).maxRetry(0).timeoutSeconds(1800).build()));
		TaskHandlerFunction work = (task, context) -> {
			LockSupport.parkNanos(Duration.ofMillis(2).toNanos());
			this.ran.add(context.taskId());
			return null;
		};
		TaskMux mux = new TaskMux().handle("free", work).handle("limited", work, HandlerLimits.of("api"));
		try (TestServer server = TestServer.builder(this.factory)
			.options((options) -> options.concurrency(8).limit("api", TaskLimit.concurrent(4)))
			.handling(mux)
			.start()) {
			await().until(() -> this.ran.size() > tasks / 10);
			faults.run();
			Set<String> done = ConcurrentHashMap.newKeySet();
			await().atMost(Duration.ofMinutes(3)).until(() -> {
				done.addAll(this.ran);
				return done.containsAll(ids);
			});
			await().ignoreExceptions().untilAsserted(() -> state.assertActive(QUEUE));
		}
		assertThat(this.ran).as("ran").doesNotHaveDuplicates().hasSize(tasks);
		state.assertArchived(QUEUE);
		state.assertRetry(QUEUE);
		assertThat(state.exists("asynq:{default}:failed")).isFalse();
	}

}
