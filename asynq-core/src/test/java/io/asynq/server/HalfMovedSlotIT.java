package io.asynq.server;

import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import io.asynq.ClientOptions;
import io.asynq.Task;
import io.asynq.TaskInfo;
import io.asynq.internal.lifecycle.LoopErrorLog;
import io.asynq.internal.redis.TaskMessage;
import io.asynq.schedule.AsynqScheduler;
import io.asynq.schedule.PeriodicTaskDefinition;
import io.asynq.schedule.SchedulerListener;
import io.asynq.schedule.SchedulerOptions;
import io.asynq.test.RedisClusterExtension;
import io.asynq.test.TestRedisCluster;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.slf4j.LoggerFactory;
import org.springframework.data.redis.connection.jedis.JedisConnectionFactory;
import redis.clients.jedis.util.JedisClusterCRC16;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * The move of a slot has begun and does not continue, as when resharding is interrupted:
 * Redis refuses all commands that need several keys of the queue.
 */
@Timeout(600)
class HalfMovedSlotIT {

	private static final String QUEUE = "half-moved";

	/** Longer than anything here takes on a slow machine. */
	private static final Duration LEASE = Duration.ofMinutes(5);

	private static final Duration LONG = Duration.ofMinutes(2);

	private static final int FAILURES = 10;

	private static final long INTERVAL_MILLIS = 3000;

	private final TestRedisCluster cluster = TestRedisCluster.startOwn();

	private final JedisConnectionFactory factory = RedisClusterExtension.connectionFactory(this.cluster);

	private final Set<String> done = ConcurrentHashMap.newKeySet();

	private final CountDownLatch begun = new CountDownLatch(1);

	private final CountDownLatch end = new CountDownLatch(1);

	private final Queue<String> fired = new ConcurrentLinkedQueue<>();

	private final Queue<Exception> failures = new ConcurrentLinkedQueue<>();

	private final Logger logger = (Logger) LoggerFactory.getLogger("io.asynq");

	private final ListAppender<ILoggingEvent> logged = new ListAppender<>();

	@BeforeEach
	void listen() {
		this.logged.start();
		this.logger.addAppender(this.logged);
	}

	@AfterEach
	void stop() {
		this.logger.detachAppender(this.logged);
		this.factory.destroy();
		this.cluster.stop();
	}

	@Test
	@Tag("slow")
	void halfMovedSlotInterruptsNoTasksAndFillsNoLog() throws Exception {
		TestServer server = TestServer.builder(this.factory)
			.lease(LEASE)
			.options((options) -> options.queue(QUEUE, 1).heartbeatInterval(Duration.ofSeconds(1)))
			.handling((task, context) -> {
				if (task.type().equals("long")) {
					this.begun.countDown();
					this.end.await();
				}
				this.done.add(context.taskId());
				return null;
			});
		AsynqScheduler scheduler = scheduler(server);
		for (int i = 0; i < 5; i++) {
			scheduler.register(PeriodicTaskDefinition.of("@every 1s", Task.of("tick", "{}"))
				.id("tick-" + i)
				.options((options) -> options.queue(QUEUE)));
		}
		try (server) {
			server.start();
			server.enqueue(TaskMessage.builder("long", "long", QUEUE).timeoutSeconds(1800).build());
			assertThat(this.begun.await(1, TimeUnit.MINUTES)).isTrue();
			try (AutoCloseable move = this.cluster
				.halfMove(JedisClusterCRC16.getSlot("asynq:{" + QUEUE + "}:pending"))) {
				scheduler.start();
				await().atMost(LONG).until(() -> this.failures.size() >= FAILURES);
			}
			int before = this.fired.size();
			await().atMost(LONG).until(() -> this.fired.size() >= before + 10);
			this.end.countDown();
			await().atMost(LONG).until(() -> this.done.contains("long") && this.done.containsAll(this.fired));
			assertThat(server.server().statistics().leasesLost()).isZero();
			assertThat(this.fired).doesNotHaveDuplicates();
		}
		finally {
			scheduler.stop();
		}
		List<ILoggingEvent> told = this.logged.list.stream()
			.filter((line) -> line.getFormattedMessage().contains("TRYAGAIN"))
			.toList();
		assertThat(told).isNotEmpty()
			.allSatisfy((line) -> assertThat(line.getLoggerName()).isEqualTo(LoopErrorLog.class.getName()));
		apart(told.stream()
			.filter((line) -> line.getFormattedMessage().contains("no task could be enqueued"))
			.toList());
		apart(told.stream()
			.filter((line) -> !line.getFormattedMessage().contains("no task could be enqueued"))
			.toList());
	}

	private static void apart(List<ILoggingEvent> lines) {
		for (int i = 1; i < lines.size(); i++) {
			assertThat(lines.get(i).getTimeStamp() - lines.get(i - 1).getTimeStamp())
				.isGreaterThanOrEqualTo(INTERVAL_MILLIS - 500);
		}
	}

	private AsynqScheduler scheduler(TestServer server) {
		SchedulerListener listener = new SchedulerListener() {

			@Override
			public void afterEnqueue(String entryId, @Nullable TaskInfo info, @Nullable Exception error) {
				if (info != null) {
					HalfMovedSlotIT.this.fired.add(info.id());
				}
				else {
					HalfMovedSlotIT.this.failures.add(error);
				}
			}

		};
		return AsynqScheduler.create(server.broker, ClientOptions.builder().clock(Clock.systemUTC()).build(),
				SchedulerOptions.builder().clock(Clock.systemUTC()).build(), List.of(listener));
	}

}
