package io.asynq.annotation;

import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Optional;

import io.asynq.RevokeTaskException;
import io.asynq.SkipRetryException;
import io.asynq.Task;
import io.asynq.handler.TaskContext;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.messaging.handler.annotation.Header;
import org.springframework.messaging.handler.annotation.Headers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Tests of what handler methods are given and what becomes of what they give back.
 */
class MethodTaskHandlerTests {

	private static AnnotationConfigApplicationContext context;

	@BeforeAll
	static void start() {
		context = HandlerContexts.start(Arguments.class, Results.class);
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
					"none | x | none" })
	void givesThePayloadAsTheArgumentsType(String type, String payload, String seen) throws Exception {
		assertThat(process(Task.of(type, payload))).isEqualTo(seen);
	}

	@Test
	void givesNullForNoPayload() throws Exception {
		assertThat(process(Task.of("record", (byte[]) null))).isEqualTo("null");
	}

	@Test
	void givesTaskContextAndPayloadInAnyOrder() throws Exception {
		assertThat(process(Task.of("all", "{\"x\":1,\"y\":2}").withHeaders(Map.of("a", "1", "b", "2"))))
			.isEqualTo("true all Point[x=1, y=2] 1 2");
	}

	@Test
	void givesHeaders() throws Exception {
		Task task = Task.of("header", "x").withHeaders(Map.of("text", "a", "number", "7"));
		assertThat(process(task)).isEqualTo("a 7 fallback Optional.empty null");
	}

	@Test
	void givesHeadersWhoseNamesSpringReserves() throws Exception {
		assertThat(process(Task.of("reserved", "x").withHeaders(Map.of("id", "7", "timestamp", "8"))))
			.isEqualTo("7 8 2");
	}

	@Test
	void givesNoHeadersThatTheTaskDoesNotHave() throws Exception {
		assertThat(process(Task.of("headers", "x"))).isEqualTo("{}");
	}

	@Test
	void archivesATaskWithoutARequiredHeader() {
		assertThatExceptionOfType(SkipRetryException.class).isThrownBy(() -> process(Task.of("header", "x")))
			.withMessageContainingAll("'header'", "'text'", "Arguments.header(");
	}

	@Test
	void archivesATaskWithAHeaderOfTheWrongForm() {
		Task task = Task.of("header", "x").withHeaders(Map.of("text", "a", "number", "secret"));
		assertThatExceptionOfType(SkipRetryException.class).isThrownBy(() -> process(task))
			.withMessageContainingAll("'header'", "int", "Arguments.header(")
			.withMessageNotContaining("secret");
	}

	@Test
	void archivesATaskWhosePayloadDoesNotFit() {
		assertThatExceptionOfType(SkipRetryException.class)
			.isThrownBy(() -> process(Task.of("record", "{\"x\":\"secret\"}")))
			.withMessageContainingAll("'record'", Point.class.getName(), Arguments.class.getName() + ".record(Point)")
			.withMessageNotContaining("secret");
	}

	@Test
	void archivesATaskWithoutPayloadForAPrimitive() {
		assertThatExceptionOfType(SkipRetryException.class).isThrownBy(() -> process(Task.of("number", (byte[]) null)))
			.withMessageContainingAll("'number'", "int", ".number(int)");
	}

	@Test
	void archivesATaskWithoutThePayloadThatItsMethodNeeds() {
		assertThatExceptionOfType(SkipRetryException.class)
			.isThrownBy(() -> process(Task.of("inherited", (byte[]) null)))
			.withMessageContainingAll("'inherited'", Point.class.getName(), "@Nullable");
		assertThatExceptionOfType(SkipRetryException.class).isThrownBy(() -> process(Task.of("generic", "null")));
	}

	@Test
	void turnsWhatIsReturnedIntoTheResult() throws Exception {
		assertThat(process(Task.of("result:record", "x"))).isEqualTo("{\"x\":1,\"y\":2}");
		assertThat(process(Task.of("result:text", "x"))).isEqualTo("done");
		assertThat(process(Task.of("result:number", "x"))).isEqualTo("7");
		assertThat(process(Task.of("result:null", "x"))).isNull();
		assertThat(process(Task.of("result:void", "x"))).isNull();
	}

	@Test
	void throwsWhatTheMethodThrows() {
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

	private static @Nullable String process(Task task) throws Exception {
		return HandlerContexts.process(context, task);
	}

	record Point(int x, int y) {
	}

	abstract static class Base<T> {

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
