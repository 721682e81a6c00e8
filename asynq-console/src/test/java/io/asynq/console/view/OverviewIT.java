package io.asynq.console.view;

import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

import io.asynq.console.http.Calls;
import io.asynq.internal.redis.LimitSeeds;
import io.asynq.internal.redis.RedisState;
import io.asynq.internal.redis.TaskMessage;
import io.asynq.internal.worker.UnhandledStore;
import io.asynq.operations.attention.Incident;
import io.asynq.test.RedisExtension;
import io.asynq.test.SameDay;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.data.redis.connection.RedisConnectionFactory;
import tools.jackson.databind.JsonNode;

import static io.asynq.console.view.Answers.texts;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

/**
 * What is shown across queues: the overview, its history, the palette's search.
 */
@ExtendWith(RedisExtension.class)
class OverviewIT {

	private final RedisState state;

	@AutoClose
	private final Views views;

	private final Calls calls;

	OverviewIT(RedisConnectionFactory factory) {
		this.state = new RedisState(factory);
		this.views = new Views(factory);
		this.calls = this.views.calls();
	}

	@Test
	void overviewSaysWhatNeedsAttention() {
		Instant now = Instant.now();
		this.views.enqueue("orphan", "x", "a", "{}");
		this.state.seedScheduled(now.plusSeconds(3600), RedisState.message("later", "t1").build());
		this.state.redis().opsForSet().add("asynq:queues", "paused");
		this.state.redis()
			.opsForValue()
			.set("asynq:{paused}:paused", String.valueOf(now.minus(Duration.ofDays(2)).getEpochSecond()));
		this.state.seedMany("full", "archived", 9000, now.getEpochSecond());
		this.state.redis().opsForZSet().add("asynqj:{orphan}:unhandled", "lost:type", 0);
		this.state.redis().opsForZSet().add("asynqj:{orphan}:unhandled:lost:type", "a", 1);
		this.state.seedActive(now.plusSeconds(30), RedisState.message("served", "hangs").build());
		this.views.serve("served", Set.of("x"), "hangs", now.minusSeconds(3600), now.minusSeconds(1800));
		this.state.redis().opsForZSet().add("asynq:servers", "asynq:servers:{gone:1:x}", now.getEpochSecond() - 60.0);
		JsonNode overview = this.calls.get("overview");
		Map<String, JsonNode> byKind = new TreeMap<>();
		overview.path("attention")
			.forEach((one) -> one.path("items")
				.forEach((item) -> byKind.put(one.path("kind").asString() + " " + item.path("queue").asString(""),
						item)));
		assertThat(byKind).containsKeys("queue-without-consumer orphan", "queue-without-consumer later",
				"paused-long paused", "archive-near-cap full", "type-without-handler orphan", "stuck-handler served",
				"dead-server ");
		assertThat(byKind).doesNotContainKey("queue-without-consumer served");
		assertThat(byKind.get("queue-without-consumer orphan").path("severity").asString()).isEqualTo("error");
		assertThat(byKind.get("queue-without-consumer later").path("severity").asString()).isEqualTo("warning");
		assertThat(byKind.get("type-without-handler orphan").path("type").asString()).isEqualTo("lost:type");
		assertThat(byKind.get("type-without-handler orphan").path("text").asString())
			.isEqualTo("No server that has taken tasks of type lost:type has a handler for them: 1 waits");
		assertThat(byKind.get("stuck-handler served").path("screen").path("params").path("id").asString())
			.isEqualTo("hangs");
		assertThat(overview.path("attention").get(0).path("severity").asString()).isEqualTo("error");
		assertThat(overview.path("servers").asInt()).isEqualTo(1);
		assertThat(overview.path("redis").path("version").asString()).isNotEmpty();
		overview.path("queues")
			.forEach((queue) -> assertThat(queue.path("hasConsumer").asBoolean())
				.isEqualTo(queue.path("queue").asString().equals("served")));
	}

