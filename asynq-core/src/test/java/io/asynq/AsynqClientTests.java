package io.asynq;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import io.asynq.internal.redis.TaskMessage;
import io.asynq.payload.PayloadConversionException;
import io.asynq.test.FakeBroker;
import io.asynq.test.MutableClock;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Tests of {@link AsynqClient} on a broker without a store.
 */
class AsynqClientTests {

	private static final Instant NOW = Instant.parse("2026-01-02T03:04:05.600Z");

	private final FakeBroker broker = new FakeBroker();

	private final MutableClock clock = new MutableClock(NOW);

	private final AsynqClient client = client(ClientOptions.builder());

	@Test
	void callsAreSharedUnlessThatIsSwitchedOff() {
		this.client.enqueue("mail");
		assertThat(this.broker.shared).hasValue(1);
		client(ClientOptions.builder().shareCalls(false)).enqueue("mail");
		assertThat(this.broker.shared).hasValue(1);
	}

	@Test
	void returnsStoredTaskAsPending() {
		TaskInfo info = this.client.enqueue(Task.of("mail", "hi").withHeaders(Map.of("a", "1")),
				TaskOptions.of((o) -> o.taskId("x")
					.queue("low")
					.maxRetry(3)
					.timeout(Duration.ofSeconds(7))
					.deadline(NOW.plusSeconds(60))
					.retention(Duration.ofHours(1))));
		assertThat(info.state()).isEqualTo(TaskState.PENDING);
		assertThat(info.nextProcessAt()).isEqualTo(NOW);
		assertThat(info.id()).isEqualTo("x");
		assertThat(info.queue()).isEqualTo("low");
		assertThat(info.type()).isEqualTo("mail");
		assertThat(info.payload()).asString().isEqualTo("hi");
		assertThat(info.headers()).containsExactly(Map.entry("a", "1"));
		assertThat(info.maxRetry()).isEqualTo(3);
		assertThat(info.timeout()).isEqualTo(Duration.ofSeconds(7));
		assertThat(info.deadline()).isEqualTo(Instant.parse("2026-01-02T03:05:05Z"));
		assertThat(info.retention()).isEqualTo(Duration.ofHours(1));
		assertThat(info.group()).isNull();
	}

	@Test
	void returnsDueTimeInWholeSeconds() {
		TaskInfo info = this.client.enqueue(Task.of("mail", "hi"),
				TaskOptions.of((o) -> o.processIn(Duration.ofSeconds(10))));
		assertThat(info.state()).isEqualTo(TaskState.SCHEDULED);
		assertThat(info.nextProcessAt()).isEqualTo(Instant.parse("2026-01-02T03:04:15Z"));
	}

	@Test
	void returnsNoTimeForGroupedTask() {
		TaskInfo info = this.client.enqueue(Task.of("mail", "hi"), TaskOptions.of((o) -> o.group("g")));
		assertThat(info.state()).isEqualTo(TaskState.AGGREGATING);
		assertThat(info.nextProcessAt()).isNull();
		assertThat(info.group()).isEqualTo("g");
	}

	@Test
	void callOptionsOverrideTaskPropertiesAndAnnotation() {
		AsynqClient client = client(ClientOptions.builder()
			.defaults("mail:letter", TaskOptions.of((o) -> o.queue("property").maxRetry(2)))
			.defaults("other", TaskOptions.of((o) -> o.queue("wrong"))));
		client.enqueue(new Letter("Ann"));
		assertThat(lastMessage().queue()).isEqualTo("property");
		assertThat(lastMessage().maxRetry()).isEqualTo(2);
		assertThat(lastMessage().timeoutSeconds()).isEqualTo(90);

		Task task = Task.of("mail:letter", "x").withOptions(TaskOptions.of((o) -> o.queue("task").maxRetry(4)));
		client.enqueue(task);
		assertThat(lastMessage().queue()).isEqualTo("task");

		client.enqueue(task, TaskOptions.of((o) -> o.queue("call")));
		assertThat(lastMessage().queue()).isEqualTo("call");
		assertThat(lastMessage().maxRetry()).isEqualTo(4);

		client.enqueue(new Letter("Ann"), (o) -> o.queue("call"));
		assertThat(lastMessage().queue()).isEqualTo("call");
		assertThat(lastMessage().timeoutSeconds()).isEqualTo(90);
	}

