package io.asynq.spring.boot.autoconfigure;

import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.AbstractSet;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

import com.fasterxml.jackson.annotation.JsonTypeInfo;
import com.fasterxml.jackson.annotation.JsonTypeName;
import io.asynq.AsynqClient;
import io.asynq.DuplicateTaskException;
import io.asynq.Task;
import io.asynq.TaskInfo;
import io.asynq.TaskOptions;
import io.asynq.TaskState;
import io.asynq.annotation.PeriodicTask;
import io.asynq.annotation.TaskAggregator;
import io.asynq.annotation.TaskHandler;
import io.asynq.inspect.AsynqInspector;
import io.asynq.payload.PayloadConversionException;
import io.asynq.schedule.AsynqScheduler;
import io.asynq.test.RedisExtension;
import io.asynq.test.TestRedis;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
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

	@Test
	void handlerGetsWhatWasEnqueuedOrEnqueueRefuses(TestRedis redis) throws Exception {
		try (ConfigurableApplicationContext context = TestApplication.run(Exact.class, redis.port())) {
			AsynqClient client = context.getBean(AsynqClient.class);
			Exact exact = context.getBean(Exact.class);
			client.enqueue("steps", List.of(new Mail("ada"), new Wait(2)));
			assertThat(exact.next()).isEqualTo(List.of(new Mail("ada"), new Wait(2)));
			client.enqueue("step", Optional.of(Map.of("first", new Wait(3))));
			assertThat(exact.next()).isEqualTo(Map.of("first", new Wait(3)));
			client.enqueue("text", "plain");
			assertThat(exact.next()).isEqualTo(Optional.of("plain"));
			client.enqueue("text");
			assertThat(exact.next()).isEqualTo(Optional.empty());
			client.enqueue("tree", "{\"total\":12345678901234567.89,\"rate\":1.10}");
			assertThat(exact.next()).hasToString("{\"total\":12345678901234567.89,\"rate\":1.10}");
			client.enqueue("anything", Map.of(TimeUnit.DAYS, new BigDecimal("1.10")));
			assertThat(exact.next()).isEqualTo(Map.of("DAYS", new BigDecimal("1.10")));
			for (Object lost : List.of(new Refund("o-1"), List.of(new Refund("o-1")), Stream.of(1),
					Map.of("a", CompletableFuture.completedFuture(1)))) {
				assertThatExceptionOfType(PayloadConversionException.class)
					.isThrownBy(() -> client.enqueue("steps", lost));
			}
		}
	}

	@Test
	void equalSetsMapsAndTreesAreOneUniqueTask(TestRedis redis) {
		try (ConfigurableApplicationContext context = TestApplication.run(Pauses.class, redis.port(),
				"asynq.server.enabled=false")) {
			AsynqClient client = context.getBean(AsynqClient.class);
			JsonMapper json = JsonMapper.shared();
			for (List<Object> equal : List.<List<Object>>of(
					List.of(new LinkedHashMap<>(Map.of("s", Set.of("a", "b", "c"))),
							Map.of("s", backwards("a", "b", "c"))),
					List.of(backwards("b", "a"), Set.of("a", "b")),
					List.of(json.readTree("{\"a\":1,\"b\":[{\"d\":1,\"c\":2}]}"),
							json.readTree("{\"b\":[{\"c\":2,\"d\":1}],\"a\":1}")))) {
				client.enqueue("one", equal.get(0), (o) -> o.unique(Duration.ofMinutes(1)));
				assertThatExceptionOfType(DuplicateTaskException.class)
					.isThrownBy(() -> client.enqueue("one", equal.get(1), (o) -> o.unique(Duration.ofMinutes(1))));
			}
			assertThat(context.getBean(AsynqInspector.class).queueInfo("default").size(TaskState.PENDING)).isEqualTo(3);
		}
	}

	/** A set that nothing orders, so that it differs from what the JVM's sets do. */
	private static Set<String> backwards(String... elements) {
		List<String> reversed = new ArrayList<>(List.of(elements));
		Collections.reverse(reversed);
		return new AbstractSet<>() {

			@Override
			public Iterator<String> iterator() {
				return reversed.iterator();
			}

			@Override
			public int size() {
				return reversed.size();
			}

		};
	}

	@JsonTypeInfo(use = JsonTypeInfo.Id.NAME, property = "by")
	sealed interface Step permits Mail, Wait {

	}

	@JsonTypeName("mail")
	record Mail(String to) implements Step {
	}

	@JsonTypeName("wait")
	record Wait(int days) implements Step {
	}

	static final class Refund {

		private final String order;

		Refund(String order) {
			this.order = order;
		}

		@Override
		public String toString() {
			return this.order;
		}

	}

	@Configuration(proxyBeanMethods = false)
	@EnableAutoConfiguration
	static class Exact {

		private final BlockingQueue<Object> seen = new LinkedBlockingQueue<>();

		@TaskHandler("steps")
		void steps(List<Step> steps) {
			this.seen.add(steps);
		}

		@TaskHandler("step")
		void step(Optional<Map<String, Step>> steps) {
			this.seen.add(steps.orElseThrow());
		}

		@TaskHandler("text")
		void text(Optional<String> text) {
			this.seen.add(text);
		}

		@TaskHandler("tree")
		void tree(JsonNode tree) {
			this.seen.add(tree.toString());
		}

		@TaskHandler("anything")
		void anything(Map<String, Object> map) {
			this.seen.add(map);
		}

		Object next() throws InterruptedException {
			return this.seen.poll(60, TimeUnit.SECONDS);
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
