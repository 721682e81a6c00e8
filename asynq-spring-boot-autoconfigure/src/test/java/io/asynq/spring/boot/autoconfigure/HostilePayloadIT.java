package io.asynq.spring.boot.autoconfigure;

import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;

import io.asynq.AsynqClient;
import io.asynq.Task;
import io.asynq.TaskState;
import io.asynq.annotation.TaskHandler;
import io.asynq.inspect.AsynqInspector;
import io.asynq.spring.boot.autoconfigure.TestApplication.Greetings;
import io.asynq.spring.boot.autoconfigure.TestApplication.Person;
import io.asynq.test.RedisExtension;
import io.asynq.test.TestRedis;
import io.asynq.test.Tier;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import tools.jackson.databind.JsonNode;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * Malicious payloads fail their own task and nothing else.
 */
@Tag("slow")
@Timeout(300)
@ExtendWith({ RedisExtension.class, OutputCaptureExtension.class })
class HostilePayloadIT {

	private static final int MIB = 1024 * 1024;

	@Test
	void hostilePayloadFailsOnlyItsTask(TestRedis redis, CapturedOutput output) throws Exception {
		Map<String, byte[]> hostile = new LinkedHashMap<>();
		hostile.put("deep array", utf8("[".repeat(100_000) + "]".repeat(100_000)));
		hostile.put("deep object", utf8("{\"a\":".repeat(100_000) + "1" + "}".repeat(100_000)));
		hostile.put("long number", utf8("1" + "0".repeat(1_000_000)));
		hostile.put("long fraction", utf8("0." + "7".repeat(1_000_000)));
		hostile.put("huge exponent", utf8("1e1000000000"));
		hostile.put("long string", utf8("\"" + "x".repeat(101 * MIB) + "\""));
		hostile.put("lone surrogate", utf8("{\"name\":\"\\ud800\"}"));
		hostile.put("not UTF-8", new byte[] { '"', (byte) 0xC0, (byte) 0x80, '"' });
		hostile.put("cut off", utf8("{\"name\":\"A"));
		try (ConfigurableApplicationContext context = run(redis)) {
			AsynqClient client = context.getBean(AsynqClient.class);
			AsynqInspector inspector = context.getBean(AsynqInspector.class);
			Greetings greetings = context.getBean(Greetings.class);
			for (Map.Entry<String, byte[]> payload : hostile.entrySet()) {
				for (String type : types(payload.getValue())) {
					String id = payload.getKey() + " for " + type;
					client.enqueue(Task.of(type, payload.getValue()), (options) -> options.taskId(id).maxRetry(0));
				}
				client.enqueue("greet", new Person(payload.getKey()));
			}
			await().atMost(Duration.ofSeconds(60)).untilAsserted(() -> {
				assertThat(inspector.queueInfo("default").size(TaskState.PENDING)).isZero();
				assertThat(inspector.queueInfo("default").size(TaskState.ACTIVE)).isZero();
			});
			List<String> greeted = new ArrayList<>();
			while (!greetings.isEmpty()) {
				greeted.add(greetings.next().name());
			}
			assertThat(greeted).containsAll(hostile.keySet());
			assertThat(inspector.taskInfo("default", "deep object for greet").state()).isEqualTo(TaskState.ARCHIVED);
			assertThat(inspector.taskInfo("default", "deep array for tree").state()).isEqualTo(TaskState.ARCHIVED);
			assertThat(inspector.taskInfo("default", "long number for number").state()).isEqualTo(TaskState.ARCHIVED);
			client.enqueue("greet", new Person("after all"));
			assertThat(greetings.next()).isEqualTo(new Person("after all"));
		}
		assertThat(output).doesNotContain("OutOfMemoryError", "StackOverflowError", "failed, continuing");
	}

	@Test
	void unusualTextIsPreserved(TestRedis redis) throws Exception {
		String odd = "\u0000\u001b[31m\ufeff\u202eabc\u2028\ud83d\ude00\uffff";
		try (ConfigurableApplicationContext context = run(redis)) {
			context.getBean(AsynqClient.class).enqueue("greet", new Person(odd));
			assertThat(context.getBean(Greetings.class).next()).isEqualTo(new Person(odd));
		}
	}

	@Test
	void payloadCreatesNoClassItNames(TestRedis redis) throws Exception {
		String name = Gadget.class.getName();
		try (ConfigurableApplicationContext context = run(redis)) {
			AsynqClient client = context.getBean(AsynqClient.class);
			for (String json : List.of("{\"@class\":\"" + name + "\",\"command\":\"x\"}",
					"{\"@type\":\"" + name + "\",\"command\":\"x\"}", "[\"" + name + "\",{\"command\":\"x\"}]",
					"{\"@c\":\"" + name + "\",\"name\":[\"" + name + "\",{}]}")) {
				for (String type : List.of("object", "map", "tree", "greet")) {
					client.enqueue(Task.of(type, utf8(json)), (options) -> options.maxRetry(0));
				}
			}
			AsynqInspector inspector = context.getBean(AsynqInspector.class);
			await().untilAsserted(() -> assertThat(inspector.queueInfo("default").processedTotal()).isEqualTo(16));
			assertThat(context.getBean(Receivers.class).seen).isNotEmpty()
				.allSatisfy((seen) -> assertThat(seen).isNotInstanceOf(Gadget.class));
			assertThat(Gadget.made).isZero();
		}
	}

	/**
	 * A hundred megabytes take seconds, and what they are read into matters little: the
	 * parser refuses them.
	 */
	private static List<String> types(byte[] payload) {
		List<String> all = List.of("greet", "tree", "number", "object");
		return (payload.length > 100 * MIB) ? Tier.choose(List.of("greet"), all) : all;
	}

	private static ConfigurableApplicationContext run(TestRedis redis) {
		// A hundred megabytes may take a busy machine longer than the default of 2 s
		return TestApplication.run(HostileApplication.class, redis.port(), "asynq.client.max-payload-size=200MB",
				"spring.data.redis.timeout=30s");
	}

	private static byte[] utf8(String text) {
		return text.getBytes(StandardCharsets.UTF_8);
	}

	@Configuration(proxyBeanMethods = false)
	@Import(TestApplication.class)
	static class HostileApplication {

		@Bean
		Receivers receivers() {
			return new Receivers();
		}

	}

	static class Receivers {

		final List<Object> seen = new CopyOnWriteArrayList<>();

		@TaskHandler("object")
		void object(Object payload) {
			this.seen.add(payload);
		}

		@TaskHandler("map")
		void map(Map<String, Object> payload) {
			this.seen.add(payload);
		}

		@TaskHandler("tree")
		void tree(JsonNode payload) {
			this.seen.add(payload);
		}

		@TaskHandler("number")
		void number(BigDecimal payload) {
			this.seen.add(payload);
		}

	}

	/**
	 * A class whose creation does harm.
	 */
	public static class Gadget {

		static int made;

		public Gadget() {
			made++;
		}

		public void setCommand(String command) {
			made++;
		}

	}

}