	@Test
	void everythingOverridesDefaultsOfHandler() {
		AsynqClient client = client(ClientOptions.builder()
			.handlerDefaults((type) -> TaskOptions.of((o) -> o.maxRetry(9).timeout(Duration.ofSeconds(44))))
			.defaults("property", TaskOptions.of((o) -> o.maxRetry(2))));
		client.enqueue(Task.of("mail", "x"));
		assertThat(lastMessage().maxRetry()).isEqualTo(9);
		assertThat(lastMessage().timeoutSeconds()).isEqualTo(44);
		client.enqueue(Task.of("property", "x"));
		assertThat(lastMessage().maxRetry()).isEqualTo(2);
		assertThat(lastMessage().timeoutSeconds()).isEqualTo(44);
		client.enqueue(new Letter("Ann"));
		assertThat(lastMessage().maxRetry()).isEqualTo(5);
		assertThat(lastMessage().timeoutSeconds()).isEqualTo(90);
		client.enqueue(Task.of("mail", "x"), TaskOptions.of((o) -> o.timeout(Duration.ofSeconds(1))));
		assertThat(lastMessage().timeoutSeconds()).isEqualTo(1);
	}

	@Test
	void takesTypeAndDefaultsFromPayloadClass() {
		this.client.enqueue(new Letter("Ann"));
		assertThat(lastMessage().type()).isEqualTo("mail:letter");
		assertThat(lastMessage().payload()).asString().isEqualTo("{\"to\":\"Ann\"}");
		assertThat(lastMessage().queue()).isEqualTo("annotated");
		assertThat(lastMessage().maxRetry()).isEqualTo(5);
		assertThat(lastMessage().timeoutSeconds()).isEqualTo(90);
		assertThat(lastMessage().retentionSeconds()).isEqualTo(3600);
		assertThat(this.broker.lastRequest().lockTtl()).isEqualTo(Duration.ofMinutes(2));
	}

	@Test
	void usesDefaultsOfPayloadClassWithTypeOfCall() {
		this.client.enqueue("mail:other", new Letter("Ann"));
		assertThat(lastMessage().type()).isEqualTo("mail:other");
		assertThat(lastMessage().queue()).isEqualTo("annotated");
	}

	@Test
	void taskPassedAsPayloadIsEnqueuedAsTask() {
		this.client.enqueue(Task.of("mail", "hi"), (o) -> o.queue("low"));
		assertThat(lastMessage().type()).isEqualTo("mail");
		assertThat(lastMessage().queue()).isEqualTo("low");
		assertThat(lastMessage().payload()).asString().isEqualTo("hi");
	}

	@Test
	void rejectsPayloadWhoseClassNamesNoType() {
		assertThatExceptionOfType(InvalidTaskException.class).isThrownBy(() -> this.client.enqueue(Map.of("a", 1)))
			.withMessageContaining("@TaskDefaults")
			.withMessageContaining(Map.of("a", 1).getClass().getName())
			.satisfies((ex) -> assertThat(ex.option()).isEqualTo("type"));
		assertThat(this.broker.calls).hasValue(0);
	}

	@Test
	void namesClassAndOptionOfInvalidAnnotation() {
		assertThatExceptionOfType(InvalidTaskException.class).isThrownBy(() -> this.client.enqueue(new Hasty()))
			.withMessageContaining("Hasty")
			.withMessageContaining("100ms")
			.satisfies((ex) -> assertThat(ex.option()).isEqualTo("timeout"));
		assertThatExceptionOfType(InvalidTaskException.class).isThrownBy(() -> this.client.enqueue(new Vague()))
			.withMessageContaining("Vague")
			.withMessageContaining("soon")
			.satisfies((ex) -> assertThat(ex.option()).isEqualTo("unique"));
	}

