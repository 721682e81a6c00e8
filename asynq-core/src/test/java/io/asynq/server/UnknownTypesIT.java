package io.asynq.server;

import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.spi.ILoggingEvent;
import io.asynq.event.ArchiveReason;
import io.asynq.event.TaskEvent;
import io.asynq.handler.HandlerSettings;
import io.asynq.handler.TaskMux;
import io.asynq.handler.TypePattern;
import io.asynq.internal.enqueue.EnqueueRequest;
import io.asynq.internal.enqueue.Placement;
import io.asynq.internal.event.TaskEvents;
import io.asynq.internal.redis.RedisState;
import io.asynq.internal.redis.TaskMessage;
import io.asynq.internal.text.LogCapture;
import io.asynq.internal.worker.AttemptObserver;
import io.asynq.test.RedisExtension;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.data.redis.connection.RedisConnectionFactory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * Tasks whose type has no handler.
 */
@ExtendWith(RedisExtension.class)
@Timeout(120)
class UnknownTypesIT {

	private static final String QUEUE = "default";

	private final RedisConnectionFactory factory;

	private final RedisState state;

	UnknownTypesIT(RedisConnectionFactory factory) {
		this.factory = factory;
		this.state = new RedisState(factory);
	}

	@Test
	@Tag("slow")
	void taskWaitsWithoutUsingUpRetriesUntilAServerHasAHandler() {
		List<String> failed = new CopyOnWriteArrayList<>();
		List<String> handled = new CopyOnWriteArrayList<>();
		try (LogCapture log = LogCapture.of(AttemptObserver.class, Level.WARN);
				TestServer without = TestServer.builder(this.factory)
					.options((options) -> options.logFailures(FailureLogging.FIRST_AND_LAST))
					.errors((task, context, error) -> failed.add(context.taskId()))
					.handling(new TaskMux().handle("other", (task, context) -> null))
					.start()) {
			without.enqueue(message("t1"));
			// Taken, and seen by the loop that looks for such tasks and puts them off
			await().atMost(Duration.ofSeconds(60)).untilAsserted(() -> {
				assertThat(without.server().statistics().unhandled()).isPositive();
				assertThat(without.server().health().unhandled()).isEqualTo(Map.of(QUEUE, Map.of("email:send", 1L)));
			});
			assertThat(this.state.exists("asynq:{default}:failed")).isFalse();
			assertThat(failed).as("calls of the error handler").isEmpty();
			assertThat(log.lines()).extracting(ILoggingEvent::getFormattedMessage)
				.singleElement()
				.asString()
				.contains("no handler for type 'email:send'", "waits until a server has one", "PT168H");
			try (TestServer with = TestServer.builder(this.factory)
				.handling(new TaskMux().handle("email:", (task, context) -> {
					handled.add(context.taskId() + " retried " + context.retryCount());
					return null;
				}))
				.start()) {
				await().atMost(Duration.ofSeconds(60)).until(() -> !handled.isEmpty());
				assertThat(handled).containsExactly("t1 retried 0");
			}
		}
	}

	/**
	 * A rolling deployment: the new version of the application has one more handler.
	 */
	@Test
	void oldAndNewVersionBesideEachOtherRunAllTasksAndCountNoFailure() {
		Queue<String> byOld = new ConcurrentLinkedQueue<>();
		Queue<String> byNew = new ConcurrentLinkedQueue<>();
		try (TestServer old = server(byOld, "mail:v1").start();
				TestServer fresh = server(byNew, "mail:v1", "mail:v2")) {
			int tasks = 0;
			fresh.start();
			await().until(() -> fresh.broker.servers().served().size() == 2);
			while (old.server().statistics().unhandled() == 0) {
				for (String type : List.of("mail:v1", "mail:v2")) {
					old.enqueue(TaskMessage.builder(type, type + "-" + tasks, QUEUE)
						.maxRetry(25)
						.timeoutSeconds(1800)
						.build());
				}
				tasks++;
				await().until(() -> this.state.pending(QUEUE).isEmpty());
			}
			int each = tasks;
			await().until(() -> {
				Collection<Long> due = this.state.scores(QUEUE, "retry").values();
				long now = Instant.now().getEpochSecond();
				assertThat(due).as("when tasks are tried again").allMatch((second) -> second <= now + 1);
				return byOld.size() + byNew.size() == 2 * each;
			});
			assertThat(byOld).allMatch((task) -> task.endsWith(" mail:v1 0"));
			assertThat(byNew).filteredOn((task) -> task.endsWith(" mail:v2 0")).hasSize(each);
			assertThat(Stream.of(byOld, byNew).flatMap(Queue::stream)).hasSize(2 * each).doesNotHaveDuplicates();
			assertThat(this.state.exists("asynq:{default}:failed")).isFalse();
			assertThat(old.server().health().unhandled()).isEmpty();
		}
	}

