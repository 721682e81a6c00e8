package io.asynq.interop.crash;

import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;

import io.asynq.AsynqClient;
import io.asynq.ClientOptions;
import io.asynq.EnqueueAttempt;
import io.asynq.Task;
import io.asynq.TaskOptions;
import io.asynq.TaskState;
import io.asynq.inspect.AsynqInspector;
import io.asynq.inspect.QueueInfo;
import io.asynq.internal.broker.RedisBroker;
import io.asynq.test.RedisExtension;
import io.asynq.test.TestRedis;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.CleanupMode;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.data.redis.connection.RedisConnectionFactory;
import org.springframework.data.redis.core.StringRedisTemplate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * A worker is killed with SIGKILL while it works; another one takes over.
 */
@Tag("slow")
@ExtendWith(RedisExtension.class)
class CrashIT {

	private static final String QUEUE = "crash";

	private static final int TASKS = 1_000;

	/** Tasks done before the kill, so that the worker is busy. */
	private static final int DONE_FIRST = 100;

	private static final int SIGKILL = 128 + 9;

	private static final int SIGTERM = 128 + 15;

	@TempDir(cleanup = CleanupMode.ON_SUCCESS)
	private Path directory;

	@Test
	void everyTaskRunsAfterKillsAndNothingIsLeftBehind(TestRedis redis, RedisConnectionFactory connections)
			throws InterruptedException {
		Ledger ledger = new Ledger(this.directory.resolve("ledger"));
		RedisBroker broker = new RedisBroker(connections, Clock.systemUTC(), RedisBroker.DEFAULT_LEASE_DURATION,
				(broken) -> {
				});
		AsynqInspector inspector = AsynqInspector.create(broker, Clock.systemUTC());
		StringRedisTemplate raw = new StringRedisTemplate(connections);
		Set<String> ids = enqueue(broker);
		assertThat(raw.keys("asynq:{crash}:unique:*")).hasSize(TASKS);

		long lost = killInTheMiddle(redis, ledger, raw);

		try (WorkerProcess second = WorkerProcess.start(redis.uri(), ledger, this.directory.resolve("second.log"))) {
			await().atMost(Duration.ofMinutes(5))
				.pollInterval(Duration.ofMillis(200))
				.until(() -> !second.isAlive() || inspector.queueInfo(QUEUE).size() == 0);
			assertThat(second.terminate()).isEqualTo(SIGTERM);
		}
		List<String> done = ledger.read();
		assertThat(new HashSet<>(done)).isEqualTo(ids);
		QueueInfo queue = inspector.queueInfo(QUEUE);
		// Totals, because midnight may come meanwhile
		assertThat(queue.failedTotal()).as("tasks taken back").isGreaterThanOrEqualTo(lost);
		assertThat(queue.processedTotal()).isEqualTo(TASKS + queue.failedTotal());
		// Only recovered tasks may have run twice
		assertThat((long) done.size() - TASKS).isBetween(0L, queue.failedTotal());
		assertThat(raw.keys("asynq:{crash}:*"))
			.allMatch((key) -> key.contains(":processed") || key.contains(":failed"));
	}

	private Set<String> enqueue(RedisBroker broker) {
		AsynqClient client = AsynqClient.create(broker, ClientOptions.builder().clock(Clock.systemUTC()).build());
		List<Task> tasks = IntStream.range(0, TASKS).mapToObj((number) -> Task.of("ledger", "task " + number)).toList();
		List<EnqueueAttempt> attempts = client.enqueueAll(tasks,
				TaskOptions.of((options) -> options.queue(QUEUE).unique(Duration.ofHours(1))));
		Set<String> ids = new HashSet<>();
		attempts.forEach((attempt) -> ids.add(attempt.orThrow().id()));
		assertThat(ids).hasSize(TASKS);
		return ids;
	}

	private long killInTheMiddle(TestRedis redis, Ledger ledger, StringRedisTemplate raw) {
		List<String> slow = new ArrayList<>(WorkerProcess.SHORT_LEASES);
		// So that many tasks are left although this machine may stand still before the
		// kill
		slow.add("--work=200ms");
		try (WorkerProcess first = WorkerProcess.start(redis.uri(), ledger, this.directory.resolve("first.log"),
				slow)) {
			await().atMost(Duration.ofMinutes(5))
				.pollInterval(Duration.ofMillis(20))
				.until(() -> !first.isAlive() || ledger.read().size() >= DONE_FIRST);
			assertThat(first.kill()).isEqualTo(SIGKILL);
		}
		assertThat(ledger.read()).hasSizeBetween(DONE_FIRST, TASKS - 1);
		Long active = raw.opsForList().size("asynq:{crash}:" + TaskState.ACTIVE.wireName());
		assertThat(active).isPositive();
		assertThat(raw.opsForZSet().size("asynq:{crash}:lease")).isEqualTo(active);
		return active;
	}

}