	@Test
	void overviewSaysWhatIsWrongInAnIncidentAndSinceWhen() {
		Instant begin = Instant.ofEpochSecond(Instant.now().getEpochSecond() - 300);
		Incident.seed(this.state, this.views.broker, begin);
		JsonNode overview = this.calls.get("overview");
		Map<String, JsonNode> byKind = new TreeMap<>();
		overview.path("attention").forEach((one) -> byKind.put(one.path("kind").asString(), one));
		assertThat(byKind).containsKeys("failing", "periodic-failing", "orphaned-tasks", "dead-server",
				"queue-without-consumer");
		assertThat(byKind.get("failing").path("since").asString()).isEqualTo(begin.toString());
		assertThat(byKind.get("failing").path("text").asString()).contains("970 of 1000 executions failed (97 %)");
		assertThat(byKind.get("dead-server").path("since").asString()).isEqualTo(begin.toString());
		assertThat(
				byKind.get("periodic-failing").path("items").get(0).path("screen").path("params").path("id").asString())
			.isEqualTo("report-2");
		JsonNode hidden = this.views.calls(Set.of(), Set.of("mail")).get("overview");
		assertThat(texts(hidden.path("attention"), "kind")).doesNotContain("failing").contains("periodic-failing");
	}

	@Test
	void overviewNamesTypesThatNobodyHandlesInOneLineForEachQueue() {
		this.state.redis().opsForSet().add("asynq:queues", "orphan");
		String longest = "c:" + "x".repeat(100);
		for (String type : List.of("a:one", "b:two", longest, "d:four", "e:five")) {
			this.state.redis().opsForZSet().add("asynqj:{orphan}:unhandled", type, 0);
			this.state.redis().opsForZSet().add("asynqj:{orphan}:unhandled:" + type, type, 1);
		}
		this.state.redis().opsForZSet().add("asynqj:{orphan}:unhandled:" + longest, "another", 1);
		List<JsonNode> lines = this.calls.get("overview")
			.path("attention")
			.valueStream()
			.filter((one) -> one.path("kind").asString().equals("type-without-handler"))
			.flatMap((one) -> one.path("items").valueStream())
			.toList();
		assertThat(lines).singleElement().satisfies((line) -> {
			assertThat(line.path("queue").asString()).isEqualTo("orphan");
			assertThat(line.path("type").asString("")).isEmpty();
			assertThat(line.path("count").asLong()).isEqualTo(6);
			assertThat(line.path("text").asString()).isEqualTo("No server that has taken tasks of type c:"
					+ "x".repeat(38) + "…, a:one, b:two and 2 more has a handler for them: 6 wait");
		});
	}

	@Test
	void overviewSaysThatTasksAreAtLeastSoManyWhereNotAllTypesAreLookedAt() {
		this.state.redis().opsForSet().add("asynq:queues", "orphan");
		for (int i = 0; i < UnhandledStore.MOST_TYPES + 20; i++) {
			String type = String.format("t%03d", i);
			this.state.redis().opsForZSet().add("asynqj:{orphan}:unhandled", type, 0);
			this.state.redis().opsForZSet().add("asynqj:{orphan}:unhandled:" + type, "a", 1);
		}
		assertThat(texts(this.calls.get("overview").path("attention"), "text"))
			.contains("No server that has taken tasks of type t000, t001, t002 and at least 97 more has a handler"
					+ " for them: at least 100 wait");
	}

	@Test
	void overviewShowsTheNewestFailuresOfAllQueues() {
		Instant now = Instant.now().truncatedTo(ChronoUnit.SECONDS);
		for (int i = 0; i < 8; i++) {
			this.state.seedArchived(now.minusSeconds(i),
					RedisState.message("a", "a" + i)
						.errorMessage("boom")
						.lastFailedAtSeconds(now.getEpochSecond() - i)
						.build());
			this.state.seedRetry(now.plusSeconds(100 - i),
					RedisState.message("b", "b" + i)
						.errorMessage("boom")
						.lastFailedAtSeconds(now.getEpochSecond() - 4 - i)
						.build());
		}
		JsonNode newest = this.calls.get("overview").path("newestFailures");
		assertThat(newest).hasSize(10);
		assertThat(newest.get(0).path("id").asString()).isEqualTo("a0");
		assertThat(texts(newest, "id")).contains("b0", "b2").doesNotContain("b7");
	}

