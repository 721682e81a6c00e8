package io.asynq.observation;

import java.util.List;
import java.util.Map;

import io.asynq.Task;
import io.asynq.event.TaskFacts;
import io.asynq.internal.observation.TraceParent;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Whether the span of an attempt continues the trace of its enqueueing or links to it.
 */
class TaskProcessContextTests {

	private static final String PARENT = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01";

	@Test
	void firstAttemptContinuesTrace() {
		TaskProcessContext context = context(0, Map.of("traceparent", PARENT));
		assertThat(context.isLinked()).isFalse();
		assertThat(context.links()).isEmpty();
		assertThat(get(context, "traceparent")).isEqualTo(PARENT);
	}

	@Test
	void retryLinks() {
		TaskProcessContext context = context(1, Map.of("traceparent", PARENT));
		assertThat(context.isLinked()).isTrue();
		assertThat(context.links()).containsExactly(PARENT);
		assertThat(get(context, "traceparent")).isNull();
	}

	@Test
	void scheduledOrPeriodicTaskLinksAndKeepsBaggage() {
		TaskProcessContext context = context(0, Map.of("traceparent", PARENT, "tracestate", "a=b", "b3", "0",
				"X-B3-TraceId", "0", "baggage", "tenant=t1", "x-asynq-trace", "link"));
		assertThat(context.links()).containsExactly(PARENT);
		assertThat(List.of("traceparent", "tracestate", "b3", "X-B3-TraceId"))
			.allSatisfy((name) -> assertThat(get(context, name)).isNull());
		assertThat(get(context, "baggage")).isEqualTo("tenant=t1");
	}

	@Test
	void taskWithoutTraceLinksToNothing() {
		assertThat(context(1, Map.of()).links()).isEmpty();
	}

	@Test
	void readsW3csHeader() {
		assertThat(TraceParent.parse(PARENT))
			.isEqualTo(new TraceParent("4bf92f3577b34da6a3ce929d0e0e4736", "00f067aa0ba902b7", true));
		assertThat(TraceParent.parse("01-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-02-more").sampled())
			.isFalse();
	}

	@ParameterizedTest
	@ValueSource(strings = { "", "garbage", "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7",
			"ff-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01",
			"00-00000000000000000000000000000000-00f067aa0ba902b7-01",
			"00-4bf92f3577b34da6a3ce929d0e0e4736-0000000000000000-01",
			"00-4BF92F3577B34DA6A3CE929D0E0E4736-00f067aa0ba902b7-01" })
	void otherTextsNameNoSpan(String header) {
		assertThat(TraceParent.parse(header)).isNull();
	}

	@Test
	void groupLinksToEachTraceOfItsMembersOnce() {
		List<Task> members = List.of(Task.of("a", "").withHeaders(Map.of("traceparent", PARENT)), Task.of("b", ""),
				Task.of("c", "").withHeaders(Map.of("traceparent", PARENT)));
		assertThat(new TaskAggregateContext("q", "g", members).links()).containsExactly(PARENT);
	}

	private static String get(TaskProcessContext context, String name) {
		return context.getGetter().get(context.getCarrier(), name);
	}

	private static TaskProcessContext context(int retryCount, Map<String, String> headers) {
		return new TaskProcessContext(
				new TaskFacts("id", "default", Task.of("mail", "").withHeaders(headers), retryCount, 25));
	}

}
