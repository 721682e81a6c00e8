package io.asynq.spring.boot.autoconfigure;

import java.time.Duration;
import java.util.List;

import io.asynq.AsynqClient;
import io.asynq.TaskInfo;
import io.asynq.TaskState;
import io.asynq.inspect.AsynqInspector;
import io.asynq.inspect.LoopInfo;
import io.asynq.server.AsynqServer;
import io.asynq.server.ServerState;
import io.asynq.spring.boot.autoconfigure.TestApplication.Greetings;
import io.asynq.spring.boot.autoconfigure.TestApplication.Person;
import io.asynq.test.RedisExtension;
import io.asynq.test.TestRedis;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledForJreRange;
import org.junit.jupiter.api.condition.JRE;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.Status;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.SmartLifecycle;
import org.springframework.data.redis.connection.RedisConnection;
import org.springframework.data.redis.connection.RedisConnectionFactory;
import org.springframework.data.redis.connection.jedis.JedisConnectionFactory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

@ExtendWith({ RedisExtension.class, OutputCaptureExtension.class })
class AsynqApplicationIT {

	@Test
	void enqueuesAndHandles(TestRedis redis) throws Exception {
		try (ConfigurableApplicationContext context = TestApplication.run(redis)) {
			TaskInfo task = enqueue(context, "Ada");
			assertThat(context.getBean(Greetings.class).next()).isEqualTo(new Person("Ada"));
			AsynqInspector inspector = context.getBean(AsynqInspector.class);
			await().untilAsserted(
					() -> assertThat(inspector.taskInfo("default", task.id()).state()).isEqualTo(TaskState.COMPLETED));
			assertThat(inspector.taskInfo("default", task.id()).result()).asString().isEqualTo("Hello, Ada");
		}
	}

	@Test
	@EnabledForJreRange(min = JRE.JAVA_21)
	void handlesInVirtualThreads(TestRedis redis) throws Exception {
		try (ConfigurableApplicationContext context = TestApplication.run(redis,
				"spring.threads.virtual.enabled=true")) {
			enqueue(context, "Ada");
			assertThat(context.getBean(Greetings.class).next()).isEqualTo(new Person("Ada"));
		}
	}

	@Test
	void handlesWhenBeansAreLazy(TestRedis redis) throws Exception {
		try (ConfigurableApplicationContext context = TestApplication.run(redis,
				"spring.main.lazy-initialization=true")) {
			enqueue(context, "Ada");
			assertThat(context.getBean(Greetings.class).next()).isEqualTo(new Person("Ada"));
		}
	}

	@Test
	void logsServedQueuesAtStart(TestRedis redis, CapturedOutput output) {
		TestApplication.run(redis, "asynq.server.queues.[User:42]=3", "asynq.server.queues.low=1").close();
		assertThat(output.getOut().lines().filter((line) -> line.contains("INFO")))
			.anyMatch((line) -> line.contains("io.asynq") && line.contains("User:42") && line.contains("low"));
	}

	@Test
	void warnsOfLikelyMistakesAtStart(TestRedis redis, CapturedOutput output) {
		TestApplication.run(redis, "asynq.server.shutdown-timeout=4s", "spring.lifecycle.timeout-per-shutdown-phase=4s")
			.close();
		assertThat(output.getOut().lines().filter((line) -> line.contains("WARN"))).singleElement()
			.asString()
			.contains("asynq.server.shutdown-timeout", "spring.lifecycle.timeout-per-shutdown-phase");
	}

	@Test
	void restartsWithContext(TestRedis redis) throws Exception {
		try (ConfigurableApplicationContext context = TestApplication.run(redis)) {
			AsynqServer server = context.getBean(AsynqServer.class);
			Greetings greetings = context.getBean(Greetings.class);
			for (String name : List.of("Ada", "Grace")) {
				assertThat(server.state()).isEqualTo(ServerState.ACTIVE);
				enqueue(context, name);
				assertThat(greetings.next()).isEqualTo(new Person(name));
				context.stop();
				assertThat(context.getBeansOfType(SmartLifecycle.class).values())
					.noneMatch((bean) -> bean.getClass().getName().startsWith("io.asynq") && bean.isRunning());
				assertThat(server.state()).isEqualTo(ServerState.CLOSED);
				context.start();
			}
		}
	}

