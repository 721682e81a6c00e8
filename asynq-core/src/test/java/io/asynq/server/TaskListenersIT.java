package io.asynq.server;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

import io.asynq.AsynqClient;
import io.asynq.ClientOptions;
import io.asynq.Task;
import io.asynq.TaskOptions;
import io.asynq.TaskState;
import io.asynq.event.ArchiveReason;
import io.asynq.event.TaskEvent;
import io.asynq.group.GroupLimits;
import io.asynq.handler.PostponeTaskException;
import io.asynq.handler.RejectedTasksException;
import io.asynq.handler.RevokeTaskException;
import io.asynq.handler.SkipRetryException;
import io.asynq.internal.enqueue.EnqueueRequest;
import io.asynq.internal.enqueue.Placement;
import io.asynq.internal.event.Observers;
import io.asynq.internal.event.TaskEvents;
import io.asynq.internal.event.TaskObservations;
import io.asynq.internal.fleet.StuckHandler;
import io.asynq.internal.redis.RedisState;
import io.asynq.internal.redis.TaskMessage;
import io.asynq.test.RedisExtension;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.data.redis.connection.RedisConnectionFactory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * What listeners hear of tasks on a real Redis.
 */
@ExtendWith(RedisExtension.class)
@Timeout(120)
class TaskListenersIT {

	private static final String QUEUE = "default";

	private final RedisConnectionFactory factory;

	private final RedisState state;

	private final List<TaskEvent> heard = new CopyOnWriteArrayList<>();

	private final TaskEvents events = new TaskEvents(() -> List.of((event) -> {
		throw new IllegalStateException("a listener that always fails");
	}, this.heard::add));

	private final CountDownLatch release = new CountDownLatch(1);

