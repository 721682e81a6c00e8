package io.asynq.server;

import java.time.Clock;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

import io.asynq.AsynqClient;
import io.asynq.ClientOptions;
import io.asynq.Task;
import io.asynq.TaskOptions;
import io.asynq.context.ContextPropagator;
import io.asynq.context.ContextPropagators;
import io.asynq.event.TaskEvent;
import io.asynq.handler.TaskMux;
import io.asynq.internal.event.TaskEvents;
import io.asynq.internal.redis.RedisState;
import io.asynq.test.RedisExtension;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledForJreRange;
import org.junit.jupiter.api.condition.JRE;
import org.junit.jupiter.api.extension.ExtendWith;
import org.slf4j.MDC;
import org.springframework.data.redis.connection.RedisConnectionFactory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * How context gets from the thread that enqueues to those that work on the task.
 */
@ExtendWith(RedisExtension.class)
@Timeout(120)
class ContextIT {

	private static final String QUEUE = "default";

	private static final String TENANT = "tenant";

	private final RedisConnectionFactory factory;

	private final RedisState state;

	private final ContextPropagators contexts = ContextPropagators.of(List.of(ContextPropagator.mdc(List.of(TENANT))));

	private final List<String> seen = new CopyOnWriteArrayList<>();

	private final CountDownLatch never = new CountDownLatch(1);

	ContextIT(RedisConnectionFactory factory) {
		this.factory = factory;
		this.state = new RedisState(factory);
	}

	@AfterEach
	void clear() {
		this.never.countDown();
		MDC.clear();
	}

	@Test
	void contextGoesFromCallerThroughHandlersErrorHandlersAndListeners() {
		passOn(Boolean.getBoolean("asynq.test.virtual-threads"));
	}

	@Test
	@EnabledForJreRange(min = JRE.JAVA_21)
	void contextGoesThroughVirtualThreadsAsWell() {
		passOn(true);
	}

	private void passOn(boolean virtualThreads) {
		TaskEvents events = new TaskEvents(() -> List.of((event) -> {
			if (event instanceof TaskEvent.Failed) {
				note("listener");
			}
		}), this.contexts);
		events.start();
		TaskMux mux = new TaskMux();
		try (TestServer server = builder().options((options) -> options.virtualThreads(virtualThreads))
			.events(events)
			.errors((task, context, error) -> note("error handler"))
			.handling(mux)) {
			AsynqClient client = client(server);
			mux.use((task, context, next) -> {
				note("interceptor");
				return next.processTask(task, context);
			});
			mux.handle("first", (task, context) -> {
				note("first");
				client.enqueue(Task.of("second", ""), TaskOptions.of((o) -> o.maxRetry(0)));
				return null;
			});
			mux.handle("second", (task, context) -> {
				note("second");
				throw new IllegalStateException("boom");
			});
			MDC.put(TENANT, "acme");
			client.enqueue("first");
			MDC.remove(TENANT);
			server.start();
			await().untilAsserted(() -> assertThat(this.seen).containsExactly("interceptor acme", "first acme",
					"interceptor acme", "second acme", "error handler acme", "listener acme"));
		}
		finally {
			events.stop();
		}
	}

	@Test
	@Tag("slow")
	void errorHandlerOfAbortedAttemptIsInContext() {
		try (TestServer server = builder().errors(
				(task, context, error) -> note("error handler in " + Thread.currentThread().getName().substring(0, 11)))
			.handling((task, context) -> {
				awaitStubbornly();
				return null;
			})
			.start()) {
			server.enqueue(RedisState.message(QUEUE, "t1").timeoutSeconds(6).headers(Map.of(TENANT, "acme")).build());
			await().untilAsserted(() -> assertThat(this.seen).containsExactly("error handler in asynq-abort acme"));
			this.never.countDown();
		}
	}

	@Test
	void nextTaskOfThreadHasNothingOfTheOneBefore() {
		try (TestServer server = builder().options((options) -> options.concurrency(1)).handling((task, context) -> {
			note(context.taskId());
			MDC.put(TENANT, "left behind");
			return null;
		}).start()) {
			server.enqueue(RedisState.message(QUEUE, "t1").headers(Map.of(TENANT, "acme")).build());
			server.enqueue(RedisState.message(QUEUE, "t2").build());
			await().untilAsserted(() -> assertThat(this.seen).containsExactly("t1 acme", "t2 null"));
		}
	}

	@Test
	void attemptWhoseContextCannotBeOpenedFailsWithoutItsHandler() {
		try (TestServer server = builder().contexts(ContextPropagators.of(List.of(new Broken())))
			.errors((task, context, error) -> note("error handler"))
			.handling((task, context) -> {
				note("handler");
				return null;
			})
			.start()) {
			server.enqueue(RedisState.message(QUEUE, "t1").build());
			await().untilAsserted(() -> this.state.assertRetry(QUEUE, "t1"));
			assertThat(this.state.stored(QUEUE, "t1").errorMessage()).contains("ContextPropagator",
					Broken.class.getName());
			assertThat(this.seen).containsExactly("error handler null");
		}
	}

	private TestServer.Builder builder() {
		return TestServer.builder(this.factory).contexts(this.contexts);
	}

	private AsynqClient client(TestServer server) {
		ClientOptions.Builder options = ClientOptions.builder().clock(Clock.systemUTC());
		this.contexts.interceptors().forEach(options::interceptor);
		return AsynqClient.create(server.broker, options.build());
	}

	private void note(String who) {
		this.seen.add(who + " " + MDC.get(TENANT));
	}

	private void awaitStubbornly() {
		boolean over = false;
		while (!over) {
			try {
				over = this.never.await(60, TimeUnit.SECONDS);
			}
			catch (InterruptedException ex) {
				// Ignored on purpose
			}
		}
	}

	private static final class Broken implements ContextPropagator {

		@Override
		public Map<String, String> capture() {
			return Map.of();
		}

		@Override
		public Scope open(Map<String, String> headers) {
			throw new IllegalStateException(Objects.toString(headers));
		}

	}

}
