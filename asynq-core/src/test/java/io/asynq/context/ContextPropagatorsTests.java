package io.asynq.context;

import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

import ch.qos.logback.classic.Level;
import io.asynq.AsynqException;
import io.asynq.Task;
import io.asynq.TaskOptions;
import io.asynq.context.ContextPropagator.Scope;
import io.asynq.internal.enqueue.TaskMessageFactory;
import io.asynq.internal.text.LogCapture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.slf4j.MDC;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

/**
 * Tests of {@link ContextPropagators} and of the propagator of the MDC.
 */
class ContextPropagatorsTests {

	private final ContextPropagators mdc = ContextPropagators
		.of(List.of(ContextPropagator.mdc(List.of("tenant", "request-id", "tenant"))));

	private final List<String> calls = new ArrayList<>();

	@AfterEach
	void clear() {
		MDC.clear();
	}

	@Test
	void entriesOfMdcBecomeHeaders() {
		MDC.put("tenant", "acme");
		MDC.put("other", "x");
		assertThat(headers(this.mdc, Map.of("a", "1"))).containsOnly(Map.entry("a", "1"), Map.entry("tenant", "acme"));
	}

	@Test
	void headerOfTaskWinsOverMdc() {
		MDC.put("tenant", "acme");
		assertThat(headers(this.mdc, Map.of("tenant", "own"))).containsOnly(Map.entry("tenant", "own"));
	}

	@Test
	void mdcHasExactlyWhatTheTaskHasAndAfterwardsWhatItHadBefore() {
		MDC.put("tenant", "before");
		MDC.put("request-id", "of another task");
		MDC.put("other", "x");
		try (Scope scope = this.mdc.open(Map.of("tenant", "acme", "other", "y"))) {
			assertThat(MDC.get("tenant")).isEqualTo("acme");
			assertThat(MDC.get("request-id")).isNull();
			assertThat(MDC.get("other")).isEqualTo("x");
			MDC.put("request-id", "left behind");
		}
		assertThat(MDC.getCopyOfContextMap()).containsOnly(Map.entry("tenant", "before"),
				Map.entry("request-id", "of another task"), Map.entry("other", "x"));
	}

	@Test
	void valuesInMdcAreOneLine() {
		try (Scope scope = this.mdc.open(Map.of("tenant", "acme\nERROR forged"))) {
			assertThat(MDC.get("tenant")).doesNotContain("\n").contains("acme", "ERROR forged");
		}
	}

	@ParameterizedTest
	@ValueSource(strings = { "", " ", "\ud800", "traceparent", "Tracestate", "baggage", "b3", "X-B3-TraceId",
			"asynq.task.id", "x-asynq-trace" })
	void namesThatCannotBeUsedAreRefused(String name) {
		assertThatIllegalArgumentException().isThrownBy(() -> ContextPropagator.mdc(List.of("tenant", name)));
	}

	@Test
	void scopesAreClosedInReverseOrder() {
		ContextPropagators both = ContextPropagators.of(List.of(new Recording("a"), new Recording("b")));
		both.open(Map.of()).close();
		assertThat(this.calls).containsExactly("open a", "open b", "close b", "close a");
	}

	@Test
	void firstOfHeadersWithTheSameNameCounts() {
		ContextPropagators both = ContextPropagators.of(List.of(new Recording("a"), new Recording("b")));
		assertThat(headers(both, Map.of())).containsOnly(Map.entry("by", "a"));
	}

	@Test
	void contextThatCannotBeOpenedIsNotHalfOpen() {
		ContextPropagators broken = ContextPropagators.of(List.of(new Recording("a"), new Broken()));
		assertThatExceptionOfType(AsynqException.class).isThrownBy(() -> broken.open(Map.of()))
			.withMessageContainingAll("ContextPropagator", Broken.class.getName(), "AssertionError")
			.withCauseInstanceOf(AssertionError.class);
		assertThat(this.calls).containsExactly("open a", "close a");
	}

	@Test
	void propagatorThatOpensNothingIsNamed() {
		ContextPropagators broken = ContextPropagators.of(List.of(new Nothing()));
		assertThatExceptionOfType(AsynqException.class).isThrownBy(() -> broken.open(Map.of()))
			.withMessageContaining(Nothing.class.getName());
	}

	@Test
	void whoCanDoWithoutContextIsNotKeptFromWork() {
		ContextPropagators broken = ContextPropagators.of(List.of(new Recording("a"), new Broken()));
		try (LogCapture log = LogCapture.of(ContextPropagators.class, Level.WARN)) {
			broken.openIfPossible(Map.of()).close();
			broken.openIfPossible(Map.of()).close();
			assertThat(log.lines()).singleElement()
				.satisfies(
						(line) -> assertThat(line.getThrowableProxy().getMessage()).contains(Broken.class.getName()));
		}
	}

	@Test
	void errorAtTheCloseKeepsNoOtherOpen() {
		ContextPropagators broken = ContextPropagators.of(List.of(new Recording("a"), new BrokenAtTheClose()));
		try (LogCapture log = LogCapture.of(ContextPropagators.class, Level.WARN)) {
			broken.open(Map.of()).close();
			assertThat(log.lines()).hasSize(1);
		}
		assertThat(this.calls).containsExactly("open a", "close a");
	}

	@Test
	void errorOfCaptureNamesPropagatorAndTask() {
		ContextPropagators broken = ContextPropagators.of(List.of(new Broken()));
		assertThatExceptionOfType(AsynqException.class).isThrownBy(() -> headers(broken, Map.of()))
			.withMessageContainingAll(Broken.class.getName(), "(mail)", "AssertionError");
	}

	private static Map<String, String> headers(ContextPropagators contexts, Map<String, String> own) {
		return new TaskMessageFactory(Clock.systemUTC(), contexts.interceptors())
			.create(Task.of("mail", "").withHeaders(own), TaskOptions.none())
			.message()
			.headers();
	}

	private final class Recording implements ContextPropagator {

		private final String name;

		Recording(String name) {
			this.name = name;
		}

		@Override
		public Map<String, String> capture() {
			return Map.of("by", this.name);
		}

		@Override
		public Scope open(Map<String, String> headers) {
			ContextPropagatorsTests.this.calls.add("open " + this.name);
			return () -> ContextPropagatorsTests.this.calls.add("close " + this.name);
		}

	}

	private static final class Broken implements ContextPropagator {

		@Override
		public Map<String, String> capture() {
			throw new AssertionError("no context");
		}

		@Override
		public Scope open(Map<String, String> headers) {
			throw new AssertionError("no context");
		}

	}

	private static final class BrokenAtTheClose implements ContextPropagator {

		@Override
		public Map<String, String> capture() {
			return Map.of();
		}

		@Override
		public Scope open(Map<String, String> headers) {
			return () -> {
				throw new AssertionError("no way out");
			};
		}

	}

	private static final class Nothing implements ContextPropagator {

		@Override
		public Map<String, String> capture() {
			return Map.of();
		}

		@Override
		@SuppressWarnings("NullAway")
		public Scope open(Map<String, String> headers) {
			return null;
		}

	}

}