	TaskListenersIT(RedisConnectionFactory factory) {
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

	@Test
	void everyOutcomeIsTold() {
		try (TestServer server = builder().failures((error) -> !"no failure".equals(error.getMessage()))
			.handling((task, context) -> switch (context.taskId()) {
				case "fails", "exhausted" -> throw new IllegalStateException("boom");
				case "busy" -> throw new IllegalStateException("no failure");
				case "skips" -> throw new SkipRetryException("no use");
				case "revokes" -> throw new RevokeTaskException("not needed");
				case "waits" -> throw new PostponeTaskException(Duration.ofHours(1));
				default -> null;
			})
			.start()) {
			for (String id : List.of("ok", "fails", "busy", "skips", "revokes", "waits")) {
				server.enqueue(message(id).build());
			}
			server.enqueue(message("exhausted").maxRetry(3).retried(3).build());
			server.enqueue(message("kept").retentionSeconds(60).build());
			await().untilAsserted(() -> {
				assertThat(names("ok")).containsExactly("Started", "Succeeded");
				assertThat(names("kept")).containsExactly("Started", "Succeeded");
				assertThat(names("fails")).containsExactly("Started", "Failed", "Retried");
				assertThat(names("busy")).containsExactly("Started", "Retried");
				assertThat(names("skips")).containsExactly("Started", "Failed", "Archived");
				assertThat(names("revokes")).containsExactly("Started", "Revoked");
				assertThat(names("waits")).containsExactly("Started", "Postponed");
				assertThat(names("exhausted")).containsExactly("Started", "Failed", "Archived", "Exhausted");
			});
			TaskEvent.Exhausted exhausted = only(TaskEvent.Exhausted.class, "exhausted");
			assertThat(exhausted.reason()).isEqualTo(ArchiveReason.RETRIES_EXHAUSTED);
			assertThat(exhausted.error()).isEqualTo("java.lang.IllegalStateException: boom");
			assertThat(exhausted.cause()).isInstanceOf(IllegalStateException.class);
			assertThat(exhausted.facts().attempt()).isEqualTo(4);
			assertThat(exhausted.facts().maxRetry()).isEqualTo(3);
			assertThat(exhausted.facts().queue()).isEqualTo(QUEUE);
			assertThat(only(TaskEvent.Retried.class, "fails").delay()).isEqualTo(Duration.ofHours(1));
			assertThat(only(TaskEvent.Retried.class, "busy").counted()).isFalse();
			assertThat(this.events.failures()).isEqualTo(this.heard.size());
		}
	}

	@Test
	void cancelledAndStuckHandlersAreTold() throws Exception {
		CountDownLatch running = new CountDownLatch(1);
		try (TestServer server = builder()
			.options((options) -> options.stuckHandlerTimeout(Duration.ofMillis(200))
				.heartbeatInterval(Duration.ofMillis(500)))
			.handling((task, context) -> {
				running.countDown();
				ignoreInterrupts();
				return null;
			})
			.start()) {
			server.enqueue(message("t1").build());
			assertThat(running.await(60, TimeUnit.SECONDS)).isTrue();
			await().until(() -> this.state.subscribers("asynq:cancel") == 1);
			server.broker.cancellations().cancel("t1");
			await().untilAsserted(() -> assertThat(names("t1")).contains("Stuck", "Retried"));
			assertThat(names("t1")).startsWith("Started", "Cancelled").containsOnlyOnce("Failed", "Retried", "Stuck");
			assertThat(only(TaskEvent.Stuck.class, "t1").where().getStackTrace())
				.anyMatch((frame) -> frame.getMethodName().equals("ignoreInterrupts"));
			await().untilAsserted(() -> assertThat(told()).as("what the server tells of itself").containsExactly("t1"));
			this.release.countDown();
		}
	}

	private List<String> told() {
		return this.state.redis()
			.keys("asynqj:stuck:*")
			.stream()
			.flatMap((key) -> StuckHandler.parse(this.state.redis().opsForValue().get(key)).stream())
			.map(StuckHandler::taskId)
			.toList();
	}

	@Test
	void tasksThatRecovererAndCrashLimitEndAreExhausted() {
		this.state.seedActive(Instant.now().minusSeconds(60), message("lost").build(),
				message("last").maxRetry(3).retried(3).build(), message("poison").build(), message("waited").build());
		this.state.seedField(QUEUE, "waited", "x-attempt", "fence".getBytes());
		this.state.seedField(QUEUE, "waited", "x-begun", "another".getBytes());
		this.state.seedField(QUEUE, "waited", "x-server", "killed:7".getBytes());
		this.state.seedField(QUEUE, "waited", "x-suspect", "claim".getBytes());
		this.state.seedField(QUEUE, "poison", "x-attempt", "fence".getBytes());
		this.state.seedField(QUEUE, "poison", "x-begun", "fence".getBytes());
		this.state.seedField(QUEUE, "poison", "x-server", "killed:7".getBytes());
		this.state.seedField(QUEUE, "poison", "x-suspect", "claim".getBytes());
		this.state.seedField(QUEUE, "poison", "x-crashes", "2".getBytes());
		try (TestServer server = builder().options(
				(options) -> options.recoverInterval(Duration.ofMillis(200)).heartbeatInterval(Duration.ofMillis(500)))
			.handling((task, context) -> null)
			.start()) {
			await().untilAsserted(() -> {
				assertThat(names("lost")).containsExactly("Recovered", "Failed", "Retried");
				assertThat(names("last")).containsExactly("Recovered", "Failed", "Archived", "Exhausted");
				assertThat(names("poison")).containsExactly("Recovered", "Failed", "Archived", "Exhausted");
				assertThat(names("waited")).containsOnlyOnce("Recovered").doesNotContain("Failed");
			});
			assertThat(only(TaskEvent.Exhausted.class, "last").reason()).isEqualTo(ArchiveReason.RETRIES_EXHAUSTED);
			assertThat(only(TaskEvent.Exhausted.class, "poison").reason()).isEqualTo(ArchiveReason.CRASHES);
			assertThat(only(TaskEvent.Failed.class, "last").cause()).isNull();
			assertThat(only(TaskEvent.Recovered.class, "last").state()).isEqualTo(TaskState.ARCHIVED);
			assertThat(only(TaskEvent.Recovered.class, "waited").state()).isEqualTo(TaskState.PENDING);
		}
	}

	@Test
	@Tag("slow")
	void lostLeaseIsTold() throws Exception {
		CountDownLatch running = new CountDownLatch(1);
		try (TestServer server = builder().lease(Duration.ofSeconds(8))
			// A second look of the recoverer would give the task another lease
			.options((options) -> options.heartbeatInterval(Duration.ofMillis(300))
				.recoverInterval(Duration.ofMinutes(5)))
			.handling((task, context) -> {
				running.countDown();
				this.release.await();
				return null;
			})
			.start()) {
			server.enqueue(message("t1").build());
			assertThat(running.await(60, TimeUnit.SECONDS)).isTrue();
			this.state.redis().delete("asynq:{default}:lease");
			await().untilAsserted(() -> assertThat(names("t1")).contains("LeaseLost"));
			assertThat(names("t1")).startsWith("Started", "LeaseLost").doesNotContain("Failed", "Succeeded");
		}
	}

	@Test
	void aggregatedAndRejectedTasksAreTold() {
		try (TestServer server = builder()
			.options((options) -> options.groupLimits(GroupLimits.defaults().withMaxSize(3)))
			.aggregator((queue, group, tasks) -> {
				List<Task> bad = tasks.stream().filter((task) -> task.type().equals("bad")).toList();
				if (!bad.isEmpty()) {
					throw new RejectedTasksException("no use", bad, null);
				}
				return Task.of("joined", "");
			})
			.handling((task, context) -> null)) {
			for (TaskMessage member : List.of(grouped("mail", "a"), grouped("mail", "b"), grouped("bad", "c"))) {
				server.broker.enqueuer().enqueue(new EnqueueRequest(member, new Placement.Grouped(), null));
			}
			server.start();
			await().untilAsserted(() -> assertThat(this.heard).hasAtLeastOneElementOfType(TaskEvent.Aggregated.class));
			TaskEvent.Aggregated aggregated = this.heard.stream()
				.filter(TaskEvent.Aggregated.class::isInstance)
				.map(TaskEvent.Aggregated.class::cast)
				.findFirst()
				.orElseThrow();
			assertThat(aggregated.group()).isEqualTo("g");
			assertThat(aggregated.members()).isEqualTo(2);
			assertThat(aggregated.facts().type()).isEqualTo("joined");
			assertThat(names("c")).containsExactly("Archived");
		}
	}

	@Test
	void clientTellsOfTasksItHasStored() {
		try (TestServer server = builder().handling((task, context) -> null)) {
			AsynqClient client = server.broker.client(ClientOptions.builder().clock(Clock.systemUTC()).build(),
					new Observers(this.events, TaskObservations.none()), null);
			client.enqueue(Task.of("mail", ""), TaskOptions.of((options) -> options.taskId("one")));
			client.enqueueAll(List.of(Task.of("mail", ""), Task.of(" ", "")));
			client.enqueue(Task.of("mail", ""),
					TaskOptions.of((options) -> options.taskId("later").processIn(Duration.ofHours(1))));
			await().until(() -> this.heard.size() == 3);
			assertThat(only(TaskEvent.Enqueued.class, "one").state()).isEqualTo(TaskState.PENDING);
			assertThat(only(TaskEvent.Enqueued.class, "later").state()).isEqualTo(TaskState.SCHEDULED);
			assertThat(only(TaskEvent.Enqueued.class, "later").processAt()).isAfter(Instant.now());
		}
	}

	private TestServer.Builder builder() {
		return TestServer.builder(this.factory).events(this.events);
	}

	private List<String> names(String id) {
		List<String> names = new ArrayList<>();
		for (TaskEvent event : this.heard) {
			if (event.facts().id().equals(id)) {
				names.add(event.getClass().getSimpleName());
			}
		}
		return names;
	}

	private <T extends TaskEvent> T only(Class<T> type, String id) {
		List<T> found = this.heard.stream()
			.filter((event) -> type.isInstance(event) && event.facts().id().equals(id))
			.map(type::cast)
			.toList();
		assertThat(found).hasSize(1);
		return found.get(0);
	}

	private void ignoreInterrupts() {
		while (true) {
			try {
				this.release.await();
				return;
			}
			catch (InterruptedException ex) {
				// As a handler should not do
			}
		}
	}

	private static TaskMessage.Builder message(String id) {
		return RedisState.message(QUEUE, id).maxRetry(25).timeoutSeconds(1800);
	}

	private static TaskMessage grouped(String type, String id) {
		return TaskMessage.builder(type, id, QUEUE).group("g").timeoutSeconds(1800).build();
	}

}
