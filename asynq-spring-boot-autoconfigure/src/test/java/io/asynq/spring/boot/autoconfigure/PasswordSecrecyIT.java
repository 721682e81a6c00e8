package io.asynq.spring.boot.autoconfigure;

import java.util.ArrayList;
import java.util.List;

import io.asynq.AsynqClient;
import io.asynq.AsynqException;
import io.asynq.inspect.AsynqInspector;
import io.asynq.spring.boot.autoconfigure.TestApplication.Person;
import io.asynq.test.TestRedis;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.actuate.beans.BeansEndpoint;
import org.springframework.boot.actuate.context.properties.ConfigurationPropertiesReportEndpoint;
import org.springframework.boot.actuate.env.EnvironmentEndpoint;
import org.springframework.boot.health.actuate.endpoint.HealthEndpoint;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.ConfigurableApplicationContext;
import tools.jackson.databind.json.JsonMapper;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatException;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.awaitility.Awaitility.await;

/**
 * The password of Redis, given in the URL, appears nowhere: neither in the log at DEBUG,
 * nor in errors, nor in what the actuator shows.
 */
@Tag("slow")
@Timeout(120)
@ExtendWith(OutputCaptureExtension.class)
class PasswordSecrecyIT {

	private static final String PASSWORD = "geheim4711";

	@Test
	void rightPasswordAppearsNowhere(CapturedOutput output) throws Exception {
		TestRedis redis = TestRedis.startOwn("requirepass " + PASSWORD);
		try (ConfigurableApplicationContext context = run(redis.port())) {
			context.getBean(AsynqClient.class).enqueue("greet", new Person("Ada"));
			assertThat(context.getBean(TestApplication.Greetings.class).next()).isNotNull();
			assertThat(actuator(context)).contains("UP", "spring.data.redis.url").doesNotContain(PASSWORD);
		}
		finally {
			redis.stop();
		}
		assertThat(output).contains("asynq server started").doesNotContain(PASSWORD);
	}

	@Test
	void wrongPasswordAppearsNowhere(CapturedOutput output) {
		TestRedis redis = TestRedis.startOwn("requirepass another");
		try {
			cannotConnect(redis.port(), output, "WRONGPASS");
		}
		finally {
			redis.stop();
		}
	}

	@Test
	void searchFindsPasswordThatActuatorIsToldToShow() {
		try (ConfigurableApplicationContext context = run(TestRedis.freePort(), "asynq.server.enabled=false",
				"management.endpoint.env.show-values=always")) {
			assertThat(actuator(context)).contains(PASSWORD);
		}
	}

	@Test
	void passwordForRedisThatIsAwayAppearsNowhere(CapturedOutput output) {
		cannotConnect(TestRedis.freePort(), output, "Redis cannot be reached");
	}

	@ParameterizedTest
	@ValueSource(strings = { "redis://default:" + PASSWORD + "%@127.0.0.1",
			"redis-sentinel://:" + PASSWORD + "@127.0.0.1", PASSWORD })
	void urlThatCannotBeReadIsNotQuoted(String url, CapturedOutput output) {
		assertThatException().isThrownBy(() -> TestApplication.run(TestApplication.class, 1,
				"spring.data.redis.url=" + url, "logging.level.org.springframework=DEBUG"));
		assertThat(output).contains("'spring.data.redis.url' is '******'", "percent-encoded", "rediss://")
			.doesNotContain(PASSWORD);
	}

	private static void cannotConnect(int port, CapturedOutput output, String cause) {
		try (ConfigurableApplicationContext context = run(port)) {
			assertThat(actuator(context)).contains("DOWN", cause).doesNotContain(PASSWORD);
			AsynqException enqueued = catchThrowableOfType(AsynqException.class,
					() -> context.getBean(AsynqClient.class).enqueue("greet", new Person("Ada")));
			AsynqException read = catchThrowableOfType(AsynqException.class,
					() -> context.getBean(AsynqInspector.class).queues());
			for (Throwable error = enqueued; error != null; error = error.getCause()) {
				assertThat(error.toString()).doesNotContain(PASSWORD);
			}
			assertThat(read).isNotNull();
			await().until(() -> output.getAll().contains(cause));
		}
		assertThat(output).doesNotContain(PASSWORD);
	}

	private static ConfigurableApplicationContext run(int port, String... more) {
		List<String> properties = new ArrayList<>(
				List.of("spring.data.redis.url=redis://default:" + PASSWORD + "@127.0.0.1:" + port,
						"logging.level.io.asynq=DEBUG", "spring.jmx.enabled=true",
						"management.endpoints.jmx.exposure.include=*"));
		properties.addAll(List.of(more));
		return TestApplication.run(TestApplication.class, port, properties.toArray(String[]::new));
	}

	private static String actuator(ConfigurableApplicationContext context) {
		JsonMapper json = JsonMapper.shared();
		return json.writeValueAsString(context.getBean(HealthEndpoint.class).health())
				+ json.writeValueAsString(context.getBean(EnvironmentEndpoint.class).environment(null))
				+ json.writeValueAsString(
						context.getBean(ConfigurationPropertiesReportEndpoint.class).configurationProperties())
				+ json.writeValueAsString(context.getBean(BeansEndpoint.class).beans());
	}

}
