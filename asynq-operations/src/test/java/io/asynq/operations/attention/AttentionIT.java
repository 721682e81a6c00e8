package io.asynq.operations.attention;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.stream.Stream;

import io.asynq.TaskOptions;
import io.asynq.internal.broker.RedisBroker;
import io.asynq.internal.fleet.ServerSnapshot;
import io.asynq.internal.fleet.StuckHandler;
import io.asynq.internal.redis.LimitSeeds;
import io.asynq.internal.redis.RedisState;
import io.asynq.internal.redis.ServerIdentity;
import io.asynq.internal.redis.TaskMessage;
import io.asynq.internal.schedule.SchedulerEntrySnapshot;
import io.asynq.server.QueueWeights;
import io.asynq.test.RedisExtension;
import io.asynq.test.SameDay;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.data.redis.connection.RedisConnectionFactory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.arguments;

/**
 * What is found that somebody should look at, and what is not.
 */
@ExtendWith(RedisExtension.class)
class AttentionIT {

	private static final Instant now = Instant.ofEpochSecond(Instant.now().getEpochSecond());

	private final RedisState state;

	private final RedisBroker broker;

	private final RedisConnectionFactory factory;

	AttentionIT(RedisConnectionFactory factory) {
		this.factory = factory;
		this.state = new RedisState(factory);
		this.broker = broker(Clock.systemUTC());
	}

	@AfterEach
	void destroy() {
		this.broker.close();
	}

	static Stream<Arguments> seeds() {
		return Stream.of(seed("failing", "error", (it) -> it.failures("q", 1000, 970, 30, Duration.ofMinutes(1))),
				seed("failing", "warning", (it) -> it.failures("q", 40, 20, 6, Duration.ofMinutes(1))),
				seed("failing", "error", (it) -> it.failures("q", 100, 100, 80, Duration.ofMinutes(8))),
				seed("backlog", "error", (it) -> it.pending("q", Duration.ofHours(2))),
				seed("backlog", "warning", (it) -> it.pending("q", Duration.ofMinutes(6))),
				seed("backlog", "warning", (it) -> it.pending("q", Duration.ofMinutes(59))),
				seed("orphaned-tasks", "error", (it) -> it.active("q", Duration.ofMinutes(2))),
				seed("orphaned-tasks", "error", (it) -> it.active("q", Duration.ofDays(2))),
				seed("orphaned-tasks", "error", (it) -> it.active("q", Duration.ofSeconds(70))),
				seed("archive-full", "error", (it) -> it.state.seedMany("q", "archived", 10_000, now.getEpochSecond())),
				seed("archive-near-cap", "warning",
						(it) -> it.state.seedMany("q", "archived", 9_000, now.getEpochSecond())),
				seed("archive-near-cap", "warning",
						(it) -> it.state.seedMany("q", "archived", 9_999, now.getEpochSecond())),
				seed("periodic-failing", "error", (it) -> it.periodic("archived", "archived", "archived")),
				seed("periodic-failing", "error", (it) -> it.periodic("gone", "archived")),
				seed("periodic-failing", "error", (it) -> it.periodic("archived", "retry", "active")),
				seed("starving", "warning", (it) -> it.starving(Duration.ofMinutes(20))),
				seed("starving", "warning", (it) -> it.starving(Duration.ofHours(20))));
	}

	static Stream<Arguments> healthy() {
		return Stream.of(
				seed("one failure in a hundred", "", (it) -> it.failures("q", 1000, 10, 10, Duration.ofMinutes(1))),
				seed("few executions", "", (it) -> it.failures("q", 10, 10, 10, Duration.ofMinutes(1))),
				seed("failures of this morning", "", (it) -> it.failures("q", 100, 90, 20, Duration.ofHours(2))),
				seed("a task has just come", "", (it) -> it.pending("q", Duration.ofMinutes(4))),
				seed("a task runs", "", (it) -> it.active("q", Duration.ofSeconds(-20))),
				seed("a lease has just ended", "", (it) -> it.active("q", Duration.ofSeconds(20))),
				seed("the last fire went well", "", (it) -> it.periodic("archived", "gone")),
				seed("the only fire still runs", "", (it) -> it.periodic("active")),
				seed("some are archived", "", (it) -> it.state.seedMany("q", "archived", 100, now.getEpochSecond())),
				seed("a task waits shortly for a limit", "", (it) -> it.starving(Duration.ofMinutes(10))),
				seed("nothing at all", "", (it) -> {
				}));
	}

