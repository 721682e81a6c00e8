package io.asynq.server;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.SortedMap;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

import io.asynq.Task;
import io.asynq.group.GroupLimits;
import io.asynq.internal.redis.RedisState;
import io.asynq.internal.redis.TaskMessage;
import io.asynq.test.RedisExtension;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.data.redis.connection.RedisConnectionFactory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * How soon a server notices arrivals.
 */
@ExtendWith(RedisExtension.class)
@Timeout(300)
class WakeUpIT {

	private static final String QUEUE = "default";

	private final RedisConnectionFactory factory;

	private final RedisState state;

	WakeUpIT(RedisConnectionFactory factory) {
		this.factory = factory;
		this.state = new RedisState(factory);
	}

	@Test
	void idleServerIsWokenByArrivalAndResume() {
		BlockingQueue<Instant> handled = new LinkedBlockingQueue<>();
		try (TestServer server = TestServer.builder(this.factory)
			.options((options) -> options.taskCheckInterval(Duration.ofMinutes(5)))
			.handling((task, context) -> {
				handled.add(Instant.now());
				return null;
			})
			.start()) {
			awaitWatching();
			this.state.redis().opsForValue().set("asynq:{default}:paused", "1");
			server.enqueue(message("t1").build());
			this.state.redis().delete("asynq:{default}:paused");
			await().until(() -> handled.size() == 1);
			server.enqueue(message("t2").build());
			await().until(() -> handled.size() == 2);
		}
	}

	@Test
	void lostWatchesAreRestored() {
		BlockingQueue<String> handled = new LinkedBlockingQueue<>();
		try (TestServer server = TestServer.builder(this.factory)
			.options((options) -> options.taskCheckInterval(Duration.ofMinutes(5)))
			.handling((task, context) -> {
				handled.add(context.taskId());
				return null;
			})
			.start()) {
			awaitWatching();
			killReader();
			server.enqueue(message("t1").build());
			await().until(() -> handled.size() == 1);
			awaitWatching();
			server.enqueue(message("t2").build());
			await().until(() -> handled.size() == 2);
		}
	}

	@Test
	void scheduledTaskRunsWhenDue() throws Exception {
		BlockingQueue<Instant> handled = new LinkedBlockingQueue<>();
		try (TestServer server = TestServer.builder(this.factory)
			.options((options) -> options.taskCheckInterval(Duration.ofMinutes(5))
				.delayedTaskCheckInterval(Duration.ofMinutes(5)))
			.handling((task, context) -> {
				handled.add(Instant.now());
				return null;
			})
			.start()) {
			awaitWatching();
			Instant due = Instant.ofEpochSecond(Instant.now().getEpochSecond() + 2);
			server.schedule(message("t1").build(), due);
			Instant started = handled.poll(60, TimeUnit.SECONDS);
			assertThat(Duration.between(due, started)).isGreaterThanOrEqualTo(Duration.ofMillis(-5));
		}
	}

	@Test
	@Tag("slow")
	void unservedQueueIsLeftAlone() throws Exception {
		BlockingQueue<String> handled = new LinkedBlockingQueue<>();
		seedWorkForEveryLoop("other", "o");
		SortedMap<String, Object> before = this.state.dump("other");
		try (TestServer server = TestServer.builder(this.factory)
			.options((options) -> options.delayedTaskCheckInterval(Duration.ofMillis(200))
				.recoverInterval(Duration.ofMillis(200))
				.heartbeatInterval(Duration.ofMillis(500))
				.janitorInterval(Duration.ofMillis(200))
				.groupLimits(GroupLimits.defaults().withMaxSize(1)))
			.aggregator((queue, group, tasks) -> Task.of("joined", group))
			.handling((task, context) -> {
				handled.add(task.type());
				return null;
			})
			.start()) {
			// Twice: the second time each loop has completed its round
			for (String round : List.of("first", "second")) {
				seedWorkForEveryLoop(QUEUE, round);
				assertThat(List.of(next(handled), next(handled), next(handled))).as(round)
					.containsExactlyInAnyOrder("email:send", "email:send", "joined");
				await().untilAsserted(() -> {
					assertThat(this.state.scores(QUEUE, "retry")).as(round).containsKey(round + "-lost");
					this.state.assertCompleted(QUEUE);
				});
			}
			assertThat(this.state.dump("other")).isEqualTo(before);
		}
	}

	/**
	 * Adds due tasks, a lost one, a completed one whose retention is over, and a due
	 * group.
	 */
	private void seedWorkForEveryLoop(String queue, String name) {
		Instant past = Instant.now().minusSeconds(3600);
		this.state.seedScheduled(past, RedisState.message(queue, name + "-scheduled").build());
		this.state.seedRetry(past, RedisState.message(queue, name + "-retry").build());
		this.state.seedActive(past, RedisState.message(queue, name + "-lost").build());
		this.state.seedCompleted(past, RedisState.message(queue, name + "-completed").build());
		this.state.seedGrouped(past, RedisState.message(queue, name + "-grouped").group(name).build());
	}

	private static String next(BlockingQueue<String> handled) throws InterruptedException {
		return String.valueOf(handled.poll(60, TimeUnit.SECONDS));
	}

	/**
	 * Closes the connection over which the server reads the keys it watches.
	 */
	private void killReader() {
		this.state.redis().execute((connection) -> {
			String clients = new String((byte[]) connection.execute("CLIENT", "LIST".getBytes()));
			// That of a server before may still be listed
			List<String> readers = clients.lines().filter((line) -> line.contains(" flags=t ")).toList();
			assertThat(readers).isNotEmpty();
			readers.forEach((reader) -> connection.execute("CLIENT", "KILL".getBytes(), "ID".getBytes(),
					reader.substring("id=".length(), reader.indexOf(' ')).getBytes()));
			return null;
		}, true);
	}

	/**
	 * Waits until pending, paused, scheduled and retry are watched.
	 */
	private void awaitWatching() {
		await().until(() -> this.state.redis()
			.execute((connection) -> connection.serverCommands().info("stats"), true)
			.getProperty("tracking_total_keys")
			.equals("4"));
	}

	private static TaskMessage.Builder message(String id) {
		return RedisState.message(QUEUE, id);
	}

}
