package io.asynq.internal.method;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import com.fasterxml.jackson.annotation.JsonTypeInfo;
import com.fasterxml.jackson.annotation.JsonTypeName;
import io.asynq.Task;
import io.asynq.annotation.TaskHandler;
import io.asynq.handler.RevokeTaskException;
import io.asynq.handler.SkipRetryException;
import io.asynq.handler.TaskContext;
import io.asynq.handler.TaskMux;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.slf4j.LoggerFactory;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.messaging.handler.annotation.Header;
import org.springframework.messaging.handler.annotation.Headers;
import tools.jackson.databind.JsonNode;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Tests of arguments and return values of handler methods.
 */
class MethodTaskHandlerTests {

	private static AnnotationConfigApplicationContext context;

	private final ListAppender<ILoggingEvent> lines = new ListAppender<>();

	private final Logger logger = (Logger) LoggerFactory.getLogger(MethodTaskHandler.class);

	@AfterEach
	void detach() {
		this.logger.detachAppender(this.lines);
	}

	@BeforeAll
	static void start() {
		context = HandlerContexts.start(Arguments.class, Results.class, EventResult.class);
	}

	@AfterAll
	static void close() {
		context.close();
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|',
			value = { "record | {\"x\":1,\"y\":2} | Point[x=1, y=2]",
					"generic | [{\"x\":1,\"y\":2}] | [Point[x=1, y=2]]", "text | {\"x\" | {\"x\"", "bytes | abc | 3",
					"number | 42 | 42", "object | {\"a\":1} | {a=1}", "inherited | {\"x\":1,\"y\":2} | Point[x=1, y=2]",
					"none | x | none", "maybe:text | {\"x\" | Optional[{\"x\"]", "maybe:bytes | abc | 3",
					"maybe:record | {\"x\":1,\"y\":2} | Optional[Point[x=1, y=2]]",
					"maybe:inherited | {\"x\":1,\"y\":2} | Optional[Point[x=1, y=2]]" })
	void passesPayloadAsArgumentType(String type, String payload, String seen) throws Exception {
		assertThat(process(Task.of(type, payload))).isEqualTo(seen);
	}

	@Test
	void passesNullForMissingPayload() throws Exception {
		assertThat(process(Task.of("record", (byte[]) null))).isEqualTo("null");
	}

	@ParameterizedTest
	@ValueSource(strings = { "maybe:text", "maybe:record", "maybe:inherited" })
	void passesEmptyOptionalForMissingPayload(String type) throws Exception {
		assertThat(process(Task.of(type, (byte[]) null))).isEqualTo("Optional.empty");
	}

	@Test
	void passesContextAndPayloadInAnyOrder() throws Exception {
		assertThat(process(Task.of("all", "{\"x\":1,\"y\":2}").withHeaders(Map.of("a", "1", "b", "2"))))
			.isEqualTo("true all Point[x=1, y=2] 1 2");
	}

	@Test
	void passesHeaders() throws Exception {
		Task task = Task.of("header", "x").withHeaders(Map.of("text", "a", "number", "7"));
		assertThat(process(task)).isEqualTo("a 7 fallback Optional.empty null");
	}

	@Test
	void passesHeadersWithNamesReservedBySpring() throws Exception {
		assertThat(process(Task.of("reserved", "x").withHeaders(Map.of("id", "7", "timestamp", "8"))))
			.isEqualTo("7 8 2");
	}

	@Test
	void passesNoHeadersThatTaskLacks() throws Exception {
		assertThat(process(Task.of("headers", "x"))).isEqualTo("{}");
	}

	@Test
	void archivesTaskWithoutRequiredHeader() {
		assertThatExceptionOfType(SkipRetryException.class).isThrownBy(() -> process(Task.of("header", "x")))
			.withMessageContainingAll("'header'", "'text'", "Arguments.header(");
	}

	@Test
	void archivesTaskWithUnconvertibleHeader() {
		Task task = Task.of("header", "x").withHeaders(Map.of("text", "a", "number", "secret"));
		assertThatExceptionOfType(SkipRetryException.class).isThrownBy(() -> process(task))
			.withMessageContainingAll("'header'", "int", "Arguments.header(")
			.withMessageNotContaining("secret");
	}

	@Test
	void archivesTaskWithUnreadablePayload() {
		assertThatExceptionOfType(SkipRetryException.class)
			.isThrownBy(() -> process(Task.of("record", "{\"x\":\"secret\"}")))
			.withMessageContainingAll("'record'", Point.class.getName(), Arguments.class.getName() + ".record(Point)")
			.withMessageNotContaining("secret");
	}

	@Test
	void archivesTaskWithoutPayloadForPrimitive() {
		assertThatExceptionOfType(SkipRetryException.class).isThrownBy(() -> process(Task.of("number", (byte[]) null)))
			.withMessageContainingAll("'number'", "int", ".number(int)");
	}

