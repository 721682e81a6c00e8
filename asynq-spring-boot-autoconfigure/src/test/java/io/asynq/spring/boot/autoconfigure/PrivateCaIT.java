package io.asynq.spring.boot.autoconfigure;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

import io.asynq.AsynqClient;
import io.asynq.TaskInfo;
import io.asynq.TaskState;
import io.asynq.inspect.AsynqInspector;
import io.asynq.spring.boot.autoconfigure.TestApplication.Greetings;
import io.asynq.spring.boot.autoconfigure.TestApplication.Person;
import io.asynq.test.TestRedis;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.Status;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.data.redis.connection.RedisConnection;
import org.springframework.data.redis.connection.RedisConnectionFactory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * Redis over TLS with a private certificate authority, through SSL bundles of Spring
 * Boot.
 */
class PrivateCaIT {

	@TempDir
	static Path folder;

	private static PrivateCa ca;

	private static int port;

	private static TestRedis redis;

	@BeforeAll
	static void start() throws Exception {
		ca = PrivateCa.create(folder);
		port = TestRedis.freePort();
		redis = TestRedis.startOwn(ca.redisSettings(port));
	}

	@AfterAll
	static void stop() {
		redis.stop();
	}

	@Test
	void worksWithBundleThatTrustsAuthority() throws Exception {
		try (ConfigurableApplicationContext context = TestApplication.run(TestApplication.class, port,
				"spring.ssl.bundle.pem.redis.truststore.certificate=" + ca.certificate().toUri(),
				"spring.data.redis.ssl.bundle=redis", "asynq.server.task-check-interval=1h")) {
			await().until(() -> subscriptions(context).contains("__redis__:invalidate"));
			await().until(() -> subscriptions(context).contains("asynq:cancel"));
			TaskInfo task = context.getBean(AsynqClient.class)
				.enqueue("greet", new Person("Ada"), (options) -> options.retention(Duration.ofMinutes(5)));
			assertThat(context.getBean(Greetings.class).next()).isEqualTo(new Person("Ada"));
			AsynqInspector inspector = context.getBean(AsynqInspector.class);
			await().untilAsserted(
					() -> assertThat(inspector.taskInfo("default", task.id()).state()).isEqualTo(TaskState.COMPLETED));
			assertThat(inspector.queueInfo("default").processedTotal()).isPositive();
			assertThat(context.getBean(AsynqHealthIndicator.class).health().getStatus()).isEqualTo(Status.UP);
		}
	}

	@Test
	void isDownWithReasonWithoutAuthority() {
		try (ConfigurableApplicationContext context = TestApplication.run(TestApplication.class, port,
				"spring.data.redis.ssl.enabled=true", "spring.data.redis.timeout=20s")) {
			Health health = context.getBean(AsynqHealthIndicator.class).health();
			assertThat(health.getStatus()).isEqualTo(Status.DOWN);
			assertThat(health.getDetails().get("error")).asString()
				.contains("spring.data.redis.ssl.bundle", "certificat");
		}
	}

	private static String subscriptions(ConfigurableApplicationContext context) {
		try (RedisConnection connection = context.getBean(RedisConnectionFactory.class).getConnection()) {
			return String.valueOf(((List<?>) connection.execute("PUBSUB", "CHANNELS".getBytes())).stream()
				.map((name) -> new String((byte[]) name))
				.toList());
		}
	}

}
