package io.asynq.internal.enqueue;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.function.Consumer;
import java.util.stream.Stream;

import io.asynq.InvalidTaskException;
import io.asynq.Task;
import io.asynq.TaskOption;
import io.asynq.TaskOptions;
import io.asynq.internal.redis.TaskMessage;
import io.asynq.test.MutableClock;
import io.asynq.test.OptionValues;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.junit.jupiter.params.provider.Arguments.arguments;

/**
 * Tests of {@link TaskMessageFactory}.
 */
class TaskMessageFactoryTests {

	private static final Instant NOW = Instant.parse("2026-01-02T03:04:05.600Z");

	private final MutableClock clock = new MutableClock(NOW);

	private final TaskMessageFactory factory = new TaskMessageFactory(this.clock, List.of());

	@Test
	void usesDefaultsOfAsynq() {
		EnqueueRequest request = create((o) -> {
		});
		TaskMessage message = request.message();
		assertThat(message.type()).isEqualTo("mail");
		assertThat(message.payload()).asString().isEqualTo("hi");
		assertThat(UUID.fromString(message.id()).version()).isEqualTo(4);
		assertThat(message.queue()).isEqualTo("default");
		assertThat(message.maxRetry()).isEqualTo(25);
		assertThat(message.retried()).isZero();
		assertThat(message.timeoutSeconds()).isEqualTo(1800);
		assertThat(message.deadlineSeconds()).isZero();
		assertThat(message.retentionSeconds()).isZero();
		assertThat(message.group()).isEmpty();
		assertThat(message.headers()).isEmpty();
		assertThat(request.placement()).isEqualTo(new Placement.Pending());
		assertThat(request.lockTtl()).isNull();
	}

	@ParameterizedTest
	@EnumSource
	void everyOptionChangesStoredMessage(TaskOption option) {
		// A key of one's own needs a lock
		EnqueueRequest plain = create((o) -> o.taskId("x").unique(Duration.ofHours(1)));
		EnqueueRequest changed = create(
				(o) -> option.set(o.taskId("x").unique(Duration.ofHours(1)), OptionValues.value(option)));
		assertThat(changed).usingRecursiveComparison().isNotEqualTo(plain);
	}

	@Test
	void keyWithoutLockIsRefused() {
		assertThatExceptionOfType(InvalidTaskException.class).isThrownBy(() -> create((o) -> o.uniqueKey("invoice-42")))
			.withMessageContainingAll("'uniqueKey'", "invoice-42", "option 'unique'")
			.satisfies((ex) -> assertThat(ex.option()).isEqualTo("uniqueKey"));
	}

	@Test
	void generatesIdForEachTask() {
		assertThat(create((o) -> {
		}).message().id()).isNotEqualTo(create((o) -> {
		}).message().id());
	}

	@Test
	void keepsGivenValues() {
		TaskMessage message = create((o) -> o.taskId("x").queue("Low").maxRetry(3).retention(Duration.ofMillis(2999)))
			.message();
		assertThat(message.id()).isEqualTo("x");
		assertThat(message.queue()).isEqualTo("Low");
		assertThat(message.maxRetry()).isEqualTo(3);
		assertThat(message.retentionSeconds()).isEqualTo(2);
	}

	@ParameterizedTest
	@ValueSource(longs = { 9_223_372_036L, 9_223_372_037L, Long.MAX_VALUE })
	void durationsBeyondGoRangeAreClamped(long seconds) {
		TaskMessage message = create(
				(o) -> o.timeout(Duration.ofSeconds(seconds)).retention(Duration.ofSeconds(seconds)))
			.message();
		assertThat(message.timeoutSeconds()).isEqualTo(9_223_372_036L);
		assertThat(message.retentionSeconds()).isEqualTo(9_223_372_036L);
	}

	@Test
	void timesBeyondRangeAreClamped() {
		long last = Instant.parse("9999-12-31T23:59:59Z").getEpochSecond();
		assertThat(create((o) -> o.deadline(Instant.MAX)).message().deadlineSeconds()).isEqualTo(last);
		for (EnqueueRequest request : new EnqueueRequest[] { create((o) -> o.processAt(Instant.MAX)),
				create((o) -> o.processIn(Duration.ofSeconds(Long.MAX_VALUE))) }) {
			assertThat(request.placement()).isEqualTo(new Placement.Scheduled(Instant.ofEpochSecond(last)));
		}
		assertThat(create((o) -> o.processIn(Duration.ofSeconds(Long.MIN_VALUE))).placement())
			.isEqualTo(new Placement.Pending());
	}

	@Test
	void rejectsUnpairedSurrogateInHeader() {
		String half = "a\ud83d";
		for (Map<String, String> headers : List.of(Map.of(half, "x"), Map.of("x", half), Map.of("\u00a0", "x"))) {
			assertThatExceptionOfType(InvalidTaskException.class)
				.isThrownBy(() -> this.factory.create(Task.of("mail", "hi").withHeaders(headers), TaskOptions.none()))
				.satisfies((ex) -> assertThat(ex.option()).isEqualTo("header"));
			assertThatExceptionOfType(InvalidTaskException.class)
				.isThrownBy(() -> TaskOptions.of((o) -> o.headers(headers)))
				.satisfies((ex) -> assertThat(ex.option()).isEqualTo("header"));
		}
		assertThat(create((o) -> o.header("\ud83d\ude80", "\ud83d\ude80")).message().headers())
			.containsEntry("\ud83d\ude80", "\ud83d\ude80");
	}