	@ParameterizedTest(name = "{index} {0} {1}")
	@MethodSource("seeds")
	void findsItWithItsSeverityAndCount(String kind, String severity, Consumer<AttentionIT> seed) {
		serve("q");
		seed.accept(this);
		assertThat(find()).singleElement().satisfies((found) -> {
			assertThat(found.kind()).isEqualTo(kind);
			assertThat(found.severity().wireName()).isEqualTo(severity);
			assertThat(found.count()).isEqualTo(1);
			assertThat(found.action()).isNotEmpty();
			assertThat(found.items()).singleElement().satisfies((item) -> {
				assertThat(item.queue()).isEqualTo("q");
				assertThat(item.count()).isPositive();
				assertThat(item.since() != null || kind.startsWith("archive")).as("since").isTrue();
			});
		});
		assertThat(read(Clock.systemUTC()).attention((queue) -> false)).filteredOn((one) -> !isRedis(one))
			.as("whoever may not see the queue")
			.isEmpty();
	}

	@ParameterizedTest(name = "{index} {0}")
	@MethodSource("healthy")
	void findsNothingWhereNothingIsWrong(String what, String none, Consumer<AttentionIT> seed) {
		serve("q");
		seed.accept(this);
		assertThat(find()).isEmpty();
	}

	@ParameterizedTest
	@ValueSource(strings = { "stopped", "closed", "unknown to us" })
	void serverThatTakesNoTasksServesNobody(String status) {
		serve("q", status);
		this.state.seedPending(RedisState.message("q", "waits").build());
		assertThat(find()).extracting(Attention::kind).containsExactly("queue-without-consumer");
	}

	@Test
	void findsAnIncident() {
		Instant begin = now.minusSeconds(300);
		Incident.seed(this.state, this.broker, begin);
		Map<String, Attention> found = new TreeMap<>();
		find().forEach((one) -> found.put(one.kind(), one));
		assertThat(found).containsOnlyKeys("failing", "periodic-failing", "orphaned-tasks", "dead-server",
				"queue-without-consumer");
		assertThat(found.get("failing").since()).isEqualTo(begin);
		assertThat(found.get("failing").items().get(0).type()).isEqualTo("email:send");
		assertThat(found.get("failing").text()).contains("970 of 1000 executions failed (97 %)");
		assertThat(found.get("periodic-failing").since()).isEqualTo(begin);
		assertThat(found.get("orphaned-tasks").since()).isEqualTo(begin);
		assertThat(found.get("dead-server").since()).isEqualTo(begin);
	}

	@Test
	void findsThatAQueueFailsByTwoReadings() {
		serve("q");
		MovableTime time = new MovableTime();
		RedisBroker moved = broker(time);
		SituationReader reader = SituationReader.create(moved, time, Duration.ZERO);
		counters("q", 100_000, 100, false);
		assertThat(failing(reader)).isEmpty();
		time.now = now.plusSeconds(60);
		counters("q", 100_100, 199, false);
		assertThat(failing(reader)).singleElement().satisfies((found) -> {
			assertThat(found.since()).isEqualTo(now);
			assertThat(found.text()).isEqualTo("In the last minutes 99 of 100 executions failed (99 %)");
		});
		time.now = now.plusSeconds(120);
		counters("q", 110_000, 199, false);
		assertThat(failing(reader)).as("it is mended").isEmpty();
		moved.close();
	}

	@Test
	void findsThatABacklogGrows() {
		serve("q");
		MovableTime time = new MovableTime();
		RedisBroker moved = broker(time);
		SituationReader reader = SituationReader.create(moved, time, Duration.ZERO);
		for (int i = 0; i < 3; i++) {
			assertThat(kinds(reader)).as("reading %s", i).doesNotContain("backlog");
			for (int task = 0; task < 60; task++) {
				enqueued("q", "t" + i + "-" + task, now);
			}
			time.now = now.plusSeconds(50L * (i + 1));
		}
		assertThat(kinds(reader)).contains("backlog");
		moved.close();
	}

