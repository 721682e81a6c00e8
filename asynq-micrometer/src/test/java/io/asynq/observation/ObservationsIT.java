package io.asynq.observation;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

import io.asynq.Task;
import io.asynq.group.GroupLimits;
import io.asynq.handler.PostponeTaskException;
import io.asynq.handler.RejectedTasksException;
import io.asynq.handler.RevokeTaskException;
import io.asynq.internal.enqueue.EnqueueRequest;
import io.asynq.internal.enqueue.Placement;
import io.asynq.internal.redis.RedisState;
import io.asynq.internal.redis.TaskMessage;
import io.asynq.server.TestServer;
import io.asynq.test.RedisExtension;
import io.micrometer.observation.Observation;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.data.redis.connection.RedisConnectionFactory;
import tools.jackson.databind.json.JsonMapper;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * What is observed of attempts and aggregations on a real Redis.
 */
@ExtendWith(RedisExtension.class)
@Timeout(120)
class ObservationsIT {

	private static final String QUEUE = "default";

	private static final String PROCESS = "asynq.task.process";

	private static final String AGGREGATE = "asynq.task.aggregate";

	private final RedisConnectionFactory factory;

	private final RedisState state;

	private final RecordedObservations recorded = new RecordedObservations();

	private final CountDownLatch running = new CountDownLatch(1);

	private final CountDownLatch release = new CountDownLatch(1);

	ObservationsIT(RedisConnectionFactory factory) {
		this.factory = factory;
		this.state = new RedisState(factory);
	}

	@AfterEach
	void release() {
		this.release.countDown();
	}

	@Test
	void outcomesThatAttemptsDecideThemselves() {
		try (TestServer server = builder().failures((error) -> !"no failure".equals(error.getMessage()))
			.handling((task, context) -> switch (task.type()) {
				case "fails", "exhausted" -> throw new IllegalStateException("boom");
				case "busy" -> throw new IllegalStateException("no failure");
				case "revokes" -> throw new RevokeTaskException("not needed");
				case "waits" -> throw new PostponeTaskException(Duration.ofHours(1));
				default -> null;
			})
			.start()) {
			for (String type : List.of("ok", "fails", "busy", "revokes", "waits")) {
				server.enqueue(message(type).build());
			}
			server.enqueue(message("exhausted").maxRetry(3).retried(3).build());
			server.enqueue(message("kept").retentionSeconds(60).build());
			await().untilAsserted(() -> assertThat(this.recorded.ended(PROCESS)).containsExactlyInAnyOrder(
					"default ok succeeded none", "default kept succeeded none",
					"default fails retried IllegalStateException", "default busy retried none",
					"default revokes revoked none", "default waits postponed none",
					"default exhausted archived IllegalStateException"));
			assertThat(this.recorded.running()).isEmpty();
		}
	}

	@Test
	@Tag("slow")
	void attemptOverItsDeadlineIsObservedWhileItsHandlerGoesOn() throws Exception {
		try (TestServer server = builder().handling((task, context) -> {
			ignoreInterrupts();
			return null;
		}).start()) {
			server.enqueue(message("slow").timeoutSeconds(6).build());
			server.enqueue(message("last").timeoutSeconds(6).maxRetry(0).build());
			await().untilAsserted(() -> assertThat(this.recorded.ended(PROCESS)).containsExactlyInAnyOrder(
					"default slow deadline TaskDeadlineExceededException",
					"default last archived TaskDeadlineExceededException"));
			this.release.countDown();
		}
		assertThat(this.recorded.contexts(PROCESS)).hasSize(2);
	}

	@Test
	void cancelledAttemptIsObserved() throws Exception {
		try (TestServer server = builder().handling((task, context) -> block()).start()) {
			server.enqueue(message("mail").build());
			assertThat(this.running.await(60, TimeUnit.SECONDS)).isTrue();
			await().until(() -> this.state.subscribers("asynq:cancel") == 1);
			server.broker.cancellations().cancel("mail");
			await().untilAsserted(() -> assertThat(this.recorded.ended(PROCESS))
				.containsExactly("default mail cancelled TaskCanceledException"));
		}
	}