	@Test
	void missingPayloadDiffersFromEmptyOne() {
		this.client.enqueue("mail", (Object) null);
		assertThat(lastMessage().payload()).isNull();
		this.client.enqueue("mail", "");
		assertThat(lastMessage().payload()).isEmpty();
	}

	@Test
	void textAloneIsTypeOfTaskWithoutPayload() {
		this.client.enqueue("report");
		assertThat(lastMessage().type()).isEqualTo("report");
		assertThat(lastMessage().payload()).isNull();
	}

	@Test
	void textWithOptionsIsTypeOfTaskWithoutPayload() {
		this.client.enqueue("report", (o) -> o.queue("low"));
		assertThat(lastMessage().type()).isEqualTo("report");
		assertThat(lastMessage().payload()).isNull();
		assertThat(lastMessage().queue()).isEqualTo("low");
	}

	@Test
	void optionsPassedAsPayloadAreOptions() {
		this.client.enqueue("report", TaskOptions.of((o) -> o.queue("low")));
		assertThat(lastMessage().payload()).isNull();
		assertThat(lastMessage().queue()).isEqualTo("low");
	}

	@Test
	void textWithNullIsTaskWithoutPayloadAndOptions() {
		this.client.enqueue("report", null);
		assertThat(lastMessage().type()).isEqualTo("report");
		assertThat(lastMessage().payload()).isNull();
		assertThat(lastMessage().queue()).isEqualTo("default");
	}

	@Test
	void rejectsTaskDescriptionAsPayload() {
		TaskOptions options = TaskOptions.of((o) -> o.queue("low"));
		for (Object misplaced : List.of(Task.of("mail", "x"), options, options.toBuilder())) {
			assertThatExceptionOfType(InvalidTaskException.class)
				.isThrownBy(() -> this.client.enqueue("report", misplaced, (o) -> o.maxRetry(1)))
				.withMessageContainingAll(misplaced.getClass().getName(), "'report'", "enqueue(type, payload, ")
				.satisfies((ex) -> assertThat(ex.option()).isEqualTo("payload"));
		}
		assertThat(this.broker.calls).hasValue(0);
	}

	static Stream<Object> lambdas() {
		Runnable capturing = new ArrayList<>()::clear;
		Consumer<TaskOptions.Builder> options = (o) -> o.queue("low");
		Supplier<String> supplier = () -> "x";
		return Stream.of(capturing, options, supplier, (UnaryOperator<String>) String::strip);
	}

	@ParameterizedTest
	@MethodSource("lambdas")
	void rejectsLambdaAsPayload(Object lambda) {
		for (ThrowingCallable call : List.<ThrowingCallable>of(() -> this.client.enqueue("report", lambda),
				() -> this.client.enqueue("report", lambda, (o) -> o.maxRetry(1)),
				() -> this.client.task("report", lambda))) {
			assertThatExceptionOfType(InvalidTaskException.class).isThrownBy(call)
				.withMessageContainingAll(lambda.getClass().getName(), "'report'", "enqueue(type, payload, ")
				.satisfies((ex) -> assertThat(ex.option()).isEqualTo("payload"));
		}
		assertThat(this.broker.calls).hasValue(0);
	}

	@Test
	void refusesPayloadThatWouldBeEmpty() {
		assertThatExceptionOfType(PayloadConversionException.class)
			.isThrownBy(() -> this.client.enqueue("refund", new Object()))
			.withMessageContaining("java.lang.Object");
		assertThat(this.broker.calls).hasValue(0);
	}

	@Test
	void rejectsBlankType() {
		assertThatExceptionOfType(InvalidTaskException.class).isThrownBy(() -> this.client.enqueue(Task.of(" ", "x")))
			.withMessageContaining("'type'")
			.satisfies((ex) -> assertThat(ex.option()).isEqualTo("type"));
		assertThat(this.broker.calls).hasValue(0);
	}

