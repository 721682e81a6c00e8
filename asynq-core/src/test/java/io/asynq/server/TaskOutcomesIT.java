package io.asynq.server;

import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

import io.asynq.handler.HandlerNotFoundException;
import io.asynq.handler.RevokeTaskException;
import io.asynq.handler.SkipRetryException;
import io.asynq.handler.TaskMux;
import io.asynq.internal.redis.RedisState;
import io.asynq.internal.redis.TaskMessage;
import io.asynq.test.RedisExtension;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.data.redis.connection.RedisConnectionFactory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * How attempts end, and what is stored about them.
 */
@ExtendWith(RedisExtension.class)
@Timeout(300)
class TaskOutcomesIT {

	private static final String QUEUE = "default";

	private final RedisConnectionFactory factory;

	private final RedisState state;

	TaskOutcomesIT(RedisConnectionFactory factory) {
		this.factory = factory;
		this.state = new RedisState(factory);
	}

	@Test
	void everyOutcomeEndsInItsState() {
		try (TestServer server = TestServer.builder(this.factory)
			.handling((task, context) -> switch (context.taskId()) {
				case "fails" -> throw new IllegalStateException("boom");
				case "error" -> throw new AssertionError("broken");
				case "skips" -> throw new SkipRetryException("no use");
				case "revokes" -> throw new RevokeTaskException("not needed");
				case "returns" -> "42".getBytes();
				default -> (context.maxRetry() > 0) ? null : fail();
			})) {
			for (String id : List.of("ok", "fails", "error", "skips", "revokes")) {
				server.enqueue(message(id).build());
			}
			server.enqueue(message("exhausted").maxRetry(0).build());
			server.enqueue(message("returns").retentionSeconds(60).build());
			server.start();
			await().untilAsserted(() -> this.state.assertCounters(QUEUE, 7, 4));
			this.state.assertRetry(QUEUE, "fails", "error");
			this.state.assertArchived(QUEUE, "skips", "exhausted");
			this.state.assertCompleted(QUEUE, "returns");
			this.state.assertActive(QUEUE);
			assertThat(this.state.stored(QUEUE, "fails").errorMessage())
				.isEqualTo("java.lang.IllegalStateException: boom");
			assertThat(this.state.fields(QUEUE, "returns")).containsEntry("result", "42");
		}
	}

	@Test
	void errorOfJvmFailsTaskAndReachesUncaughtHandlerWhileServerLives() throws Exception {
		BlockingQueue<Throwable> uncaught = new LinkedBlockingQueue<>();
		Thread.UncaughtExceptionHandler before = Thread.getDefaultUncaughtExceptionHandler();
		Thread.setDefaultUncaughtExceptionHandler((thread, error) -> uncaught.add(error));
		try (TestServer server = TestServer.builder(this.factory).handling((task, context) -> {
			if (context.taskId().equals("oom")) {
				throw new OutOfMemoryError("planted");
			}
			return null;
		}).start()) {
			server.enqueue(message("oom").build());
			server.enqueue(message("ok").build());
			await().dontCatchUncaughtExceptions().untilAsserted(() -> this.state.assertCounters(QUEUE, 2, 1));
			this.state.assertRetry(QUEUE, "oom");
			assertThat(uncaught.poll(60, TimeUnit.SECONDS)).isInstanceOf(OutOfMemoryError.class);
		}
		finally {
			Thread.setDefaultUncaughtExceptionHandler(before);
		}
	}

	@Test
	void errorHandlerIsCalledBeforeFailureIsWritten() {
		BlockingQueue<String> heard = new LinkedBlockingQueue<>();
		try (TestServer server = TestServer.builder(this.factory)
			.errors((task, context, error) -> heard
				.add(context.taskId() + " while " + state(context.taskId()) + ": " + error.getMessage()))
			.handling((task, context) -> switch (context.taskId()) {
				case "ok" -> null;
				case "skips" -> throw new SkipRetryException("no use");
				case "revokes" -> throw new RevokeTaskException("not needed");
				default -> fail();
			})) {
			for (String id : List.of("ok", "fails", "skips", "revokes")) {
				server.enqueue(message(id).build());
			}
			server.enqueue(message("exhausted").maxRetry(0).build());
			server.start();
			await().untilAsserted(() -> this.state.assertCounters(QUEUE, 5, 3));
			this.state.assertRetry(QUEUE, "fails");
			this.state.assertArchived(QUEUE, "skips", "exhausted");
			assertThat(heard).containsExactlyInAnyOrder("fails while active: boom", "skips while active: no use",
					"revokes while active: not needed", "exhausted while active: boom");
		}
	}

	@Test
	void taskWithoutHandlerFailsOnRequestWithContextForInterceptorsAndErrorHandler() {
		BlockingQueue<String> seen = new LinkedBlockingQueue<>();
		TaskMux mux = new TaskMux().handle("other", (task, context) -> null).use((task, context, next) -> {
			seen.add("interceptor: " + context.taskId() + " of " + context.queue());
			return next.processTask(task, context);
		});
		try (TestServer server = TestServer.builder(this.factory)
			.options((options) -> options.unknownTypes(UnknownTypes.RETRY))
			.errors((task, context, error) -> {
				assertThat(error).isInstanceOf(HandlerNotFoundException.class);
				seen.add("error handler: " + context.taskId() + " of " + context.queue());
			})
			.handling(mux)
			.start()) {
			server.enqueue(message("t1").build());
			await().untilAsserted(() -> this.state.assertRetry(QUEUE, "t1"));
			assertThat(seen).containsExactly("interceptor: t1 of default", "error handler: t1 of default");
			assertThat(this.state.stored(QUEUE, "t1").retried()).isEqualTo(1);
			this.state.assertCounters(QUEUE, 1, 1);
		}
	}

	@Test
	void throwingErrorHandlerChangesNothing() {
		try (TestServer server = TestServer.builder(this.factory).errors((task, context, error) -> {
			throw new IllegalStateException("error handler");
		}).handling((task, context) -> fail()).start()) {
			server.enqueue(message("t1").build());
			await().untilAsserted(() -> this.state.assertRetry(QUEUE, "t1"));
		}
	}

	@Test
	void sameIdInTwoQueuesIsTwoTasks() throws Exception {
		CountDownLatch both = new CountDownLatch(2);
		CountDownLatch release = new CountDownLatch(1);
		try (TestServer server = TestServer.builder(this.factory)
			.options((options) -> options.queue("a", 1).queue("b", 1))
			.handling((task, context) -> {
				both.countDown();
				release.await();
				return null;
			})
			.start()) {
			server.enqueue(RedisState.message("a", "same").build());
			server.enqueue(RedisState.message("b", "same").build());
			assertThat(both.await(60, TimeUnit.SECONDS)).isTrue();
			assertThat(server.server().statistics().activeWorkers()).isEqualTo(2);
			release.countDown();
			await().untilAsserted(() -> {
				this.state.assertCounters("a", 1, 0);
				this.state.assertCounters("b", 1, 0);
			});
		}
	}

	private String state(String id) {
		return this.state.fields(QUEUE, id).get("state");
	}

	private static byte[] fail() {
		throw new IllegalStateException("boom");
	}

	private static TaskMessage.Builder message(String id) {
		return RedisState.message(QUEUE, id);
	}

}
