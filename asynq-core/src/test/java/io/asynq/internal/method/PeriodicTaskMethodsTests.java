package io.asynq.internal.method;

import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

import com.fasterxml.jackson.annotation.JsonTypeInfo;
import com.fasterxml.jackson.annotation.JsonTypeName;
import io.asynq.ClientOptions;
import io.asynq.Task;
import io.asynq.TaskDefaults;
import io.asynq.annotation.PeriodicTask;
import io.asynq.annotation.TaskHandler;
import io.asynq.internal.enqueue.EnqueueRequest;
import io.asynq.internal.enqueue.Placement;
import io.asynq.schedule.AsynqScheduler;
import io.asynq.schedule.DuplicatePeriodicTaskException;
import io.asynq.schedule.InvalidPeriodicTaskException;
import io.asynq.schedule.PeriodicTaskInfo;
import io.asynq.schedule.SchedulerOptions;
import io.asynq.test.FakeBroker;
import kotlin.coroutines.Continuation;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.context.annotation.Lazy;
import org.springframework.core.annotation.AliasFor;
import org.springframework.core.env.MapPropertySource;
import org.springframework.messaging.handler.annotation.Header;
import org.springframework.messaging.handler.annotation.Headers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

/**
 * Tests of how {@link PeriodicTask} methods become periodic tasks, and of mistakes.
 */
class PeriodicTaskMethodsTests {

	private static final FakeBroker broker = new FakeBroker();

	@Test
	void enqueuesTypeOfHandlerWithoutPayload() {
		try (AnnotationConfigApplicationContext context = start(Handler.class)) {
			assertThat(entries(context))
				.containsExactlyInAnyOrder(
						new PeriodicTaskInfo(
								io.asynq.schedule.PeriodicTaskDefinition.defaultId("handler.nightly", "0 3 * * *",
										"Europe/Berlin"),
								"CRON_TZ=Europe/Berlin 0 3 * * *", "report:nightly", "low", null, null),
						new PeriodicTaskInfo("weekly", "@weekly", "report:weekly", "default", null, null));
		}
	}

	@Test
	void enqueuesReturnValueOfMethod() {
		try (AnnotationConfigApplicationContext context = start(Payloads.class)) {
			context.getBean(AsynqScheduler.class).start();
			// One may fire again before another fires for the first time
			await().untilAsserted(() -> assertThat(broker.requests).extracting((request) -> request.message().type())
				.contains("text", "own", "defaulted", "typed"));
			assertThat(request("typed").message().payload()).asString()
				.isEqualTo("{\"first\":{\"kind\":\"mail\",\"to\":\"ada\"}}");
			EnqueueRequest text = request("text");
			assertThat(text.message().payload()).isEqualTo("hello".getBytes());
			assertThat(text.message().queue()).isEqualTo("low");
			assertThat(text.message().maxRetry()).isEqualTo(2);
			assertThat(text.message().timeoutSeconds()).isEqualTo(90);
			assertThat(text.message().id()).isEqualTo("text-my-id");
			assertThat(text.message().retentionSeconds()).isEqualTo(3600);
			assertThat(text.message().headers()).isEqualTo(Map.of("tenant", "a=b"));
			assertThat(text.lockTtl()).isEqualTo(Duration.ofMinutes(5));
		}
	}

	@Test
	void usesZoneQueueAndMissedFirePolicy() {
		Instant begin = Instant.now();
		try (AnnotationConfigApplicationContext context = start(Places.class)) {
			context.getBean(AsynqScheduler.class).start();
			await().until(() -> List.of("later", "grouped").stream().allMatch((type) -> request(type) != null));
			assertThat(request("later").placement()).isInstanceOfSatisfying(Placement.Scheduled.class,
					(placement) -> assertThat(placement.at()).isBetween(begin.plusSeconds(299),
							Instant.now().plusSeconds(301)));
			assertThat(request("later").message().group()).isEmpty();
			assertThat(request("grouped").placement()).isEqualTo(new Placement.Grouped());
			assertThat(request("grouped").message().group()).isEqualTo("reports-my-id");
			assertThat(broker.scheduling.fires).allMatch((fire) -> fire.remembered() == fire.entry().equals("later"));
		}
	}

