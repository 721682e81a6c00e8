package io.asynq.spring.boot.autoconfigure;

import io.asynq.AsynqClient;
import io.asynq.TaskInfo;
import io.asynq.TaskState;
import io.asynq.annotation.TaskHandler;
import io.asynq.inspect.AsynqInspector;
import io.asynq.test.RedisExtension;
import io.asynq.test.TestRedis;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * A handler that closes its own application, which stops the server on other threads.
 */
@ExtendWith({ RedisExtension.class, OutputCaptureExtension.class })
@Timeout(120)
class ClosingHandlerIT {

	@Test
	void taskThatClosesContextIsChargedWithStop(TestRedis redis, CapturedOutput output) {
		ConfigurableApplicationContext closing = TestApplication.run(Closing.class, redis.port(),
				"asynq.server.shutdown-timeout=2s");
		closing.getBean(AsynqClient.class).enqueue("close", (options) -> options.taskId("x"));
		await().until(() -> !closing.isRunning() && !closing.isActive());
		try (ConfigurableApplicationContext other = TestApplication.run(redis, "asynq.server.enabled=false")) {
			AsynqInspector inspector = other.getBean(AsynqInspector.class);
			await().until(() -> inspector.servers().isEmpty());
			TaskInfo task = inspector.taskInfo("default", "x");
			assertThat(task.state()).as("the outcome was written before the connections were closed")
				.isEqualTo(TaskState.RETRY);
			assertThat(task.lastError()).contains("has stopped its own server");
		}
		assertThat(output).contains("task x (close) in queue default has stopped its own server")
			.doesNotContain("The server's entry could not be removed");
	}

	@Configuration(proxyBeanMethods = false)
	@EnableAutoConfiguration
	static class Closing {

		@Bean
		Closer closer(ConfigurableApplicationContext context) {
			return new Closer(context);
		}

	}

	record Closer(ConfigurableApplicationContext context) {

		@TaskHandler("close")
		void close() {
			this.context.close();
		}

	}

}
