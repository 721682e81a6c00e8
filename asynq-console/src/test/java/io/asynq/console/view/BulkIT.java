package io.asynq.console.view;

import java.time.Clock;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;

import io.asynq.BrokerUnavailableException;
import io.asynq.TaskState;
import io.asynq.console.ConsoleRight;
import io.asynq.console.http.Calls;
import io.asynq.console.http.ConsoleEvents.Event;
import io.asynq.console.http.ConsoleEvents.Subscription;
import io.asynq.console.http.ConsoleException;
import io.asynq.internal.redis.RedisState;
import io.asynq.operations.TaskAction;
import io.asynq.operations.TaskOperations;
import io.asynq.operations.survey.TaskFilter;
import io.asynq.operations.survey.TaskRange;
import io.asynq.operations.survey.TaskSurvey;
import io.asynq.test.RedisExtension;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.data.redis.connection.RedisConnectionFactory;
import tools.jackson.databind.JsonNode;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.awaitility.Awaitility.await;

/**
 * Actions on all tasks that somebody means, on a real Redis.
 */
@ExtendWith(RedisExtension.class)
class BulkIT {

	private static final String QUEUE = "default";

	private final RedisState state;

	@AutoClose
	private final Views views;

	private final Calls calls;

	BulkIT(RedisConnectionFactory factory) {
		this.state = new RedisState(factory);
		this.views = new Views(factory);
		this.calls = this.views.calls();
	}

	@Test
	void runsWhatFilterMeansAndLeavesTheRest() {
		archive("a", 40, "timeout after 3 s");
		archive("b", 30, "refused");
		JsonNode preview = this.calls.post("tasks/preview", "q", QUEUE, "state", "archived", "filter", "error:timeout");
		assertThat(preview.path("count").asInt()).isEqualTo(40);
		assertThat(preview.path("exact").asBoolean()).isTrue();
		assertThat(preview.path("total").asInt()).isEqualTo(70);
		JsonNode job = end(this.calls.post("jobs/start", "action", "run", "q", QUEUE, "state", "archived", "filter",
				"error:timeout", "expectedCount", 40, "reason", "fixed"));
		assertThat(job.path("state").asString()).isEqualTo("done");
		assertThat(job.path("done").asInt()).isEqualTo(40);
		assertThat(job.path("refused").asInt()).isZero();
		assertThat(job.path("scanned").asInt()).isEqualTo(70);
		assertThat(job.path("by").asString()).isEqualTo("tester");
		assertThat(job.path("reason").asString()).isEqualTo("fixed");
		assertThat(job.path("filter").asString()).isEqualTo("error:timeout");
		assertThat(size(TaskState.PENDING)).isEqualTo(40);
		assertThat(size(TaskState.ARCHIVED)).isEqualTo(30);
	}

	@Test
	void actsOnGroupOfFailuresInAllQueuesAndStates() {
		Instant now = Instant.now();
		for (String queue : List.of("a", "b")) {
			this.state.seedArchived(now, failed(queue, "t1", "order 17 is gone"), failed(queue, "t2", "boom"));
			this.state.seedRetry(now.plusSeconds(600), failed(queue, "t3", "order 4711 is gone"));
		}
		List<Map<String, String>> gone = List.of(Map.of("type", "email:send", "error", "order <*> is gone"));
		assertThat(this.calls.post("tasks/preview", "states", List.of("retry", "archived"), "failures", gone)
			.path("count")
			.asInt()).isEqualTo(4);
		JsonNode job = end(this.calls.post("jobs/start", "action", "delete", "states", List.of("retry", "archived"),
				"failures", gone, "expectedCount", 4));
		assertThat(job.path("done").asInt()).isEqualTo(4);
		assertThat(this.views.inspector.queueInfo("a").size()).isEqualTo(1);
		assertThat(this.views.inspector.queueInfo("b").size()).isEqualTo(1);
	}