	@Test
	void createsBeanAtFirstFire() {
		LazyBean.created = 0;
		try (AnnotationConfigApplicationContext context = start(LazyBean.class)) {
			assertThat(entries(context)).hasSize(1);
			assertThat(LazyBean.created).isZero();
		}
	}

	@Test
	void resolvesPlaceholdersAndSkipsDisabledEntries() {
		try (AnnotationConfigApplicationContext context = start(Placeholders.class)) {
			assertThat(entries(context)).singleElement()
				.isEqualTo(new PeriodicTaskInfo("my-id", "CRON_TZ=Asia/Tokyo 0 5 * * *", "my:type", "my-queue", null,
						null));
		}
	}

	@Test
	void findsMetaAnnotations() {
		try (AnnotationConfigApplicationContext context = start(Meta.class)) {
			assertThat(entries(context)).extracting(PeriodicTaskInfo::spec).containsExactly("@daily");
		}
	}

	@Test
	void doesNothingWithoutScheduler() {
		try (AnnotationConfigApplicationContext context = HandlerContexts.start(Mistakes.class)) {
			assertThat(context.getBeansOfType(AsynqScheduler.class)).isEmpty();
		}
	}

	@Test
	void reportsAllMistakesAtOnce() {
		assertThatExceptionOfType(InvalidPeriodicTaskException.class).isThrownBy(() -> start(Mistakes.class))
			.satisfies((ex) -> {
				assertThat(ex.problems()).hasSize(15).allMatch((problem) -> problem.contains("Mistakes."));
				assertThat(problem(ex, "argument")).contains("has arguments");
				assertThat(problem(ex, "suspending")).contains("Kotlin suspend function");
				assertThat(problem(ex, "nothing")).contains("returns nothing");
				assertThat(problem(ex, "later")).contains("CompletableFuture");
				assertThat(problem(ex, "untyped")).contains("has no type", "@PeriodicTask(type = …)");
				assertThat(problem(ex, "badCron")).contains("field 'minute'", "'61'");
				assertThat(problem(ex, "noCron")).contains("has no spec");
				assertThat(problem(ex, "badZone")).contains("Mars/Phobos");
				assertThat(problem(ex, "badTimeout")).contains("timeout = \"soon\"", "30s");
				assertThat(problem(ex, "badRetries")).contains("maxRetry = \"many\"");
				assertThat(problem(ex, "badPolicy")).contains("missedFires = \"twice\"", "skip or once");
				assertThat(problem(ex, "badHeader")).contains("name=value");
				assertThat(problem(ex, "unresolved")).contains("${nobody.knows}");
				assertThat(problem(ex, "twoTypes")).contains("[a, b]");
				assertThat(problem(ex, "manyTypes")).contains("all types with the prefix 'a:'",
						"@PeriodicTask(type = …)");
			});
	}

	@ParameterizedTest
	@ValueSource(classes = { NeedsOrder.class, NeedsNumber.class, NeedsList.class, NeedsMap.class })
	void handlerThatNeedsPayloadIsRefused(Class<?> handler) {
		assertThatExceptionOfType(InvalidPeriodicTaskException.class).isThrownBy(() -> start(handler))
			.withMessageContainingAll(handler.getSimpleName() + ".handle(", "needs a payload", "@Nullable or Optional",
					"returns the payload");
	}

	@Test
	void handlerThatDoesNotNeedPayloadIsPeriodic() {
		try (AnnotationConfigApplicationContext context = start(NeedsNothing.class)) {
			assertThat(entries(context)).extracting(PeriodicTaskInfo::type)
				.containsExactlyInAnyOrder("text", "bytes", "nullable", "optional", "task", "none");
		}
	}