	@Test
	void killedServerStaysKnownForADayAlthoughItsReplacementTakesItFromTheList() {
		double ended = now.minusSeconds(600).getEpochSecond();
		for (String gone : List.of("far:9:killed", "far:9:other", "far:{9}:odd")) {
			this.state.redis().opsForZSet().add("asynq:servers", "asynq:servers:{" + gone + "}", ended);
		}
		this.state.redis()
			.opsForZSet()
			.add("asynq:servers", "asynq:servers:{far:9:old}", now.minusSeconds(90_000).getEpochSecond());
		serve("q");
		assertThat(this.state.redis().opsForZSet().range("asynq:servers", 0, -1)).as("as Go's does")
			.containsExactly("asynq:servers:{host:7:uuid}");
		assertThat(find()).singleElement().satisfies((found) -> {
			assertThat(found.kind()).isEqualTo("dead-server");
			assertThat(found.count()).isEqualTo(3);
			assertThat(found.since()).isEqualTo(now.minusSeconds(600));
			assertThat(found.items()).extracting(Attention.Item::id).contains("far:9:killed", "far:9:other");
		});
		assertThat(this.state.redis().getExpire("asynqj:servers:lost")).isPositive();
		this.broker.servers().clear(new ServerIdentity("far", 9, "killed"));
		assertThat(find().get(0).count()).as("one was only away, and has signed off").isEqualTo(2);
	}

	@Test
	void handlerThatGoesOnAfterItsTaskWasArchivedIsFound() {
		serve("q");
		List<StuckHandler> stuck = List.of(new StuckHandler("q", "email:send", "a", now.minusSeconds(600)),
				new StuckHandler("hidden", "other", "b", now.minusSeconds(700)),
				new StuckHandler("a\0b", "cannot be told", "c", now), new StuckHandler("", "", "\n", now));
		this.broker.servers()
			.writeStuck(new ServerIdentity("host", 7, "uuid"), StuckHandler.text(stuck), Duration.ofMinutes(1));
		List<Attention> found = read(Clock.systemUTC()).attention("q"::equals);
		assertThat(found).filteredOn((one) -> !isRedis(one)).singleElement().satisfies((one) -> {
			assertThat(one.kind()).isEqualTo("stuck-handler");
			assertThat(one.since()).isEqualTo(now.minusSeconds(600));
			assertThat(one.items()).extracting(Attention.Item::id).containsExactly("a");
		});
		assertThat(find().get(0).count()).isEqualTo(3);
	}

	@Test
	void backlogThatShrankInBetweenDoesNotGrow() {
		serve("q");
		MovableTime time = new MovableTime();
		RedisBroker moved = broker(time);
		SituationReader reader = SituationReader.create(moved, time, Duration.ZERO);
		int[] sizes = { 100, 90, 400, 500 };
		for (int i = 0; i < sizes.length; i++) {
			this.state.redis().delete("asynq:{q}:pending");
			for (int task = 0; task < sizes[i]; task++) {
				enqueued("q", "t" + task, now);
			}
			time.now = now.plusSeconds(50L * i);
			assertThat(kinds(reader)).as("reading %s", i).doesNotContain("backlog");
		}
		moved.close();
	}

	private static List<String> kinds(SituationReader reader) {
		return reader.read().attention((queue) -> true).stream().map(Attention::kind).toList();
	}

	private static List<Attention> failing(SituationReader reader) {
		return reader.read().attention((queue) -> true).stream().filter((one) -> one.kind().equals("failing")).toList();
	}

	private List<Attention> find() {
		return read(Clock.systemUTC()).attention((queue) -> true).stream().filter((one) -> !isRedis(one)).toList();
	}

	private Situation read(Clock clock) {
		return SituationReader.create(this.broker, clock, Duration.ofSeconds(2)).read();
	}

	/** That of the test keeps nothing on disk. */
	private static boolean isRedis(Attention one) {
		return one.kind().equals("preflight");
	}