	@Test
	void rejectsNullTask() {
		assertThatExceptionOfType(InvalidTaskException.class).isThrownBy(() -> this.client.enqueue((Task) null))
			.withMessageContaining("must not be null");
		assertThat(this.broker.calls).hasValue(0);
	}

	@Test
	void rejectsPayloadOverLimitAndAcceptsOneAtLimit() {
		AsynqClient client = client(ClientOptions.builder().maxPayloadSize(10));
		assertThatExceptionOfType(InvalidTaskException.class)
			.isThrownBy(() -> client.enqueue(Task.of("mail", "12345678901")))
			.withMessageContaining("asynq.client.max-payload-size")
			.withMessageContaining("'mail'")
			.withMessageContaining("11 bytes")
			.withMessageContaining("limit of 10")
			.withMessageNotContaining("12345678901")
			.satisfies((ex) -> assertThat(ex.option()).isEqualTo("payload"));
		assertThat(this.broker.calls).hasValue(0);
		assertThat(client.enqueue(Task.of("mail", "1234567890")).state()).isEqualTo(TaskState.PENDING);
	}

	@Test
	void headersCountTowardsPayloadLimit() {
		AsynqClient client = client(ClientOptions.builder().maxPayloadSize(10));
		Task task = Task.of("mail", "12345").withHeaders(Map.of("a", "ä"));
		assertThatExceptionOfType(InvalidTaskException.class)
			.isThrownBy(() -> client.enqueue(task, TaskOptions.of((o) -> o.header("b", "cd"))))
			.withMessageContaining("Payload and 2 headers of task type 'mail' have 11 bytes")
			.withMessageContaining("asynq.client.max-payload-size")
			.satisfies((ex) -> assertThat(ex.option()).isEqualTo("payload"));
		assertThat(this.broker.calls).hasValue(0);
		assertThat(client.enqueue(task, TaskOptions.of((o) -> o.header("b", "c"))).state())
			.isEqualTo(TaskState.PENDING);
	}

	@Test
	void defaultPayloadLimitIsOneMebibyte() {
		assertThat(this.client.enqueue(Task.of("mail", new byte[1024 * 1024]))).isNotNull();
		assertThatExceptionOfType(InvalidTaskException.class)
			.isThrownBy(() -> this.client.enqueue(Task.of("mail", new byte[1024 * 1024 + 1])));
	}

	@Test
	void propagatesErrorOfBroker() {
		AsynqException error = new DuplicateTaskException("no");
		this.broker.answer = (request) -> Optional.of(error);
		assertThatExceptionOfType(DuplicateTaskException.class)
			.isThrownBy(() -> this.client.enqueue(Task.of("mail", "x"), options("x1")))
			.isSameAs(error);
	}

	@Test
	void returnsResultPerTaskInOrder() {
		this.broker.answer = (request) -> switch (request.message().type()) {
			case "duplicate" -> Optional.of(new DuplicateTaskException("no"));
			case "conflict" -> Optional.of(new TaskIdConflictException("no"));
			case "broken" -> Optional.of(new BrokerException("no", null));
			case "unknown" -> Optional.of(new BrokerUnavailableException("gone", null));
			default -> Optional.empty();
		};
		AsynqClient client = client(ClientOptions.builder().maxPayloadSize(10));
		List<Task> tasks = Arrays.asList(Task.of("a", "1"), Task.of("large", "12345678901"), null,
				Task.of("duplicate", "1"), Task.of("conflict", "1"), Task.of(" ", "1"), Task.of("broken", "1"),
				Task.of("unknown", "1"), Task.of("b", "2"));
		List<EnqueueAttempt> attempts = client.enqueueAll(tasks, TaskOptions.of((o) -> o.queue("low")));
		assertThat(attempts).extracting(EnqueueAttempt::task).containsExactlyElementsOf(tasks);
		assertThat(attempts)
			.extracting((attempt) -> (attempt.error() != null) ? attempt.error().getClass().getSimpleName() : null)
			.containsExactly(null, "InvalidTaskException", "InvalidTaskException", "DuplicateTaskException",
					"TaskIdConflictException", "InvalidTaskException", "BrokerException", "BrokerUnavailableException",
					null);
		assertThat(attempts).extracting(EnqueueAttempt::enqueued)
			.containsExactly(true, false, false, false, false, false, false, false, true);
		assertThat(attempts.get(8).orThrow().type()).isEqualTo("b");
		assertThat(attempts.get(8).orThrow().queue()).isEqualTo("low");
		assertThatExceptionOfType(DuplicateTaskException.class).isThrownBy(attempts.get(3)::orThrow);
		assertThat(this.broker.calls).hasValue(1);
	}