	@Test
	void duplicateIdNamesBothMethodsAndTheWayOut() {
		assertThatExceptionOfType(InvalidPeriodicTaskException.class).isThrownBy(() -> start(Twice.class))
			.withMessageContainingAll("'same'", "@daily", "@weekly", "another id")
			.isNotInstanceOf(DuplicatePeriodicTaskException.class);
	}

	private static String problem(InvalidPeriodicTaskException ex, String method) {
		return ex.problems().stream().filter((problem) -> problem.contains("." + method + "(")).findFirst().orElse("");
	}

	private static @Nullable EnqueueRequest request(String type) {
		return broker.requests.stream()
			.filter((request) -> request.message().type().equals(type))
			.findFirst()
			.orElse(null);
	}

	private static List<PeriodicTaskInfo> entries(AnnotationConfigApplicationContext context) {
		return context.getBean(AsynqScheduler.class).entries();
	}

	private static AnnotationConfigApplicationContext start(Class<?> beans) {
		broker.requests.clear();
		broker.scheduling.fires.clear();
		AnnotationConfigApplicationContext context = new AnnotationConfigApplicationContext();
		context.getEnvironment()
			.getPropertySources()
			.addFirst(new MapPropertySource("test", Map.of("my.cron", "0 5 * * *", "my.id", "my-id", "my.zone",
					"Asia/Tokyo", "my.type", "my:type", "my.queue", "my-queue", "never", "-")));
		context.register(AnnotatedMethodBeans.class);
		context.registerBean("scheduler", AsynqScheduler.class,
				() -> AsynqScheduler.create(broker, ClientOptions.builder().clock(Clock.systemUTC()).build(),
						SchedulerOptions.builder().clock(Clock.systemUTC()).build(), List.of()));
		String name = beans.getSimpleName();
		context.registerBean(Character.toLowerCase(name.charAt(0)) + name.substring(1), beans);
		try {
			context.refresh();
			context.getBean(AsynqScheduler.class).stop();
			return context;
		}
		catch (RuntimeException ex) {
			context.close();
			throw ex;
		}
	}

	static class Handler {

		@TaskHandler("report:nightly")
		@PeriodicTask(cron = "0 3 * * *", zone = "Europe/Berlin", queue = "low")
		void nightly() {
		}

		@TaskHandler({ "report:weekly", "report:other" })
		@PeriodicTask(cron = "@weekly", type = "report:weekly", id = "weekly")
		String weekly(Task task) {
			return "";
		}

	}

	static class Payloads {

		@PeriodicTask(cron = "@every 1s", type = "text", queue = "low", maxRetry = "2", timeout = "90s",
				retention = "1h", unique = "PT5M", taskId = "text-${my.id}", headers = "tenant=a=b")
		String text() {
			return "hello";
		}

		@PeriodicTask("@every 1s")
		private Task task() {
			return Task.of("own", "x");
		}

		@PeriodicTask(cron = "@every 1s", type = "typed")
		Map<String, Event> typed() {
			return Map.of("first", new Mail("ada"));
		}

		@PeriodicTask("@every 1s")
		Defaulted defaulted() {
			return new Defaulted("y");
		}

	}

	static class Places {

		@PeriodicTask(cron = "@every 1s", id = "later", type = "later", processIn = "5m", missedFires = "once")
		String later() {
			return "";
		}

		@PeriodicTask(cron = "@every 1s", type = "grouped", group = "reports-${my.id}", missedFires = "Skip")
		String grouped() {
			return "";
		}

	}

	@JsonTypeInfo(use = JsonTypeInfo.Id.NAME, property = "kind")
	interface Event {

	}

	@JsonTypeInfo(use = JsonTypeInfo.Id.NAME, property = "by")
	sealed interface Step permits Mail {

	}

	@JsonTypeName("mail")
	record Mail(String to) implements Step, Event {
	}

	@TaskDefaults(type = "defaulted")
	record Defaulted(String name) {
	}

	@Lazy
	static class LazyBean {

		static int created;

		LazyBean() {
			created++;
		}

		@PeriodicTask(cron = "@daily", type = "x")
		String payload() {
			return "";
		}

	}

	static class Placeholders {