	static Stream<Arguments> placements() {
		Placement pending = new Placement.Pending();
		Placement grouped = new Placement.Grouped();
		Instant later = NOW.plusNanos(1);
		return Stream.of(placement(pending, (o) -> o.processAt(NOW)),
				placement(pending, (o) -> o.processAt(NOW.minusSeconds(60))),
				placement(pending, (o) -> o.processIn(Duration.ZERO)),
				placement(pending, (o) -> o.processIn(Duration.ofSeconds(-1))),
				placement(new Placement.Scheduled(later), (o) -> o.processAt(later)),
				placement(new Placement.Scheduled(NOW.plusSeconds(3)), (o) -> o.processIn(Duration.ofSeconds(3))),
				placement(grouped, (o) -> o.group("g")), placement(grouped, (o) -> o.group("g").processAt(NOW)),
				placement(new Placement.Scheduled(later), (o) -> o.group("g").processAt(later)));
	}

	@ParameterizedTest
	@MethodSource("placements")
	void placesByTimeThenByGroup(Placement placement, Consumer<TaskOptions.Builder> options) {
		assertThat(create(options).placement()).isEqualTo(placement);
	}

	@Test
	void keepsGroupOfScheduledTask() {
		assertThat(create((o) -> o.group("g").processIn(Duration.ofSeconds(3))).message().group()).isEqualTo("g");
	}

	@Test
	void usesInjectedClock() {
		Instant time = NOW.plusSeconds(10);
		assertThat(create((o) -> o.processAt(time)).placement()).isEqualTo(new Placement.Scheduled(time));
		this.clock.advance(Duration.ofSeconds(10));
		assertThat(create((o) -> o.processAt(time)).placement()).isEqualTo(new Placement.Pending());
	}

	@ParameterizedTest
	@CsvSource({ "PT7.9S,7", "PT1S,1", "PT0S,1800" })
	void roundsTimeoutsToWholeSecondsButNeverToNone(Duration timeout, long seconds) {
		assertThat(create((o) -> o.timeout(timeout)).message().timeoutSeconds()).isEqualTo(seconds);
	}

	@Test
	void deadlineReplacesDefaultTimeout() {
		TaskMessage message = create((o) -> o.deadline(NOW.plusSeconds(60))).message();
		assertThat(message.timeoutSeconds()).isZero();
		assertThat(message.deadlineSeconds()).isEqualTo(Instant.parse("2026-01-02T03:05:05Z").getEpochSecond());
	}

	@Test
	void keepsTimeoutAndDeadline() {
		TaskMessage message = create((o) -> o.timeout(Duration.ofSeconds(9)).deadline(NOW.plusSeconds(60))).message();
		assertThat(message.timeoutSeconds()).isEqualTo(9);
		assertThat(message.deadlineSeconds()).isEqualTo(NOW.getEpochSecond() + 60);
	}

	@Test
	void uniqueLockLastsWholeSeconds() {
		assertThat(create((o) -> o.unique(Duration.ofMillis(2900))).lockTtl()).isEqualTo(Duration.ofSeconds(2));
	}

	@Test
	void delayIsAddedToUniqueLock() {
		assertThat(create((o) -> o.unique(Duration.ofSeconds(30)).processIn(Duration.ofSeconds(60))).lockTtl())
			.isEqualTo(Duration.ofSeconds(90));
		assertThat(create((o) -> o.unique(Duration.ofSeconds(30)).processAt(NOW.plusSeconds(60))).lockTtl())
			.isEqualTo(Duration.ofSeconds(90));
	}

	@Test
	void pastTimeDoesNotShortenUniqueLock() {
		assertThat(create((o) -> o.unique(Duration.ofSeconds(30)).processAt(NOW.minusSeconds(60))).lockTtl())
			.isEqualTo(Duration.ofSeconds(30));
	}

	@Test
	void mergesHeadersOfTaskAndOptions() {
		Task task = Task.of("mail", "hi").withHeaders(Map.of("a", "task", "b", "task"));
		assertThat(this.factory.create(task, TaskOptions.of((o) -> o.header("b", "option").header("c", "option")))
			.message()
			.headers()).isEqualTo(Map.of("a", "task", "b", "option", "c", "option"));
		assertThat(this.factory.create(task, TaskOptions.none()).message().headers()).isEqualTo(task.headers());
	}

	@Test
	void missingPayloadDiffersFromEmptyOne() {
		assertThat(this.factory.create(Task.of("mail", (byte[]) null), TaskOptions.none()).message().payload())
			.isNull();
		assertThat(this.factory.create(Task.of("mail", new byte[0]), TaskOptions.none()).message().payload()).isEmpty();
	}

	@ParameterizedTest
	@ValueSource(strings = { "", " ", "\t\n" })
	void rejectsBlankType(String type) {
		assertThatExceptionOfType(InvalidTaskException.class)
			.isThrownBy(() -> this.factory.create(Task.of(type, "x"), TaskOptions.none()))
			.satisfies((ex) -> assertThat(ex.option()).isEqualTo("type"));
	}

	private EnqueueRequest create(Consumer<TaskOptions.Builder> options) {
		return this.factory.create(Task.of("mail", "hi"), TaskOptions.of(options));
	}

	private static Arguments placement(Placement placement, Consumer<TaskOptions.Builder> options) {
		return arguments(placement, options);
	}

}
