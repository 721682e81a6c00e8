package io.asynq.server;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import io.asynq.AsynqException;
import io.asynq.internal.redis.RedisState;
import io.asynq.test.TestRedis;
import io.asynq.test.Tier;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.slf4j.LoggerFactory;
import org.springframework.data.redis.connection.RedisStandaloneConfiguration;
import org.springframework.data.redis.connection.jedis.JedisClientConfiguration;
import org.springframework.data.redis.connection.jedis.JedisConnectionFactory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * A server whose Redis is not up yet, or is unavailable for a while.
 */
@Timeout(300)
class RedisOutageIT {

	private final int port = TestRedis.freePort();

	@Test
	@Tag("slow")
	void startsWithoutRedisLogsRarelyAndWorksOnceItIsUp() throws Exception {
		Logger logger = (Logger) LoggerFactory.getLogger("io.asynq");
		ListAppender<ILoggingEvent> log = new ListAppender<>();
		log.start();
		logger.addAppender(log);
		BlockingQueue<String> handled = new LinkedBlockingQueue<>();
		JedisConnectionFactory factory = factory();
		try (TestServer server = TestServer.builder(factory).handling((task, context) -> {
			handled.add(context.taskId());
			return null;
		}).start()) {
			assertThat(server.server().state()).isEqualTo(ServerState.ACTIVE);
			long start = System.nanoTime();
			await().until(() -> System.nanoTime() - start > Tier.choose(4_000_000_000L, 7_000_000_000L));
			List<ILoggingEvent> warnings = List.copyOf(log.list)
				.stream()
				.filter((event) -> event.getLevel() == Level.WARN)
				.toList();
			int threeSeconds = (int) ((System.nanoTime() - start) / 3_000_000_000L);
			assertThat(warnings).as("one line every three seconds")
				.hasSizeBetween(1, threeSeconds + 2)
				.allSatisfy((event) -> assertThat(event.getFormattedMessage()).contains("Redis cannot be reached"))
				.allSatisfy((event) -> assertThat(event.getThrowableProxy()).isNull());
			TestRedis redis = TestRedis.startOwn(this.port);
			try {
				await().ignoreExceptionsInstanceOf(AsynqException.class).until(() -> {
					server.enqueue(RedisState.message("default", "t1").build());
					return true;
				});
				assertThat(handled.poll(60, TimeUnit.SECONDS)).isEqualTo("t1");
				await().untilAsserted(() -> assertThat(server.server().health().loops())
					.as("also those that listen for as long as Redis is up")
					.allSatisfy((loop) -> assertThat(loop.error()).as(loop.name()).isNull()));
			}
			finally {
				server.stop();
				redis.stop();
			}
		}
		finally {
			logger.detachAppender(log);
			factory.destroy();
		}
	}

	@Test
	void outcomeMissedByRedisIsWrittenAfterOutage(@TempDir Path directory) throws Exception {
		String[] durable = { "appendonly yes", "appendfsync always", "dir " + directory };
		TestRedis redis = TestRedis.startOwn(this.port, durable);
		JedisConnectionFactory factory = factory();
		CountDownLatch running = new CountDownLatch(1);
		CountDownLatch release = new CountDownLatch(1);
		RedisState state = new RedisState(factory);
		try (TestServer server = TestServer.builder(factory).handling((task, context) -> {
			running.countDown();
			release.await();
			return null;
		}).start()) {
			server.enqueue(RedisState.message("default", "t1").build());
			assertThat(running.await(60, TimeUnit.SECONDS)).isTrue();
			redis.stop();
			release.countDown();
			await().until(() -> server.server().statistics().activeWorkers() == 0);
			await().until(() -> server.server().statistics().unwrittenOutcomes() == 1);
			redis = TestRedis.startOwn(this.port, durable);
			await().ignoreExceptions().untilAsserted(() -> {
				state.assertActive("default");
				assertThat(state.value("default", "processed")).isEqualTo("1");
			});
			assertThat(server.server().statistics().outcomesDropped()).isZero();
			await().until(() -> server.server().statistics().unwrittenOutcomes() == 0);
		}
		finally {
			redis.stop();
			factory.destroy();
		}
	}

	private JedisConnectionFactory factory() {
		JedisConnectionFactory factory = new JedisConnectionFactory(
				new RedisStandaloneConfiguration("127.0.0.1", this.port),
				// Each write waits for the disk
				JedisClientConfiguration.builder().readTimeout(Duration.ofSeconds(30)).usePooling().build());
		factory.afterPropertiesSet();
		factory.start();
		return factory;
	}

}
