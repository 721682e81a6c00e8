package io.asynq.internal.redis;

import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Properties;
import java.util.function.Consumer;
import java.util.function.LongConsumer;
import java.util.stream.IntStream;

import io.asynq.internal.broker.RedisBroker;
import io.asynq.internal.enqueue.EnqueueRequest;
import io.asynq.internal.enqueue.Placement;
import io.asynq.internal.lane.Lanes;
import io.asynq.internal.lane.QueueRound;
import io.asynq.internal.limit.LimitClaim;
import io.asynq.internal.limit.LimitRule;
import io.asynq.internal.limit.WaitingTasks;
import io.asynq.internal.worker.Due;
import io.asynq.internal.worker.LeasedTask;
import io.asynq.internal.worker.LimitClass;
import io.asynq.internal.worker.Outcome;
import io.asynq.test.RedisExtension;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.data.redis.connection.RedisConnectionFactory;
import org.springframework.data.redis.core.RedisCallback;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * What keys of a limit take in Redis: see docs/concurrency.md.
 */
@ExtendWith(RedisExtension.class)
@Timeout(300)
@Tag("full")
class ManyLimitKeysIT {

	private static final int KEYS = 100_000;

	/** As many tokens as a server gives back at once. */
	private static final int CHUNK = 100;

	private static final String QUEUE = "default";

	private final RedisState state;

	private final RedisBroker broker;

	private final WaitingTasks tasks;

	ManyLimitKeysIT(RedisConnectionFactory connections) {
		this.state = new RedisState(connections);
		this.broker = new RedisBroker(connections, Clock.systemUTC(), Duration.ofMinutes(10), (broken) -> {
		});
		this.tasks = new WaitingTasks(this.broker.limits(), new QueueRound("limits", Lanes.single()), (queue) -> {
		});
	}

	@Test
	void keyTakesLittleMemoryWhileATaskRunsOrWaitsAndNoneWhenItIsIdle() {
		announce(new LimitRule(1, 0, 0, null));
		// What few keys leave does not belong to keys: texts of scripts, for example
		runThenWait(10 * CHUNK);
		endAll(10 * CHUNK);
		awaitIdle((left) -> {
		});
		long none = memory();
		inChunks(KEYS, (keys) -> this.broker.limits().take(claims(keys, "runs")));
		assertThat((memory() - none) / KEYS).as("bytes of a key with a running task").isBetween(100L, 300L);
		inChunks(KEYS, (keys) -> release(keys, "runs"));
		long waits = runThenWait(KEYS);
		assertThat(this.state.redis().opsForZSet().zCard("asynqj:{default}:waiting")).isEqualTo(KEYS);
		assertThat(waits / KEYS).as("more bytes for a waiting task and its key").isBetween(200L, 600L);
		endAll(KEYS);
		awaitIdle((left) -> assertThat(left - none).as("bytes when all keys are idle").isLessThan(KEYS * 10L));
	}

	/**
	 * Returns by how many bytes more Redis holds when active tasks have begun to wait.
	 */
	private long runThenWait(int count) {
		inChunks(count, (keys) -> this.broker.limits().take(claims(keys, "runs")));
		inChunks(count, (keys) -> enqueue(keys));
		List<LeasedTask> active = new ArrayList<>();
		while (active.size() < count) {
			active.addAll(this.broker.dequeuer().dequeue(QUEUE, 64).tasks());
		}
		long before = memory();
		for (int i = 0; i < count; i += CHUNK) {
			List<LeasedTask> chunk = active.subList(i, i + CHUNK);
			this.broker.completer()
				.report(chunk.stream()
					.<Outcome>map((task) -> new Outcome.Wait(task, need(task), Due.in(Duration.ofHours(1))))
					.toList());
			this.tasks.wake(this.broker.limits().lineUp(chunk.stream().map(ManyLimitKeysIT::need).toList()));
		}
		return memory() - before;
	}

	private void endAll(int count) {
		inChunks(count, (keys) -> release(keys, "runs"));
		this.broker.queueKeeper().delete(QUEUE, true);
	}

	private void awaitIdle(LongConsumer memory) {
		await().atMost(Duration.ofMinutes(1)).untilAsserted(() -> {
			this.tasks.sweep();
			for (int i = 0; i < 500; i++) {
				this.tasks.look(true, 0);
			}
			assertThat(this.state.redis().keys("asynqj:*")).isSubsetOf("asynqj:limits:{limits}:rules",
					"asynqj:limits:{limits}:turn", "asynqj:limits:{limits}:clock", "asynqj:limits:{limits}:swept");
			memory.accept(memory());
		});
	}

	@Test
	void keyOfARateIsForgottenAfterAMinute() {
		announce(new LimitRule(0, 100_000, 10, "10/s"));
		inChunks(1000, (keys) -> this.broker.limits().take(claims(keys, "runs")));
		inChunks(1000, (keys) -> release(keys, "runs"));
		List<String> rates = List.copyOf(this.state.redis().keys("asynqj:limits:{limits}:rate:*"));
		assertThat(rates).isNotEmpty()
			.allSatisfy((rate) -> assertThat(this.state.redis().getExpire(rate)).isBetween(0L, 61L));
		assertThat(this.state.redis().keys("asynqj:*")).hasSizeLessThanOrEqualTo(rates.size() + 2);
	}

	private void release(List<Integer> keys, String attempt) {
		this.tasks.wake(this.broker.limits().release(claims(keys, attempt)));
	}

	private void announce(LimitRule rule) {
		this.broker.limits().announce(Map.of("tenant", rule));
	}

	private void enqueue(List<Integer> keys) {
		this.broker.enqueuer()
			.enqueueAll(keys.stream()
				.map((key) -> new EnqueueRequest(RedisState.message(QUEUE, "t" + key).build(), new Placement.Pending(),
						null))
				.toList());
	}

	private static void inChunks(int all, Consumer<List<Integer>> call) {
		for (int i = 0; i < all; i += CHUNK) {
			call.accept(IntStream.range(i, i + CHUNK).boxed().toList());
		}
	}

	private static List<LimitClaim> claims(List<Integer> keys, String attempt) {
		return keys.stream().map((key) -> new LimitClaim(need("t" + key), "r" + key, attempt, false)).toList();
	}

	private static LimitClass need(LeasedTask task) {
		return need(task.message().id());
	}

	private static LimitClass need(String key) {
		return LimitClass.of(QUEUE, List.of(LimitClass.need("tenant", key)));
	}

	private long memory() {
		Properties info = Objects.requireNonNull(this.state.redis()
			.execute((RedisCallback<Properties>) (connection) -> connection.serverCommands().info("memory")));
		return Long.parseLong(info.getProperty("used_memory"));
	}

}