	@Test
	void archivesTaskWithoutRequiredPayload() {
		assertThatExceptionOfType(SkipRetryException.class)
			.isThrownBy(() -> process(Task.of("inherited", (byte[]) null)))
			.withMessageContainingAll("'inherited'", Point.class.getName(), "@Nullable");
		assertThatExceptionOfType(SkipRetryException.class).isThrownBy(() -> process(Task.of("generic", "null")));
	}

	@Test
	void convertsReturnValueToResult() throws Exception {
		assertThat(process(Task.of("result:record", "x"))).isEqualTo("{\"x\":1,\"y\":2}");
		assertThat(process(Task.of("result:text", "x"))).isEqualTo("done");
		assertThat(process(Task.of("result:number", "x"))).isEqualTo("7");
		assertThat(process(Task.of("result:null", "x"))).isNull();
		assertThat(process(Task.of("result:void", "x"))).isNull();
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|',
			value = { "result:list | [{\"by\":\"mail\",\"to\":\"ada\"},{\"by\":\"wait\",\"days\":2}]",
					"result:map | {\"a\":{\"by\":\"wait\",\"days\":2},\"b\":{\"by\":\"mail\",\"to\":\"ada\"}}",
					"result:maybe | {\"by\":\"mail\",\"to\":\"ada\"}",
					"result:object | [{\"by\":\"mail\",\"to\":\"ada\"}]",
					"result:generic | {\"value\":[{\"by\":\"mail\",\"to\":\"ada\"}]}",
					"result:declared | [{\"kind\":\"sent\",\"to\":\"ada\"}]",
					"result:inherited | {\"a\":{\"kind\":\"sent\",\"to\":\"ada\"}}",
					"result:list:subclass | [{\"name\":\"rex\",\"breed\":\"dachshund\"}]",
					"result:subclass | {\"name\":\"rex\",\"breed\":\"dachshund\"}", "result:tree | {\"total\":1.10}" })
	void resultHasTypeIdsAndAllDigits(String type, String result) throws Exception {
		assertThat(process(Task.of(type, "{\"total\":1.10}"))).isEqualTo(result);
	}

	@Test
	void resultIsNotConvertedWithoutRetention() throws Exception {
		ListAppender<ILoggingEvent> lines = capture();
		TaskMux mux = context.getBean(TaskMux.class);
		TaskContext unkept = HandlerContexts.context(Duration.ZERO);
		assertThat(mux.processTask(Task.of("result:record", "x"), unkept)).isNull();
		assertThat(mux.processTask(Task.of("result:cycle", "x"), unkept)).isNull();
		assertThat(lines.list).isEmpty();
	}

	@ParameterizedTest
	@ValueSource(strings = { "result:cycle", "result:error", "result:hidden", "result:lambda" })
	void unconvertibleResultStillCompletesTask(String type) throws Exception {
		ListAppender<ILoggingEvent> lines = capture();
		assertThat(process(Task.of(type, "x"))).isNull();
		assertThat(lines.list).singleElement().satisfies((line) -> {
			assertThat(line.getLevel()).isEqualTo(Level.WARN);
			assertThat(line.getFormattedMessage()).contains("Task t1 (" + type + ") in queue low is completed",
					"without a result", "Results.");
		});
	}

	@Test
	void propagatesExceptionOfMethod() {
		assertThatExceptionOfType(IOException.class).isThrownBy(() -> process(Task.of("throw:checked", "x")))
			.withMessage("disk");
		assertThatExceptionOfType(RevokeTaskException.class).isThrownBy(() -> process(Task.of("throw:revoke", "x")))
			.withMessage("never mind");
		assertThatExceptionOfType(IllegalArgumentException.class)
			.isThrownBy(() -> process(Task.of("throw:argument", "x")))
			.withMessage("bad");
		assertThatExceptionOfType(OutOfMemoryError.class).isThrownBy(() -> process(Task.of("throw:error", "x")))
			.withMessage("simulated");
	}

	private ListAppender<ILoggingEvent> capture() {
		this.lines.start();
		this.logger.addAppender(this.lines);
		return this.lines;
	}

	private static @Nullable String process(Task task) throws Exception {
		return HandlerContexts.process(context, task);
	}

	record Point(int x, int y) {
	}

	@JsonTypeInfo(use = JsonTypeInfo.Id.NAME, property = "by")
	sealed interface Step permits Mail, Wait, Sent {

	}

	@JsonTypeName("mail")
	record Mail(String to) implements Step {
	}

	@JsonTypeName("wait")
	record Wait(int days) implements Step {
	}

	@JsonTypeInfo(use = JsonTypeInfo.Id.NAME, property = "kind")
	interface Event {

	}

	/** Has the names of two types: only a declared type tells which of them is meant. */
	@JsonTypeName("sent")
	record Sent(String to) implements Step, Event {
	}

	record Box<T>(T value) {
	}

	static class Animal {

		public String name = "rex";

	}

	static class Dog extends Animal {

		public String breed = "dachshund";

	}

	abstract static class InheritedResult<T> {

		abstract T value();

		@TaskHandler("result:inherited")
		Map<String, T> inherited() {
			return Map.of("a", value());
		}

	}