	@Test
	@Tag("slow")
	void lostLeaseIsObserved() throws Exception {
		try (TestServer server = builder().lease(Duration.ofSeconds(8))
			// A second look of the recoverer would give the task another lease
			.options((options) -> options.heartbeatInterval(Duration.ofMillis(300))
				.recoverInterval(Duration.ofMinutes(5)))
			.handling((task, context) -> block())
			.start()) {
			server.enqueue(message("mail").build());
			assertThat(this.running.await(60, TimeUnit.SECONDS)).isTrue();
			this.state.redis().delete("asynq:{default}:lease");
			await().untilAsserted(() -> assertThat(this.recorded.ended(PROCESS))
				.containsExactly("default mail lease-lost LeaseExpiredException"));
		}
	}

	@Test
	void attemptThatStopPutsBackIsObserved() throws Exception {
		try (TestServer server = builder().options((options) -> options.shutdownTimeout(Duration.ofMillis(100)))
			.handling((task, context) -> block())
			.start()) {
			server.enqueue(message("mail").build());
			assertThat(this.running.await(60, TimeUnit.SECONDS)).isTrue();
		}
		await().untilAsserted(
				() -> assertThat(this.recorded.ended(PROCESS)).containsExactly("default mail requeued none"));
		this.state.assertPending(QUEUE, "mail");
	}

	@Test
	void handlerAndErrorHandlerAreInTheObservation() {
		RecordedObservations its = this.recorded;
		try (TestServer server = builder().errors(
				(task, context, error) -> Observation.createNotStarted("error handler", its.registry()).observe(() -> {
				}))
			.handling((task, context) -> {
				Observation.createNotStarted("handler", its.registry()).observe(() -> {
				});
				throw new IllegalStateException("boom");
			})
			.start()) {
			server.enqueue(message("mail").build());
			await().untilAsserted(() -> assertThat(its.ended(PROCESS)).hasSize(1));
			assertThat(List.of("handler", "error handler")).allSatisfy(
					(name) -> assertThat(its.contexts(name).get(0).getParentObservation().getContextView().getName())
						.isEqualTo(PROCESS));
		}
	}

	@Test
	void errorsQuoteNoPayload() {
		try (TestServer server = builder().handling((task, context) -> {
			JsonMapper.shared().readTree("secret");
			return null;
		}).start()) {
			server.enqueue(message("mail").build());
			await().untilAsserted(() -> assertThat(this.recorded.ended(PROCESS)).hasSize(1));
			assertThat(this.recorded.contexts(PROCESS).get(0).getError()).isNotNull().hasMessageNotContaining("secret");
		}
	}

	@Test
	void aggregationsAreObserved() {
		try (TestServer server = builder()
			.options((options) -> options.groupLimits(GroupLimits.defaults().withMaxSize(2)))
			.aggregator((queue, group, tasks) -> switch (group) {
				case "bad" -> throw new RejectedTasksException("no use", tasks, null);
				case "fails" -> throw new IllegalStateException("boom");
				default -> Task.of("joined", "");
			})
			.handling((task, context) -> null)) {
			for (String group : List.of("good", "bad", "fails")) {
				for (String id : List.of("1", "2")) {
					server.broker.enqueuer()
						.enqueue(new EnqueueRequest(TaskMessage.builder("mail", group + id, QUEUE)
							.group(group)
							.timeoutSeconds(1800)
							.build(), new Placement.Grouped(), null));
				}
			}
			server.start();
			await().untilAsserted(() -> assertThat(this.recorded.ended(AGGREGATE)).containsExactlyInAnyOrder(
					"default joined succeeded none", "default none archived none",
					"default none retried IllegalStateException"));
		}
	}

	private TestServer.Builder builder() {
		return TestServer.builder(this.factory).observations(this.recorded.observations());
	}

	private byte[] block() throws InterruptedException {
		this.running.countDown();
		this.release.await();
		return null;
	}

	private void ignoreInterrupts() {
		while (true) {
			try {
				this.release.await(30, TimeUnit.SECONDS);
				return;
			}
			catch (InterruptedException ex) {
				// As a handler should not do
			}
		}
	}

	/** A task whose id is its type. */
	private static TaskMessage.Builder message(String type) {
		return TaskMessage.builder(type, type, QUEUE).maxRetry(25).timeoutSeconds(1800);
	}

}