		@PeriodicTask(cron = "${my.cron}", zone = "${my.zone}", type = "${my.type}", queue = "${my.queue}",
				id = "${my.id}", maxRetry = "#{1 + 2}")
		@PeriodicTask(cron = "${never}", type = "other")
		String payload() {
			return "";
		}

	}

	@Retention(RetentionPolicy.RUNTIME)
	@PeriodicTask(cron = "@daily")
	@interface Daily {

		@AliasFor(annotation = PeriodicTask.class, attribute = "type")
		String type();

	}

	static class Meta {

		@Daily(type = "meta")
		String payload() {
			return "";
		}

	}

	record Order(String id) {
	}

	static class NeedsOrder {

		@TaskHandler("x")
		@PeriodicTask("@daily")
		void handle(Order order) {
		}

	}

	static class NeedsNumber {

		@TaskHandler("x")
		@PeriodicTask(cron = "@daily", type = "x")
		void handle(Task task, int number) {
		}

	}

	static class NeedsList {

		@TaskHandler("x")
		@PeriodicTask(cron = "@daily", missedFires = "once")
		void handle(@Header(name = "tenant", required = false) String tenant, List<Order> orders) {
		}

	}

	static class NeedsMap {

		@TaskHandler("x")
		@PeriodicTask("@daily")
		void handle(Map<String, Order> orders) {
		}

	}

	static class NeedsNothing {

		@TaskHandler("text")
		@PeriodicTask("@daily")
		void text(String payload) {
		}

		@TaskHandler("bytes")
		@PeriodicTask("@daily")
		void bytes(byte[] payload) {
		}

		@TaskHandler("nullable")
		@PeriodicTask("@daily")
		void nullable(@Nullable Order order) {
		}

		@TaskHandler("optional")
		@PeriodicTask("@daily")
		void optional(Optional<Order> order) {
		}

		@TaskHandler("task")
		@PeriodicTask("@daily")
		void task(Task task, @Headers Map<String, String> headers) {
		}

		@TaskHandler("none")
		@PeriodicTask("@daily")
		void none() {
		}

	}

	static class Twice {

		@PeriodicTask(cron = "@daily", type = "a", id = "same")
		@PeriodicTask(cron = "@weekly", type = "b", id = "same")
		String payload() {
			return "";
		}

	}

	static class Mistakes {

		@PeriodicTask(cron = "@daily", type = "x")
		String argument(String one) {
			return one;
		}

		@PeriodicTask(cron = "@daily", type = "x")
		Object suspending(Continuation<? super String> continuation) {
			return "";
		}

		@PeriodicTask(cron = "@daily", type = "x")
		void nothing() {
		}

		@PeriodicTask(cron = "@daily", type = "x")
		CompletableFuture<String> later() {
			return new CompletableFuture<>();
		}

		@PeriodicTask("@daily")
		String untyped() {
			return "";
		}

		@PeriodicTask(cron = "61 * * * *", type = "x")
		String badCron() {
			return "";
		}

		@PeriodicTask(type = "x")
		String noCron() {
			return "";
		}

		@PeriodicTask(cron = "@daily", type = "x", zone = "Mars/Phobos")
		String badZone() {
			return "";
		}

		@PeriodicTask(cron = "@daily", type = "x", timeout = "soon")
		String badTimeout() {
			return "";
		}

		@PeriodicTask(cron = "@daily", type = "x", maxRetry = "many")
		String badRetries() {
			return "";
		}

		@PeriodicTask(cron = "@daily", type = "x", missedFires = "twice")
		String badPolicy() {
			return "";
		}

		@PeriodicTask(cron = "@daily", type = "x", headers = "tenant")
		String badHeader() {
			return "";
		}

		@PeriodicTask(cron = "${nobody.knows}", type = "x")
		String unresolved() {
			return "";
		}

		@TaskHandler("a:")
		@PeriodicTask("@daily")
		void manyTypes() {
		}

		@TaskHandler({ "a", "b" })
		@PeriodicTask("@daily")
		void twoTypes() {
		}

	}

}