	@Test
	void emptyBatchCallsNothing() {
		assertThat(this.client.enqueueAll(List.of())).isEmpty();
		assertThat(this.broker.calls).hasValue(0);
	}

	@Test
	void batchOfRejectedTasksCallsNothing() {
		assertThat(this.client.enqueueAll(List.of(Task.of("", "x")))).extracting(EnqueueAttempt::enqueued)
			.containsExactly(false);
		assertThat(this.broker.calls).hasValue(0);
	}

	@Test
	void concurrentCallsKeepTheirOwnOptions() {
		Task task = Task.of("mail", "x").withOptions(TaskOptions.of((o) -> o.maxRetry(1)));
		List<String> wrong = IntStream.range(0, 2000)
			.parallel()
			.mapToObj((i) -> List.of("q" + i,
					this.client.enqueue(task, TaskOptions.of((o) -> o.queue("q" + i).taskId("t" + i))).queue()))
			.filter((pair) -> !pair.get(0).equals(pair.get(1)))
			.map(Object::toString)
			.toList();
		assertThat(wrong).isEmpty();
		assertThat(this.broker.requests).extracting((request) -> request.message().queue().substring(1))
			.containsExactlyInAnyOrderElementsOf(
					this.broker.requests.stream().map((request) -> request.message().id().substring(1)).toList());
		assertThat(task.options().queue()).isNull();
	}

	@Test
	void convertedPayloadCanBeGivenHeaders() {
		Task task = this.client.task("mail", new Letter("Ann")).withHeaders(Map.of("a", "1"));
		assertThat(new String(task.payload(), StandardCharsets.UTF_8)).isEqualTo("{\"to\":\"Ann\"}");
		assertThat(task.options().queue()).isEqualTo("annotated");
	}

	@Test
	void pings() {
		this.client.ping();
		assertThat(this.broker.calls).hasValue(1);
	}

	@Test
	void requiresClock() {
		assertThatExceptionOfType(IllegalStateException.class).isThrownBy(() -> ClientOptions.builder().build())
			.withMessageContaining("clock");
	}

	@Test
	void rejectsPayloadLimitOfZero() {
		assertThatExceptionOfType(IllegalArgumentException.class)
			.isThrownBy(() -> ClientOptions.builder().maxPayloadSize(0))
			.withMessageContaining("asynq.client.max-payload-size");
	}

	@Test
	void resultOfFailedAttemptThrowsItsError() {
		AsynqException error = new DuplicateTaskException("no");
		EnqueueAttempt attempt = new EnqueueAttempt(Task.of("a", "1"), null, error);
		assertThatExceptionOfType(DuplicateTaskException.class).isThrownBy(attempt::orThrow).isSameAs(error);
	}

	private AsynqClient client(ClientOptions.Builder options) {
		return AsynqClient.create(this.broker, options.clock(this.clock).build());
	}

	private TaskMessage lastMessage() {
		return this.broker.lastRequest().message();
	}

	private static TaskOptions options(String id) {
		return TaskOptions.of((o) -> o.taskId(id).queue("low"));
	}

	@TaskDefaults(type = "mail:letter", queue = "annotated", maxRetry = 5, timeout = "90s", retention = "PT1H",
			unique = "2m")
	record Letter(String to) {
	}

	@TaskDefaults(type = "hasty", timeout = "100ms")
	record Hasty() {
	}

	@TaskDefaults(type = "vague", unique = "soon")
	record Vague() {
	}

}