	@Test
	void tasksThatWaitForLimitsAreCountedApartFromRetries() {
		Instant due = Instant.now().plusSeconds(600);
		new LimitSeeds(this.views.broker).concurrent("pdf", 1)
			.concurrent("tenant", 1)
			.hold("default", "a", "pdf", "tenant:acme")
			.park("default", "b", "pdf")
			.park("default", "c", "pdf", "tenant:acme")
			.park("low", "d", "tenant:acme");
		this.state.seedRetry(due, RedisState.message("low", "r").errorMessage("boom").build());
		this.state.seedRetry(due, RedisState.message("other", "r").errorMessage("boom").build());
		JsonNode overview = this.calls.get("overview");
		assertThat(overview.path("totals").path("retry").asInt()).isEqualTo(5);
		assertThat(overview.path("waitingForLimit").asInt()).isEqualTo(3);
		assertThat(texts(overview.path("queues"), "waitingForLimit")).containsExactly("2", "1", "0");
		assertThat(texts(this.calls.get("queues").path("entries"), "waitingForLimit")).containsExactly("2", "1", "0");
		assertThat(this.calls.get("counts", "q", "low").path("waitingForLimit").asInt()).isOne();
		JsonNode queue = this.calls.get("queue", "q", "default");
		assertThat(queue.path("info").path("waitingForLimit").asInt()).isEqualTo(2);
		assertThat(queue.path("retriesAheadExact").asBoolean()).isTrue();
		assertThat(texts(queue.path("retriesAhead"), "count")).containsOnly("0");
	}

	@Test
	void newestFailuresAreFailures() {
		Instant now = Instant.now();
		this.state.seedArchived(now, RedisState.message("a", "archived by hand").build(),
				RedisState.message("a", "failed")
					.errorMessage("boom")
					.lastFailedAtSeconds(now.getEpochSecond())
					.build());
		this.state.seedRetry(now.plusSeconds(60), RedisState.message("b", "postponed").build());
		new LimitSeeds(this.views.broker).concurrent("pdf", 1).hold("c", "runs", "pdf").park("c", "waits", "pdf");
		assertThat(texts(this.calls.get("overview").path("newestFailures"), "id")).containsExactly("failed");
	}

	@Test
	void overviewGoesOnInParts() {
		for (int i = 0; i < 450; i++) {
			this.state.redis().opsForSet().add("asynq:queues", String.format("q%03d", i));
		}
		Set<String> seen = new HashSet<>();
		String next = null;
		do {
			JsonNode part = this.calls.get("overview", "cursor", next);
			assertThat(part.path("queueCount").asInt()).isEqualTo(450);
			seen.addAll(texts(part.path("queues"), "queue"));
			next = part.path("next").isNull() ? null : part.path("next").asString();
		}
		while (next != null);
		assertThat(seen).hasSize(450);
		JsonNode queues = this.calls.get("queues", "cursor", "q199");
		assertThat(queues.path("entries").get(0).path("queue").asString()).isEqualTo("q200");
		assertThat(queues.path("next").asString()).isEqualTo("q399");
	}

	@Test
	void historySumsQueues() {
		this.state.redis().opsForSet().add("asynq:queues", "a", "b");
		String today = SameDay.begin().toString();
		this.state.redis().opsForValue().set("asynq:{a}:processed:" + today, "5");
		this.state.redis().opsForValue().set("asynq:{b}:processed:" + today, "7");
		this.state.redis().opsForValue().set("asynq:{b}:failed:" + today, "2");
		JsonNode all = this.calls.get("history", "days", "90");
		assertThat(all.path("days")).hasSize(90);
		assertThat(all.path("days").get(0).path("processed").asInt()).isEqualTo(12);
		assertThat(all.path("days").get(0).path("failed").asInt()).isEqualTo(2);
		assertThat(this.calls.get("history", "days", "90").path("asOf")).as("it is remembered, and says since when")
			.isEqualTo(all.path("asOf"));
		assertThat(this.calls.get("history", "q", "a", "days", "1").path("days").get(0).path("processed").asInt())
			.isEqualTo(5);
		assertThat(Calls.code(catchThrowable(() -> this.calls.get("history", "days", "91"))))
			.isEqualTo("400 parameter");
	}

