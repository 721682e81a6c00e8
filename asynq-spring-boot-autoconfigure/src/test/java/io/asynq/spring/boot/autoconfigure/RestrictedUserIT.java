package io.asynq.spring.boot.autoconfigure;

import java.time.Duration;

import io.asynq.AsynqClient;
import io.asynq.TaskInfo;
import io.asynq.TaskState;
import io.asynq.inspect.AsynqInspector;
import io.asynq.spring.boot.autoconfigure.TestApplication.Greetings;
import io.asynq.spring.boot.autoconfigure.TestApplication.Person;
import io.asynq.test.AclRule;
import io.asynq.test.RedisExtension;
import io.asynq.test.TestRedis;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.Status;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.data.redis.connection.jedis.JedisConnectionFactory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * An application whose Redis user has exactly the documented permissions.
 */
@ExtendWith(OutputCaptureExtension.class)
class RestrictedUserIT {

	@Test
	void worksWithDocumentedRule(CapturedOutput output) throws Exception {
		TestRedis redis = TestRedis.startOwn();
		JedisConnectionFactory admin = RedisExtension.connectionFactory(redis);
		AclRule.grant(admin, AclRule.documented());
		try (ConfigurableApplicationContext context = TestApplication.run(redis,
				"spring.data.redis.username=" + AclRule.USER, "spring.data.redis.password=" + AclRule.PASSWORD,
				"asynq.server.heartbeat-interval=200ms", "asynq.server.recover-interval=200ms",
				"asynq.server.janitor-interval=200ms", "asynq.metrics.queues.interval=200ms")) {
			AsynqClient client = context.getBean(AsynqClient.class);
			Greetings greetings = context.getBean(Greetings.class);
			TaskInfo kept = client.enqueue("greet", new Person("Ada"),
					(options) -> options.retention(Duration.ofMinutes(5)));
			client.enqueue("greet", new Person("Grace"), (options) -> options.unique(Duration.ofMinutes(5)));
			client.enqueue("greet", new Person("Alan"), (options) -> options.processIn(Duration.ofSeconds(1)));
			TaskInfo broken = client.enqueue("greet", "no person");
			TaskInfo unknown = client.enqueue("nobody:handles", "");
			assertThat(greetings.next()).isNotNull();
			assertThat(greetings.next()).isNotNull();
			assertThat(greetings.next()).isEqualTo(new Person("Alan"));
			AsynqInspector inspector = context.getBean(AsynqInspector.class);
			await().untilAsserted(() -> {
				assertThat(inspector.taskInfo("default", kept.id()).state()).isEqualTo(TaskState.COMPLETED);
				assertThat(inspector.taskInfo("default", broken.id()).state()).isEqualTo(TaskState.ARCHIVED);
				assertThat(inspector.taskInfo("default", unknown.id()).state()).isEqualTo(TaskState.RETRY);
				assertThat(context.getBean(PrometheusMeterRegistry.class).scrape())
					.contains("asynq_queue_tasks{queue=\"default\",state=\"completed\"} 1.0")
					.containsPattern("asynq_queue_memory_usage_approx_bytes\\{queue=\"default\"\\} [1-9]");
			});
			// A heartbeat is missed when the machine stands still for two short intervals
			await().untilAsserted(() -> {
				Health health = context.getBean(AsynqHealthIndicator.class).health();
				assertThat(health.getStatus()).as(health.toString()).isEqualTo(Status.UP);
			});
		}
		finally {
			admin.destroy();
			redis.stop();
		}
		assertThat(output).doesNotContain("NOPERM", "can't run this command", "Queues are polled");
	}

	@Test
	void isDownNamingMissingPermission() {
		TestRedis redis = TestRedis.startOwn();
		JedisConnectionFactory admin = RedisExtension.connectionFactory(redis);
		AclRule.grant(admin, AclRule.documented().stream().filter((word) -> !word.equals("+zrange")).toList());
		try (ConfigurableApplicationContext context = TestApplication.run(redis,
				"spring.data.redis.username=" + AclRule.USER, "spring.data.redis.password=" + AclRule.PASSWORD)) {
			Health health = context.getBean(AsynqHealthIndicator.class).health();
			assertThat(health.getStatus()).isEqualTo(Status.DOWN);
			assertThat(health.getDetails().get("error")).asString()
				.contains("lacks the right to run ZRANGE;", "docs/security.md");
		}
		finally {
			admin.destroy();
			redis.stop();
		}
	}

}