	@Test
	void actsOnSeveralGroupsOfFailuresInOneJobThatSaysWhichAndHowItEnded() {
		Instant now = Instant.now();
		for (String queue : List.of("a", "b")) {
			this.state.seedArchived(now, failed(queue, "t1", "order 17 is gone"), failed(queue, "t2", "boom"),
					failed(queue, "t3", "stays"), failed(queue, "t4", ""));
		}
		this.state.redis().opsForHash().put("asynq:{b}:t:t1", "state", "pending");
		List<Map<String, String>> groups = List.of(Map.of("type", "email:send", "error", "order <*> is gone"),
				Map.of("type", "email:send", "error", "boom"), Map.of("type", "email:send", "error", ""));
		JsonNode job = end(this.calls.post("jobs/start", "action", "run", "states", List.of("retry", "archived"),
				"failures", groups, "filter", "id:t", "expectedCount", 6));
		assertThat(job.path("done").asInt()).isEqualTo(5);
		assertThat(job.path("refused").asInt()).isEqualTo(1);
		assertThat(job.path("refusals")).singleElement().satisfies((refusal) -> {
			assertThat(refusal.path("queue").asString()).isEqualTo("b");
			assertThat(refusal.path("id").asString()).isEqualTo("t1");
		});
		assertThat(job.path("failures").get(0).path("type").asString()).isEqualTo("email:send");
		assertThat(job.path("failures").get(0).path("error").asString()).isEqualTo("order <*> is gone");
		assertThat(job.path("failures")).hasSize(3);
		assertThat(this.views.inspector.queueInfo("a").size(TaskState.ARCHIVED)).isEqualTo(1);
		await().until(() -> !this.views.audited.isEmpty());
		assertThat(this.views.audited).singleElement()
			.satisfies((line) -> assertThat(line).containsEntry("action", "run")
				.containsEntry("failures", groups)
				.containsEntry("filter", "id:t")
				.containsEntry("outcome", "done")
				.containsEntry("done", 5L)
				.containsEntry("refused", 1L)
				.containsEntry("count", 5L));
	}

	@Test
	void actsOnAllOfALongList() {
		this.state.seedMany(QUEUE, "pending", 3000, 0);
		JsonNode job = end(this.calls.post("jobs/start", "action", "archive", "q", QUEUE, "state", "pending", "all",
				true, "expectedCount", 3000, "confirm", QUEUE));
		assertThat(job.path("done").asInt()).isEqualTo(3000);
		assertThat(size(TaskState.ARCHIVED)).isEqualTo(3000);
		assertThat(this.calls.get("jobs").path("jobs").get(0).path("id").asString())
			.isEqualTo(job.path("id").asString());
	}

	@Test
	void oneOfTwoOperatorsIsRefusedIfThereAreManyMoreThanExpected() {
		archive("a", 12, "boom");
		for (Object expected : new Object[] { 10, 0, null }) {
			assertThat(Calls.code(catchThrowable(() -> start("run", "all", true, "expectedCount", expected))))
				.isEqualTo((expected != null) ? "409 count" : "400 parameter");
		}
		JsonNode first = end(start("run", "all", true, "expectedCount", 12));
		assertThat(first.path("done").asInt()).isEqualTo(12);
		JsonNode second = end(start("run", "all", true, "expectedCount", 12));
		assertThat(second.path("done").asInt()).isZero();
		assertThat(second.path("refused").asInt()).isZero();
	}

	@Test
	void onlyDeletesAndSeveralQueuesNeedAWordAboveAHundredTasks() {
		archive("a", 101, "boom");
		for (String word : new String[] { null, "other", "Default" }) {
			assertThat(Calls
				.code(catchThrowable(() -> start("delete", "all", true, "expectedCount", 101, "confirm", word))))
				.isEqualTo("409 confirm");
		}
		for (String word : new String[] { null, "default" }) {
			assertThat(Calls.code(catchThrowable(() -> this.calls.post("jobs/start", "action", "run", "state",
					"archived", "all", true, "expectedCount", 101, "confirm", word))))
				.isEqualTo("409 confirm");
		}
		assertThat(end(start("run", "all", true, "expectedCount", 101)).path("done").asInt()).isEqualTo(101);
		assertThat(end(this.calls.post("jobs/start", "action", "archive", "q", QUEUE, "state", "pending", "all", true,
				"expectedCount", 101))
			.path("done")
			.asInt()).isEqualTo(101);
		assertThat(end(this.calls.post("jobs/start", "action", "run", "state", "archived", "all", true, "expectedCount",
				101, "confirm", "all queues"))
			.path("done")
			.asInt()).isEqualTo(101);
		assertThat(end(this.calls.post("jobs/start", "action", "delete", "q", QUEUE, "state", "pending", "all", true,
				"expectedCount", 101, "confirm", QUEUE))
			.path("done")
			.asInt()).isEqualTo(101);
	}