	@Test
	void enqueuesWithoutHandlingWhenServerIsDisabled(TestRedis redis) {
		try (ConfigurableApplicationContext context = TestApplication.run(redis, "asynq.server.enabled=false")) {
			TaskInfo task = enqueue(context, "Ada");
			assertThat(context.getBean(AsynqInspector.class).taskInfo("default", task.id()).state())
				.isEqualTo(TaskState.PENDING);
			assertThat(context.getBeanNamesForType(AsynqServer.class)).isEmpty();
			assertThat(context.getBean(AsynqHealthIndicator.class).health().getStatus()).isEqualTo(Status.UP);
		}
	}

	@Test
	void healthIsUpWithDetailsEvenIfQueueIsPaused(TestRedis redis, RedisConnectionFactory factory) {
		try (RedisConnection connection = factory.getConnection()) {
			connection.stringCommands().set("asynq:{low}:paused".getBytes(), "1".getBytes());
		}
		try (ConfigurableApplicationContext context = TestApplication.run(redis, "asynq.server.queues.high=3",
				"asynq.server.queues.low=1")) {
			Health health = context.getBean(AsynqHealthIndicator.class).health();
			assertThat(health.getStatus()).isEqualTo(Status.UP);
			assertThat(health.getDetails()).containsEntry("server", "active");
			assertThat(health.getDetails().get("queues")).hasToString("{high=3, low=1}");
		}
	}

	@Test
	void healthIsOutOfServiceWhileServerIsQuiet(TestRedis redis) {
		try (ConfigurableApplicationContext context = TestApplication.run(redis)) {
			AsynqHealthIndicator indicator = context.getBean(AsynqHealthIndicator.class);
			AsynqServer server = context.getBean(AsynqServer.class);
			await().untilAsserted(() -> assertThat(indicator.health().getDetails()).containsKey("lastHeartbeat"));
			server.quiet();
			assertThat(indicator.health().getStatus()).isEqualTo(Status.OUT_OF_SERVICE);
			server.resume();
			assertThat(indicator.health().getStatus()).isEqualTo(Status.UP);
			assertThat(server.health().loops()).hasSize(13).noneMatch(LoopInfo::dead);
		}
	}

	@Test
	void waitsForRedisThatIsUnavailableAtStart(CapturedOutput output) throws Exception {
		int port = TestRedis.freePort();
		long start = System.nanoTime();
		try (ConfigurableApplicationContext context = TestApplication.run(TestApplication.class, port)) {
			AsynqHealthIndicator indicator = context.getBean(AsynqHealthIndicator.class);
			assertThat(indicator.health().getStatus()).isEqualTo(Status.DOWN);
			assertThat(context.getBean(AsynqServer.class).state()).isEqualTo(ServerState.ACTIVE);
			TestRedis late = TestRedis.startOwn(port);
			try {
				await().until(() -> indicator.health().getStatus().equals(Status.UP));
				enqueue(context, "Ada");
				assertThat(context.getBean(Greetings.class).next()).isEqualTo(new Person("Ada"));
				long threeSeconds = Duration.ofNanos(System.nanoTime() - start).dividedBy(Duration.ofSeconds(3));
				assertThat(output.getOut().lines().filter((line) -> line.contains("WARN"))).isNotEmpty()
					.hasSizeLessThanOrEqualTo((int) threeSeconds + 1);
				context.close();
			}
			finally {
				late.stop();
			}
		}
	}

	@Test
	void usesQualifiedConnectionFactory(TestRedis redis, RedisConnectionFactory primary) throws Exception {
		TestRedis second = TestRedis.startOwn();
		JedisConnectionFactory factory = RedisExtension.connectionFactory(second);
		try (ConfigurableApplicationContext context = TestApplication.run(SecondRedisApplication.class, redis.port(),
				"test.second-redis=" + second.port())) {
			enqueue(context, "Ada");
			assertThat(context.getBean(Greetings.class).next()).isEqualTo(new Person("Ada"));
			assertThat(keys(factory)).contains("asynq:queues");
			assertThat(keys(primary)).isEmpty();
		}
		finally {
			factory.destroy();
			second.stop();
		}
	}

	private static TaskInfo enqueue(ConfigurableApplicationContext context, String name) {
		return context.getBean(AsynqClient.class)
			.enqueue("greet", new Person(name), (options) -> options.retention(Duration.ofMinutes(5)));
	}

	private static List<String> keys(RedisConnectionFactory factory) {
		try (RedisConnection connection = factory.getConnection()) {
			return connection.keyCommands().keys("*".getBytes()).stream().map(String::new).toList();
		}
	}

}
