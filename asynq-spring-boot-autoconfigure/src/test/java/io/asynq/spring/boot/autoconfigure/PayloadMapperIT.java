package io.asynq.spring.boot.autoconfigure;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

import io.asynq.Task;
import io.asynq.TaskInfo;
import io.asynq.TaskOptions;
import io.asynq.TaskState;
import io.asynq.annotation.PeriodicTask;
import io.asynq.annotation.TaskAggregator;
import io.asynq.annotation.TaskHandler;
import io.asynq.client.AsynqClient;
import io.asynq.inspect.AsynqInspector;
import io.asynq.scheduler.AsynqScheduler;
import io.asynq.test.RedisExtension;
import io.asynq.test.TestRedis;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * One mapper reads and writes every payload and result of an application.
 */
@ExtendWith(RedisExtension.class)
class PayloadMapperIT {

	private static final String MINUTE = "{\"length\":60000000000}";

	private static final String TWO_MINUTES = "{\"length\":120000000000}";

	@Test
	void clientHandlersAggregatorsAndPeriodicTasksShareTheMapper(TestRedis redis) throws Exception {
		try (ConfigurableApplicationContext context = TestApplication.run(Pauses.class, redis.port(),
				"asynq.json.durations=nanoseconds", "asynq.server.group-grace-period=1s")) {
			Handlers handlers = context.getBean(Handlers.class);
			AsynqClient client = context.getBean(AsynqClient.class);
			AsynqScheduler scheduler = context.getBean(AsynqScheduler.class);
			AsynqInspector inspector = context.getBean(AsynqInspector.class);
			Pause minute = new Pause(Duration.ofMinutes(1));
			TaskInfo sent = client.enqueue("pause", minute, (options) -> options.retention(Duration.ofHours(1)));
			TaskInfo fired = scheduler.enqueueNow(scheduler.entries().get(0).id());
			// Together, so that none is aggregated alone
			Task part = Task.of("part", MINUTE);
			client.enqueueAll(List.of(part, part), TaskOptions.of((options) -> options.group("pauses")));
			List<String> handled = List.of(handlers.next(), handlers.next(), handlers.next());
			assertThat(handled).containsExactlyInAnyOrder(MINUTE, MINUTE, TWO_MINUTES);
			for (TaskInfo task : List.of(sent, fired)) {
				await().untilAsserted(() -> assertThat(inspector.taskInfo("default", task.id()).state())
					.isEqualTo(TaskState.COMPLETED));
				assertThat(inspector.taskInfo("default", task.id()).result()).asString().isEqualTo(TWO_MINUTES);
			}
		}
	}

	record Pause(Duration length) {
	}

	@Configuration(proxyBeanMethods = false)
	@EnableAutoConfiguration
	static class Pauses {

		@Bean
		Handlers handlers() {
			return new Handlers();
		}

	}

	static class Handlers {

		private final BlockingQueue<String> payloads = new LinkedBlockingQueue<>();

		@TaskHandler("pause")
		Pause twice(Pause pause, Task task) {
			this.payloads.add(new String(task.payload(), StandardCharsets.UTF_8));
			return new Pause(pause.length().multipliedBy(2));
		}

		@TaskAggregator(group = "pauses", type = "pause")
		Pause sum(List<Pause> pauses) {
			return new Pause(pauses.stream().map(Pause::length).reduce(Duration.ZERO, Duration::plus));
		}

		String next() throws InterruptedException {
			return this.payloads.poll(60, TimeUnit.SECONDS);
		}

		@PeriodicTask(cron = "@every 24h", type = "pause", retention = "1h")
		Pause minute() {
			return new Pause(Duration.ofMinutes(1));
		}

	}

}