	static class EventResult extends InheritedResult<Event> {

		@Override
		Event value() {
			return new Sent("ada");
		}

	}

	abstract static class Base<T> {

		@TaskHandler("maybe:inherited")
		String maybeInherited(Optional<T> payload) {
			return payload.toString();
		}

		@TaskHandler("inherited")
		String inherited(T payload) {
			return payload.toString();
		}

	}

	static class Arguments extends Base<Point> {

		@TaskHandler("record")
		String record(@Nullable Point point) {
			return String.valueOf(point);
		}

		@TaskHandler("generic")
		String generic(List<Point> points) {
			return points.toString();
		}

		@TaskHandler("text")
		String text(String payload) {
			return payload;
		}

		@TaskHandler("bytes")
		String bytes(byte[] payload) {
			return String.valueOf(payload.length);
		}

		@TaskHandler("maybe:text")
		String maybeText(Optional<String> payload) {
			return payload.toString();
		}

		@TaskHandler("maybe:bytes")
		String maybeBytes(Optional<byte[]> payload) {
			return String.valueOf(payload.orElseThrow().length);
		}

		@TaskHandler("maybe:record")
		String maybeRecord(Optional<Point> payload) {
			return payload.toString();
		}

		@TaskHandler("number")
		String number(int payload) {
			return String.valueOf(payload);
		}

		@TaskHandler("object")
		String object(Object payload) {
			return payload.toString();
		}

		@TaskHandler("none")
		String none() {
			return "none";
		}

		@TaskHandler("all")
		String all(TaskContext context, @Header("a") String a, Point point, @Headers Map<String, String> headers,
				Task task) {
			return (context == HandlerContexts.CONTEXT) + " " + task.type() + " " + point + " " + a + " "
					+ headers.get("b");
		}

		@TaskHandler("header")
		String header(@Header("text") String text, @Header("number") int number,
				@Header(name = "other", defaultValue = "fallback") String other,
				@Header("missing") Optional<String> optional,
				@Header(name = "gone", required = false) @Nullable String gone) {
			return text + " " + number + " " + other + " " + optional + " " + gone;
		}

		@TaskHandler("reserved")
		String reserved(@Header String id, @Header String timestamp, @Headers Map<String, String> headers) {
			return id + " " + timestamp + " " + headers.size();
		}

		@TaskHandler("headers")
		String headers(@Headers Map<String, String> headers) {
			return headers.toString();
		}

	}

	static class Results {

		@TaskHandler("result:record")
		Point point() {
			return new Point(1, 2);
		}

		@TaskHandler("result:text")
		String text() {
			return "done";
		}

		@TaskHandler("result:number")
		int number() {
			return 7;
		}

		@TaskHandler("result:null")
		@Nullable Point nothing() {
			return null;
		}

		@TaskHandler("result:void")
		void none() {
		}

		@TaskHandler("result:list")
		List<Step> list() {
			return List.of(new Mail("ada"), new Wait(2));
		}

		@TaskHandler("result:map")
		Map<String, Step> map() {
			return Map.of("b", new Mail("ada"), "a", new Wait(2));
		}

		@TaskHandler("result:maybe")
		Optional<Step> maybe() {
			return Optional.of(new Mail("ada"));
		}

		@TaskHandler("result:object")
		Object object() {
			return List.of(new Mail("ada"));
		}

		@TaskHandler("result:generic")
		Box<List<Step>> generic() {
			return new Box<>(List.of(new Mail("ada")));
		}

		@TaskHandler("result:declared")
		List<Event> declared() {
			return List.of(new Sent("ada"));
		}

		@TaskHandler("result:list:subclass")
		List<Animal> animals() {
			return List.of(new Dog());
		}

		@TaskHandler("result:subclass")
		Animal subclass() {
			return new Dog();
		}

		@TaskHandler("result:tree")
		JsonNode tree(JsonNode payload) {
			return payload;
		}

		@TaskHandler("result:hidden")
		Object hidden() {
			return new Object() {

				@Override
				public String toString() {
					return "hidden";
				}

			};
		}

		@TaskHandler("result:lambda")
		Runnable lambda() {
			return () -> {
			};
		}

		@TaskHandler("result:cycle")
		List<Object> cycle() {
			List<Object> cycle = new ArrayList<>();
			cycle.add(cycle);
			return cycle;
		}

		@TaskHandler("result:error")
		Object error(Task task) {
			return new Object() {

				public int getValue() {
					throw new NoClassDefFoundError("planted");
				}

			};
		}

		@TaskHandler("throw:checked")
		void checked() throws IOException {
			throw new IOException("disk");
		}

		@TaskHandler("throw:revoke")
		void revoke() {
			throw new RevokeTaskException("never mind");
		}

		@TaskHandler("throw:argument")
		void argument() {
			throw new IllegalArgumentException("bad");
		}

		@TaskHandler("throw:error")
		void error() {
			throw new OutOfMemoryError("simulated");
		}

	}

}
