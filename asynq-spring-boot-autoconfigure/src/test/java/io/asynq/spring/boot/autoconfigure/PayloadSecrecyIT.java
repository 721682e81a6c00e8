package io.asynq.spring.boot.autoconfigure;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

import io.asynq.AsynqClient;
import io.asynq.Task;
import io.asynq.TaskInfo;
import io.asynq.TaskState;
import io.asynq.annotation.TaskHandler;
import io.asynq.handler.SkipRetryException;
import io.asynq.inspect.AsynqInspector;
import io.asynq.spring.boot.autoconfigure.TestApplication.Person;
import io.asynq.test.RedisExtension;
import io.asynq.test.TestRedis;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.data.redis.connection.RedisConnection;
import org.springframework.data.redis.connection.RedisConnectionFactory;
import tools.jackson.databind.json.JsonMapper;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * A payload may be secret: whatever happens to the task, neither log lines at INFO and
 * above nor error texts that tools show contain any of it.
 */
@ExtendWith({ RedisExtension.class, OutputCaptureExtension.class })
class PayloadSecrecyIT {

	private static final String SECRET = "geheim4711";

	private static final String PLACE = "cannot be read as " + Person.class.getName() + " at $.name, field name of "
			+ Person.class.getName() + ": no java.lang.String (MismatchedInputException)";

	@Test
	void payloadAppearsNeitherInLogsNorInErrors(TestRedis redis, RedisConnectionFactory factory,
			CapturedOutput output) {
		try (ConfigurableApplicationContext context = TestApplication.run(SecretsApplication.class, redis.port(),
				"logging.level.io.asynq=INFO")) {
			AsynqClient client = context.getBean(AsynqClient.class);
			AsynqInspector inspector = context.getBean(AsynqInspector.class);
			Map<String, TaskState> expected = Map.of("succeed", TaskState.COMPLETED, "fail", TaskState.RETRY, "skip",
					TaskState.ARCHIVED, "convert", TaskState.ARCHIVED, "number", TaskState.ARCHIVED, "parse",
					TaskState.RETRY, "wrap", TaskState.RETRY, "nobody", TaskState.RETRY, "answer", TaskState.COMPLETED);
			List<TaskInfo> tasks = expected.keySet()
				.stream()
				.map((type) -> client.enqueue(Task.of(type, SECRET.getBytes(StandardCharsets.UTF_8)),
						(options) -> options.retention(Duration.ofMinutes(5))))
				.toList();
			TaskInfo quoted = client.enqueue("convert", "{\"name\":[\"" + SECRET + "\"]}");
			undecodable(factory);
			await().untilAsserted(() -> {
				for (TaskInfo task : tasks) {
					TaskInfo now = inspector.taskInfo("default", task.id());
					assertThat(now.state()).as(task.type()).isEqualTo(expected.get(task.type()));
				}
				assertThat(inspector.taskInfo("default", quoted.id()).state()).isEqualTo(TaskState.ARCHIVED);
				assertThat(output).contains("cannot be decoded");
			});
			assertThat(Stream.concat(tasks.stream(), Stream.of(quoted))
				.map((task) -> String.valueOf(inspector.taskInfo("default", task.id()).lastError())))
				.allSatisfy((error) -> assertThat(error).doesNotContain(SECRET));
			assertThat(inspector.taskInfo("default", quoted.id()).lastError()).endsWith(PLACE);
		}
		assertThat(output)
			.contains("Archived task", "Failed task", "There is no handler for type 'nobody'", "left out", PLACE,
					"cannot be written as a payload at $.*.name, field name of " + Unwritable.class.getName())
			.doesNotContain(SECRET);
	}

	private static void undecodable(RedisConnectionFactory factory) {
		try (RedisConnection connection = factory.getConnection()) {
			connection.hashCommands()
				.hSet("asynq:{default}:t:noise".getBytes(), "msg".getBytes(), ("\u000f" + SECRET).getBytes());
			connection.listCommands().lPush("asynq:{default}:pending".getBytes(), "noise".getBytes());
		}
	}

	@Configuration(proxyBeanMethods = false)
	@EnableAutoConfiguration
	static class SecretsApplication {

		@Bean
		Handlers handlers() {
			return new Handlers();
		}

	}

	static class Handlers {

		@TaskHandler("succeed")
		void succeed(String payload) {
		}

		@TaskHandler("fail")
		void fail(String payload) {
			throw new IllegalStateException("something else");
		}

		@TaskHandler("skip")
		void skip(String payload) {
			throw new SkipRetryException("never again");
		}

		@TaskHandler("convert")
		void convert(Person person) {
		}

		@TaskHandler("number")
		void number(long number) {
		}

		@TaskHandler("parse")
		void parse(byte[] payload) {
			JsonMapper.shared().readTree(payload);
		}

		@TaskHandler("answer")
		Map<String, Unwritable> answer(String payload) {
			return Map.of(payload, new Unwritable());
		}

		@TaskHandler("wrap")
		void wrap(byte[] payload) {
			try {
				JsonMapper.shared().readTree(payload);
			}
			catch (RuntimeException ex) {
				throw new IllegalArgumentException(ex);
			}
		}

	}

	/**
	 * A result that cannot be converted.
	 */
	public static final class Unwritable {

		public String getName() {
			throw new UnsupportedOperationException();
		}

	}

}