	@Test
	void saysWhichTasksItCouldNotChangeAndWhy() {
		archive("a", 5, "boom");
		this.state.redis().opsForHash().put("asynq:{default}:t:a3", "state", "pending");
		JsonNode job = end(start("run", "all", true, "expectedCount", 5));
		assertThat(job.path("done").asInt()).isEqualTo(4);
		assertThat(job.path("refused").asInt()).isEqualTo(1);
		assertThat(job.path("refusals").get(0).path("id").asString()).isEqualTo("a3");
		assertThat(job.path("refusals").get(0).path("error").asString()).isNotBlank();
		assertThat(job.path("state").asString()).isEqualTo("done");
	}

	@Test
	void refusesWhatMakesNoSense() {
		archive("a", 1, "boom");
		assertThat(Calls.code(catchThrowable(() -> start("run", "expectedCount", 1)))).isEqualTo("400 parameter");
		assertThat(Calls.code(catchThrowable(() -> start("run", "all", true, "filter", "id:a", "expectedCount", 1))))
			.isEqualTo("400 parameter");
		assertThat(Calls.code(catchThrowable(() -> start("run", "filter", "what", "expectedCount", 1))))
			.isEqualTo("400 filter");
		assertThat(Calls.code(catchThrowable(() -> start("run", "failures", "boom", "expectedCount", 1))))
			.isEqualTo("400 parameter");
		assertThat(Calls
			.code(catchThrowable(() -> start("run", "failures", List.of(Map.of("error", "boom")), "expectedCount", 1))))
			.isEqualTo("400 parameter");
		assertThat(Calls.code(catchThrowable(() -> start("shout", "all", true, "expectedCount", 1))))
			.isEqualTo("400 parameter");
		assertThat(Calls.code(catchThrowable(() -> start("cancel", "all", true, "expectedCount", 1))))
			.as("an archived task does not run")
			.isEqualTo("400 parameter");
		assertThat(Calls.code(catchThrowable(() -> this.calls.post("jobs/start", "action", "run", "q", "nobody",
				"state", "archived", "all", true, "expectedCount", 1))))
			.isEqualTo("404 not-found");
		assertThat(Calls.code(catchThrowable(() -> this.calls.post("jobs/stop", "id", "none"))))
			.isEqualTo("404 not-found");
		assertThat(size(TaskState.ARCHIVED)).isEqualTo(1);
	}

	@Test
	void onlyAdminsDeleteAllAndOnlyOperatorsAct() {
		archive("a", 1, "boom");
		Calls operator = this.views.calls(Set.of(ConsoleRight.ADMIN), Set.of());
		assertThat(Calls.code(catchThrowable(() -> operator.post("jobs/start", "action", "delete", "q", QUEUE, "state",
				"archived", "all", true, "expectedCount", 1))))
			.isEqualTo("403 forbidden");
		Calls viewer = this.views.calls(Set.of(ConsoleRight.ADMIN, ConsoleRight.ACT), Set.of());
		assertThat(Calls.code(catchThrowable(() -> viewer.post("jobs/start", "action", "run", "q", QUEUE, "state",
				"archived", "filter", "id:a", "expectedCount", 1))))
			.isEqualTo("403 forbidden");
		assertThat(operator.post("tasks/preview", "q", QUEUE, "state", "archived").path("count").asInt()).isEqualTo(1);
		JsonNode job = end(operator.post("jobs/start", "action", "delete", "q", QUEUE, "state", "archived", "filter",
				"id:a", "expectedCount", 1));
		assertThat(job.path("done").asInt()).isEqualTo(1);
		Calls other = this.views.calls(Set.of(), Set.of(QUEUE));
		assertThat(other.get("jobs").path("jobs")).isEmpty();
		assertThat(Calls.code(catchThrowable(() -> other.get("job", "id", job.path("id").asString()))))
			.isEqualTo("404 not-found");
	}

	@Test
	void tellsProgressToWhoeverLooks() throws Exception {
		archive("a", 3, "boom");
		BlockingQueue<Event> told = new LinkedBlockingQueue<>();
		try (Subscription subscription = this.views.live().subscribe(null, told::add)) {
			start("run", "all", true, "expectedCount", 3);
			JsonNode last = null;
			while (last == null || last.path("state").asString().equals("running")) {
				Event event = told.poll(60, TimeUnit.SECONDS);
				assertThat(event).isNotNull();
				last = event.name().equals("job") ? this.calls.toJson(event.data()) : last;
			}
			assertThat(last.path("done").asInt()).isEqualTo(3);
		}
	}