	private RedisBroker broker(Clock clock) {
		return new RedisBroker(this.factory, clock, RedisBroker.DEFAULT_LEASE_DURATION, (broken) -> {
		});
	}

	private static Arguments seed(String kind, String severity, Consumer<AttentionIT> seed) {
		return arguments(kind, severity, seed);
	}

	private void serve(String queue) {
		serve(queue, "active");
	}

	private void serve(String queue, String status) {
		ServerIdentity identity = new ServerIdentity("host", 7, "uuid");
		this.state.redis().opsForSet().add("asynq:queues", queue);
		this.broker.servers().enlist(identity, Duration.ofSeconds(10));
		this.broker.servers()
			.write(new ServerSnapshot(identity, 10, new QueueWeights(Map.of(queue, 3), true), status, now, List.of(),
					Map.of()), Duration.ofMinutes(10));
	}

	private void counters(String queue, long processed, long failed, boolean today) {
		String suffix = today ? ":" + SameDay.begin() : "";
		this.state.redis().opsForValue().set("asynq:{" + queue + "}:processed" + suffix, String.valueOf(processed));
		this.state.redis().opsForValue().set("asynq:{" + queue + "}:failed" + suffix, String.valueOf(failed));
	}

	private void failures(String queue, long processed, long failed, int tasks, Duration ago) {
		counters(queue, processed, failed, true);
		Instant at = now.minus(ago);
		for (int i = 0; i < tasks; i++) {
			TaskMessage message = failed(queue, "f" + i, at);
			if (i % 2 == 0) {
				this.state.seedRetry(now.plusSeconds(3600), message);
			}
			else {
				this.state.seedArchived(at, message);
			}
		}
	}

	private void pending(String queue, Duration since) {
		enqueued(queue, "a", now.minus(since));
	}

	private void enqueued(String queue, String id, Instant since) {
		this.state.seedPending(RedisState.message(queue, id).build());
		this.state.redis()
			.opsForHash()
			.put("asynq:{" + queue + "}:t:" + id, "pending_since", since.getEpochSecond() + "000000000");
	}

	private void active(String queue, Duration ago) {
		this.state.seedActive(now.minus(ago), RedisState.message(queue, "a").build());
	}

	/** Seeds an entry and what became of its fires, the first first. */
	private void periodic(String... outcomes) {
		this.broker.schedulers()
			.write(new ServerIdentity("host", 8, "uuid"), List.of(new SchedulerEntrySnapshot("entry", "@every 1m",
					"report", null, TaskOptions.of((options) -> options.queue("q")), null, null)),
					Duration.ofMinutes(10));
		for (int i = 0; i < outcomes.length; i++) {
			Instant at = now.minusSeconds(60L * (outcomes.length - i));
			this.broker.schedulers().recordEnqueued("entry", "fire-" + i, at);
			switch (outcomes[i]) {
				case "archived" -> this.state.seedArchived(at, failed("q", "fire-" + i, at));
				case "retry" -> this.state.seedRetry(now.plusSeconds(60), failed("q", "fire-" + i, at));
				case "active" ->
					this.state.seedActive(now.plusSeconds(30), RedisState.message("q", "fire-" + i).build());
				default -> {
				}
			}
		}
	}

	private void starving(Duration since) {
		new LimitSeeds(this.broker).concurrent("pdf", 1).hold("q", "a", "pdf").park("q", "b", "pdf");
		Set<String> lines = this.state.redis().keys("asynqj:{q}:waiting:*");
		this.state.redis()
			.opsForZSet()
			.add(lines.iterator().next(), "b", now.minus(since).getEpochSecond() * 1_000_000.0);
	}

	private static TaskMessage failed(String queue, String id, Instant at) {
		return RedisState.message(queue, id).errorMessage("boom").lastFailedAtSeconds(at.getEpochSecond()).build();
	}

	/**
	 * A clock that a test sets.
	 */
	private static final class MovableTime extends Clock {

		private Instant now = AttentionIT.now;

		@Override
		public ZoneId getZone() {
			return ZoneOffset.UTC;
		}

		@Override
		public Clock withZone(ZoneId zone) {
			return this;
		}

		@Override
		public Instant instant() {
			return this.now;
		}

	}

}
