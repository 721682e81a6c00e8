package io.asynq.server;

import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

import io.asynq.CancelMode;
import io.asynq.event.ArchiveReason;
import io.asynq.event.TaskEvent;
import io.asynq.handler.TaskHandlerFunction;
import io.asynq.inspect.AsynqInspector;
import io.asynq.inspect.CancelResult;
import io.asynq.internal.event.TaskEvents;
import io.asynq.internal.redis.RedisState;
import io.asynq.internal.redis.TaskMessage;
import io.asynq.test.RedisExtension;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.springframework.data.redis.connection.RedisConnectionFactory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * What a server does with tasks that are cancelled while it runs them.
 */
@ExtendWith(RedisExtension.class)
@Timeout(300)
class CancelledTasksIT {

	private static final String QUEUE = "default";

	private final RedisConnectionFactory factory;

	private final RedisState state;

	private final List<TaskEvent> heard = new CopyOnWriteArrayList<>();

	private final TaskEvents events = new TaskEvents(() -> List.of(this.heard::add));

	private final CountDownLatch running = new CountDownLatch(1);

	private final CountDownLatch release = new CountDownLatch(1);

	CancelledTasksIT(RedisConnectionFactory factory) {
		this.factory = factory;
		this.state = new RedisState(factory);
	}

	@BeforeEach
	void start() {
		this.events.start();
	}

	@AfterEach
	void stop() {
		this.release.countDown();
		this.events.stop();
	}

	@ParameterizedTest
	@EnumSource
	void plainSignalEndsTaskAsTheServerSays(CancelMode mode) throws Exception {
		try (TestServer server = TestServer.builder(this.factory)
			.options((options) -> options.cancelMode(mode))
			.events(this.events)
			.handling(untilCancelled())
			.start()) {
			server.enqueue(message("t1"));
			assertThat(this.running.await(60, TimeUnit.SECONDS)).isTrue();
			// A server subscribes some time after its start; earlier signals are lost
			await().untilAsserted(() -> {
				server.broker.cancellations().cancel("t1");
				this.state.assertCounters(QUEUE, 1, (mode != CancelMode.DELETE) ? 1 : 0);
			});
			switch (mode) {
				case RETRY -> this.state.assertRetry(QUEUE, "t1");
				case ARCHIVE -> this.state.assertArchived(QUEUE, "t1");
				case DELETE -> assertThat(this.state.fields(QUEUE, "t1")).isEmpty();
			}
			assertToldOf(mode);
		}
	}

	@ParameterizedTest
	@EnumSource(names = { "ARCHIVE", "DELETE" })
	void wishHoldsForHandlerThatIgnoresItsInterrupt(CancelMode mode) throws Exception {
		try (TestServer server = TestServer.builder(this.factory)
			.events(this.events)
			.delay((retried, error, task) -> Duration.ZERO)
			.handling((task, context) -> {
				this.running.countDown();
				ignoreInterrupts();
				return null;
			})
			.start()) {
			AsynqInspector inspector = AsynqInspector.create(server.broker, Clock.systemUTC());
			server.enqueue(message("t1"));
			assertThat(this.running.await(60, TimeUnit.SECONDS)).isTrue();
			await().until(() -> server.broker.fleet().hasJavaServer(QUEUE));
			assertThat(inspector.cancelTask(QUEUE, "t1", mode)).isEqualTo(CancelResult.RECORDED);
			await().untilAsserted(() -> {
				server.broker.cancellations().cancel("t1");
				this.state.assertActive(QUEUE);
			});
			this.release.countDown();
			await().until(() -> server.server().statistics().activeWorkers() == 0);
			this.state.assertPending(QUEUE);
			this.state.assertRetry(QUEUE);
			this.state.assertCounters(QUEUE, 1, (mode == CancelMode.ARCHIVE) ? 1 : 0);
			assertToldOf(mode);
		}
	}

	@Test
	void taskOfAServerThatStopsIsArchivedInsteadOfPutBack() throws Exception {
		try (TestServer server = TestServer.builder(this.factory)
			.options((options) -> options.shutdownTimeout(Duration.ZERO))
			.handling(untilCancelled())
			.start()) {
			server.enqueue(message("t1"));
			assertThat(this.running.await(60, TimeUnit.SECONDS)).isTrue();
			// As if the signal was lost
			server.broker.tasks().cancel(QUEUE, "t1", CancelMode.ARCHIVE, true);
		}
		await().untilAsserted(() -> this.state.assertArchived(QUEUE, "t1"));
		this.state.assertPending(QUEUE);
		assertThat(this.state.stored(QUEUE, "t1").errorMessage()).isEqualTo("cancelled");
	}

	private void assertToldOf(CancelMode mode) {
		await().untilAsserted(() -> assertThat(this.heard).anySatisfy((event) -> {
			switch (mode) {
				case RETRY -> assertThat(event).isInstanceOf(TaskEvent.Retried.class);
				case ARCHIVE -> assertThat(event).isInstanceOfSatisfying(TaskEvent.Archived.class,
						(archived) -> assertThat(archived.reason()).isEqualTo(ArchiveReason.CANCELLED));
				case DELETE -> assertThat(event).isInstanceOf(TaskEvent.Revoked.class);
			}
		}));
		if (mode != CancelMode.RETRY) {
			assertThat(this.heard).noneMatch(TaskEvent.Retried.class::isInstance);
		}
	}

	private TaskHandlerFunction untilCancelled() {
		return (task, context) -> {
			this.running.countDown();
			try {
				this.release.await();
			}
			catch (InterruptedException ex) {
				assertThat(context.isCancelled()).isTrue();
				throw ex;
			}
			return null;
		};
	}

	private void ignoreInterrupts() {
		while (true) {
			try {
				this.release.await();
				return;
			}
			catch (InterruptedException ex) {
				// Ignored on purpose
			}
		}
	}

	private static TaskMessage message(String id) {
		return RedisState.message(QUEUE, id).build();
	}

}