	@Test
	void stopsBetweenTwoSteps() {
		this.state.seedMany(QUEUE, "archived", 2000, 5);
		AtomicReference<BulkJob> running = new AtomicReference<>();
		BulkJob job = job(new TaskSurvey(this.views.broker), 2000, (progress) -> running.get().stop());
		running.set(job);
		job.run();
		assertThat(job.progress().state()).isEqualTo("stopped");
		assertThat(job.progress().done()).isEqualTo(TaskSurvey.SLICE);
		assertThat(size(TaskState.ARCHIVED)).isEqualTo(2000 - TaskSurvey.SLICE);
	}

	@Test
	void goesOnWhenRedisIsBack() {
		this.state.seedMany(QUEUE, "archived", 10, 5);
		AtomicInteger away = new AtomicInteger(1);
		TaskSurvey flaky = new TaskSurvey(this.views.broker) {

			@Override
			public Slice slice(String queue, TaskState from, String group, long offset, int limit) {
				if (away.getAndDecrement() > 0) {
					throw new BrokerUnavailableException("away", new IllegalStateException());
				}
				return super.slice(queue, from, group, offset, limit);
			}

		};
		BulkJob job = job(flaky, 10, (progress) -> {
		});
		job.run();
		assertThat(job.progress().state()).isEqualTo("done");
		assertThat(job.progress().done()).isEqualTo(10);
	}

	@Test
	void onlyAFewRunAtOnceAndOldOnesAreForgotten() throws Exception {
		// One for each: a job that finds none ends at once
		this.state.seedMany(QUEUE, "archived", BulkJobs.MOST_RUNNING, 5);
		BulkJobs jobs = new BulkJobs();
		CountDownLatch goOn = new CountDownLatch(1);
		for (int i = 0; i < BulkJobs.MOST_RUNNING; i++) {
			jobs.start(job(new TaskSurvey(this.views.broker), 1, (progress) -> awaitQuietly(goOn)));
		}
		BulkJob another = job(new TaskSurvey(this.views.broker), 1, (progress) -> {
		});
		assertThatExceptionOfType(ConsoleException.class).isThrownBy(() -> jobs.start(another))
			.withMessageContaining("3 jobs");
		goOn.countDown();
		await().until(() -> jobs.all().stream().noneMatch((job) -> job.progress().isRunning()));
		for (int i = 0; i < 60; i++) {
			BulkJob job = job(new TaskSurvey(this.views.broker), 1, (progress) -> {
			});
			jobs.start(job);
			await().until(() -> !job.progress().isRunning());
		}
		assertThat(jobs.all()).hasSize(50);
		jobs.stop();
	}

	private BulkJob job(TaskSurvey survey, long size, Consumer<BulkJob.Progress> listener) {
		Clock clock = Clock.systemUTC();
		BulkScope scope = new BulkScope(QUEUE, List.of(TaskState.ARCHIVED), null, TaskFilter.all(), Set.of(),
				List.of(new TaskRange(QUEUE, TaskState.ARCHIVED, null)));
		return new BulkJob(
				new BulkJob.Order(java.util.UUID.randomUUID().toString(), TaskAction.RUN, scope, List.of(size),
						clock.instant(), "tester", null),
				survey, new TaskOperations(this.views.inspector, this.views.client, clock), clock, listener);
	}

	private JsonNode start(String action, Object... more) {
		List<Object> fields = new ArrayList<>(List.of("action", action, "q", QUEUE, "state", "archived"));
		fields.addAll(java.util.Arrays.asList(more));
		return this.calls.post("jobs/start", fields.toArray());
	}

	private JsonNode end(JsonNode started) {
		String id = started.path("job").path("id").asString();
		return await().until(() -> this.calls.get("job", "id", id),
				(job) -> !job.path("state").asString().equals("running"));
	}

	private void archive(String prefix, int count, String error) {
		for (int i = 0; i < count; i++) {
			this.state.seedArchived(Instant.now(), failed(QUEUE, prefix + i, error));
		}
	}

	private static io.asynq.internal.redis.TaskMessage failed(String queue, String id, String error) {
		return RedisState.message(queue, id)
			.errorMessage(error)
			.lastFailedAtSeconds(Instant.now().getEpochSecond())
			.build();
	}

	private long size(TaskState in) {
		return this.views.inspector.queueInfo(QUEUE).size(in);
	}

	private static void awaitQuietly(CountDownLatch latch) {
		try {
			latch.await(60, TimeUnit.SECONDS);
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
		}
	}

}
