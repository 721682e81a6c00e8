package io.asynq.server;

import java.util.Map;
import java.util.UUID;

import io.asynq.Task;
import io.asynq.annotation.TaskHandler;
import io.asynq.handler.TaskInterceptor;
import io.asynq.handler.TaskMux;
import io.asynq.internal.method.AnnotatedMethodBeans;
import io.asynq.internal.redis.RedisState;
import io.asynq.internal.redis.TaskMessage;
import io.asynq.test.RedisExtension;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.context.annotation.Lazy;
import org.springframework.data.redis.connection.RedisConnectionFactory;
import org.springframework.messaging.handler.annotation.Header;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * Whatever fails before or after a handler method, the task ends and the server
 * continues.
 */
@ExtendWith(RedisExtension.class)
@Timeout(120)
class HostileHandlerMethodsIT {

	private static final String QUEUE = "default";

	private final RedisConnectionFactory factory;

	private final RedisState state;

	HostileHandlerMethodsIT(RedisConnectionFactory factory) {
		this.factory = factory;
		this.state = new RedisState(factory);
	}

	@ParameterizedTest
	@CsvSource({ "payload:error, NoClassDefFoundError", "payload:memory, OutOfMemoryError",
			"payload:stack, StackOverflowError", "payload:exception, cannot be read", "header:error, planted",
			"header:exception, header that cannot be read", "bean:error, planted",
			"interceptor:error, NoClassDefFoundError" })
	void hostilePayloadOrBeanLeadsToRetryAndServerContinues(String type, String text) {
		try (AnnotationConfigApplicationContext context = new AnnotationConfigApplicationContext(Hostile.class);
				TestServer server = TestServer.builder(this.factory).handling(context.getBean(TaskMux.class)).start()) {
			server.enqueue(message("hostile", type));
			await().dontCatchUncaughtExceptions()
				.untilAsserted(() -> assertThat(this.state.stored(QUEUE, "hostile").errorMessage()).contains(text));
			this.state.assertActive(QUEUE);
			server.enqueue(message("sound", "sound"));
			await().dontCatchUncaughtExceptions().until(() -> !this.state.exists("asynq:{default}:t:sound"));
			await().dontCatchUncaughtExceptions()
				.untilAsserted(() -> assertThat(server.server().statistics().activeWorkers()).isZero());
		}
	}

	@ParameterizedTest
	@ValueSource(strings = { "result:error", "result:cycle" })
	void taskWithUnconvertibleResultIsCompletedWithoutResult(String type) {
		try (AnnotationConfigApplicationContext context = new AnnotationConfigApplicationContext(Hostile.class);
				TestServer server = TestServer.builder(this.factory).handling(context.getBean(TaskMux.class)).start()) {
			server.enqueue(message("hostile", type, 3600));
			await().dontCatchUncaughtExceptions()
				.until(() -> this.state.stored(QUEUE, "hostile").completedAtSeconds() != 0);
			this.state.assertCompleted(QUEUE, "hostile");
			assertThat(this.state.bytes(QUEUE, "hostile", "result")).isNull();
		}
	}

	private static TaskMessage message(String id, String type) {
		return message(id, type, 0);
	}

	private static TaskMessage message(String id, String type, long retentionSeconds) {
		return TaskMessage.builder(type, id, QUEUE)
			.payload("{\"x\":1}".getBytes())
			.maxRetry(25)
			.timeoutSeconds(1800)
			.retentionSeconds(retentionSeconds)
			.build();
	}

	private static void planted() {
		throw new NoClassDefFoundError("planted");
	}

	@Configuration(proxyBeanMethods = false)
	@Import(AnnotatedMethodBeans.class)
	static class Hostile {

		@Bean
		TaskInterceptor interceptor() {
			return (task, context, next) -> {
				if (task.type().startsWith("interceptor:")) {
					planted();
				}
				return next.processTask(task.type().startsWith("header:") ? task.withHeaders(Map.of("h", "1")) : task,
						context);
			};
		}

		@Bean
		Handlers handlers() {
			return new Handlers();
		}

		@Bean
		@Lazy
		Unborn unborn() {
			return new Unborn();
		}

	}

	static class Handlers {

		@TaskHandler("payload:error")
		void error(Failing payload) {
		}

		@TaskHandler("payload:memory")
		void memory(WithoutMemory payload) {
		}

		@TaskHandler("payload:stack")
		void stack(Endless payload) {
		}

		@TaskHandler("payload:exception")
		void exception(Refusing payload) {
		}

		@TaskHandler("header:error")
		void header(@Header("h") FailingHeader header) {
		}

		@TaskHandler("header:exception")
		void header(@Header("h") UUID header) {
		}

		@TaskHandler("result:error")
		Result result() {
			return new Result();
		}

		@TaskHandler("result:cycle")
		Cycle cycle() {
			return new Cycle();
		}

		@TaskHandler({ "sound", "interceptor:error" })
		void sound(Task task) {
		}

	}

	static class Unborn {

		Unborn() {
			planted();
		}

		@TaskHandler("bean:error")
		void handle(Task task) {
		}

	}

	record Failing(int x) {

		Failing {
			planted();
		}

	}

	record WithoutMemory(int x) {

		WithoutMemory {
			if (x > 0) {
				throw new OutOfMemoryError("planted");
			}
		}

	}

	record Endless(int x) {

		Endless {
			new Endless(x);
		}

	}

	record Refusing(int x) {

		Refusing {
			if (x > 0) {
				throw new IllegalArgumentException("planted");
			}
		}

	}

	public static final class FailingHeader {

		public static FailingHeader valueOf(String text) {
			throw new NoClassDefFoundError("planted");
		}

	}

	public static final class Result {

		public String getText() {
			throw new NoClassDefFoundError("planted");
		}

	}

	public static final class Cycle {

		public Cycle getNext() {
			return this;
		}

	}

}