	@Test
	void searchFindsQueuesTasksAndTypes() {
		Instant now = Instant.now();
		this.views.enqueue("Critical", "x", "the-id", "{}");
		this.views.serve("default", Set.of("mail:send"), "t1", now, now.plusSeconds(60));
		assertThat(texts(this.calls.get("search", "text", "crit").path("queues"))).containsExactly("Critical");
		assertThat(this.calls.get("search", "text", "the-id").path("tasks").get(0).path("queue").asString())
			.isEqualTo("Critical");
		assertThat(texts(this.calls.get("search", "text", "MAIL").path("types"))).contains("mail:send");
	}

	@Test
	void doctorTriesARepairAndMakesItOnlyIfToldSo() {
		this.views.enqueue("torn", "x", "a", "{}");
		this.state.redis().opsForList().leftPush("asynq:{torn}:pending", "an-id-without-a-task");
		assertThat(this.calls.post("repair/preview", "q", "torn").path("repaired").toString()).contains(":1");
		assertThat(Calls.code(catchThrowable(() -> this.calls.post("repair", "q", "torn")))).isEqualTo("400 parameter");
		assertThat(this.state.pending("torn")).hasSize(2);
		assertThat(this.calls.post("repair", "q", "torn", "apply", true).path("repaired").toString()).contains(":1");
		assertThat(this.state.pending("torn")).containsExactly("a");
	}

	@Test
	void doctorTellsOfTypesWithoutAHandler() {
		this.state.redis().opsForSet().add("asynq:queues", "orphan");
		this.state.redis().opsForZSet().add("asynqj:{orphan}:unhandled", "lost:type", 0);
		this.state.redis().opsForZSet().add("asynqj:{orphan}:unhandled:lost:type", "a", 1);
		JsonNode found = this.calls.get("diagnosis", "q", "orphan");
		assertThat(found.path("unhandled").path("lost:type").asInt()).isEqualTo(1);
		assertThat(found.path("counts").isEmpty()).isTrue();
	}

	@Test
	void doctorTellsOfTasksThatWaitForLimitsWhichIsNothingWrong() {
		new LimitSeeds(this.views.broker).concurrent("pdf", 1).hold("default", "a", "pdf").park("default", "b", "pdf");
		JsonNode found = this.calls.get("diagnosis", "q", "default");
		assertThat(found.path("limited").asInt()).isOne();
		assertThat(found.path("counts").isEmpty()).isTrue();
	}

	@Test
	void doctorTellsOfTasksThatServersHoldWhichIsNothingWrong() {
		this.views.enqueue("default", "mail", "a", "{}");
		this.views.serve("default", Set.of("mail"), "t1", Instant.now(), Instant.now().plusSeconds(60));
		JsonNode found = this.calls.get("diagnosis", "q", "default");
		assertThat(found.path("held").asInt()).isEqualTo(4);
		assertThat(found.path("counts").isEmpty()).isTrue();
	}

	@Test
	void nothingIsWrittenByLooking() {
		this.views.enqueue("default", "x", "a", "{}");
		this.state.seedArchived(Instant.now(), failed("default", "t1", "boom"));
		Set<String> before = this.state.redis().keys("*");
		for (String name : List.of("overview", "queues", "failures", "servers", "schedulers", "redis", "history",
				"jobs")) {
			this.calls.get(name);
		}
		this.calls.get("queue", "q", "default");
		this.calls.get("task", "q", "default", "id", "a");
		this.calls.get("tasks", "q", "default", "state", "archived", "filter", "error:boom");
		assertThat(this.state.redis().keys("*")).isEqualTo(before);
	}

	private static TaskMessage failed(String queue, String id, String error) {
		return RedisState.message(queue, id)
			.errorMessage(error)
			.lastFailedAtSeconds(Instant.now().getEpochSecond())
			.build();
	}

}