	/** The start of a flood, until which it is not known that nobody has the handler. */
	@Test
	@Tag("full")
	void tenThousandTasksAreTakenAFewTimesEachUntilAllArePutOff() {
		try (TestServer server = server(UnknownTypes.WAIT, Duration.ofDays(7))) {
			server.broker.enqueuer()
				.enqueueAll(IntStream.range(0, 10_000)
					.mapToObj((i) -> new EnqueueRequest(message("t" + i), new Placement.Pending(), null))
					.toList());
			server.start();
			await().atMost(Duration.ofSeconds(90)).until(() -> {
				long soon = Instant.now().getEpochSecond() + 10;
				Collection<Long> due = this.state.scores(QUEUE, "retry").values();
				return due.size() == 10_000 && due.stream().allMatch((time) -> time > soon);
			});
			assertThat(server.server().statistics().unhandled()).isLessThan(50_000);
		}
	}

	@Test
	void taskWithoutRetriesWaitsLikeAnyOther() {
		try (TestServer server = server(UnknownTypes.WAIT, Duration.ofDays(7)).start()) {
			server.enqueue(message("t1").toBuilder().maxRetry(0).build());
			await().atMost(Duration.ofSeconds(60)).until(() -> server.server().statistics().unhandled() > 0);
			assertThat(this.state.exists("asynq:{default}:archived")).isFalse();
		}
	}

	@Test
	@Tag("slow")
	void taskIsArchivedWhenNoServerHasAHandlerForTooLong() {
		List<TaskEvent> heard = new CopyOnWriteArrayList<>();
		TaskEvents events = new TaskEvents(() -> List.of(heard::add));
		events.start();
		try (TestServer server = TestServer.builder(this.factory)
			.options((options) -> options.unknownTypesMaxAge(Duration.ofSeconds(1)))
			.events(events)
			.handling(new TaskMux().handle("other", (task, context) -> null))
			.start()) {
			server.enqueue(message("t1"));
			await().atMost(Duration.ofSeconds(60)).untilAsserted(() -> this.state.assertArchived(QUEUE, "t1"));
			TaskMessage stored = this.state.stored(QUEUE, "t1");
			assertThat(stored.retried()).isZero();
			assertThat(stored.errorMessage()).contains("no server had a handler for type \"email:send\" within PT1S",
					"asynq.server.unknown-types-max-age");
			await().atMost(Duration.ofSeconds(60))
				.untilAsserted(() -> assertThat(heard).hasAtLeastOneElementOfType(TaskEvent.Exhausted.class));
			assertThat(heard).filteredOn(TaskEvent.Archived.class::isInstance)
				.singleElement()
				.extracting((event) -> ((TaskEvent.Archived) event).reason())
				.isEqualTo(ArchiveReason.NO_HANDLER);
			await().untilAsserted(() -> assertThat(server.server().statistics().archived()).isEqualTo(1));
		}
		finally {
			events.stop();
		}
	}

	@Test
	void taskIsArchivedAtOnceOnRequest() {
		try (TestServer server = server(UnknownTypes.ARCHIVE, Duration.ofDays(7)).start()) {
			server.enqueue(message("t1"));
			await().atMost(Duration.ofSeconds(60)).untilAsserted(() -> this.state.assertArchived(QUEUE, "t1"));
			assertThat(this.state.stored(QUEUE, "t1").retried()).isZero();
			assertThat(this.state.stored(QUEUE, "t1").errorMessage())
				.isEqualTo("handler not found for task \"email:send\"");
		}
	}

	private TestServer server(UnknownTypes mode, Duration maxAge) {
		return TestServer.builder(this.factory)
			.options((options) -> options.unknownTypes(mode).unknownTypesMaxAge(maxAge))
			.handling(new TaskMux().handle("other", (task, context) -> null));
	}

	/** Notes the tasks that it runs. */
	private TestServer server(Queue<String> ran, String... types) {
		TaskMux mux = new TaskMux();
		for (String type : types) {
			mux.handle(TypePattern.exact(type), (task, context) -> {
				ran.add(context.taskId() + " " + task.type() + " " + context.retryCount());
				return null;
			}, HandlerSettings.none());
		}
		return TestServer.builder(this.factory).handling(mux);
	}

	private static TaskMessage message(String id) {
		return RedisState.message(QUEUE, id).build();
	}

}
