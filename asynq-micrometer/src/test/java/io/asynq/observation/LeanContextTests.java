package io.asynq.observation;

import java.lang.reflect.Method;
import java.util.List;
import java.util.stream.Stream;

import io.asynq.Task;
import io.asynq.event.TaskFacts;
import io.micrometer.common.KeyValue;
import io.micrometer.common.KeyValues;
import io.micrometer.observation.Observation;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import static org.assertj.core.api.Assertions.assertThat;

class LeanContextTests {

	private static final TaskFacts TASK = new TaskFacts("id", "low", Task.of("mail", ""), 0, 25);

	@ParameterizedTest
	@MethodSource("contexts")
	void keysAreThoseOfMicrometersContext(Observation.Context context) {
		Observation.Context other = new Observation.Context();
		for (Observation.Context one : List.of(context, other)) {
			one.addLowCardinalityKeyValues(KeyValues.of("b", "1", "a", "2", "c", "3"));
			one.addLowCardinalityKeyValues(KeyValues.of("d", "4", "b", "5"));
			one.addLowCardinalityKeyValue(KeyValue.of("a", "6"));
			one.addLowCardinalityKeyValues(KeyValues.empty());
			one.removeLowCardinalityKeyValue("c");
			one.removeLowCardinalityKeyValue("unknown");
			one.addHighCardinalityKeyValue(KeyValue.of("z", "7"));
			one.addHighCardinalityKeyValues(KeyValues.of("y", "8", "x", "9", "z", "10"));
			one.removeHighCardinalityKeyValues("x", "unknown");
		}
		assertThat(context.getLowCardinalityKeyValues()).isEqualTo(other.getLowCardinalityKeyValues())
			.containsExactly(KeyValue.of("a", "6"), KeyValue.of("b", "5"), KeyValue.of("d", "4"));
		assertThat(context.getHighCardinalityKeyValues()).isEqualTo(other.getHighCardinalityKeyValues())
			.containsExactly(KeyValue.of("y", "8"), KeyValue.of("z", "10"));
		assertThat(context.getAllKeyValues()).isEqualTo(other.getAllKeyValues());
		assertThat(context.getLowCardinalityKeyValue("b")).isEqualTo(KeyValue.of("b", "5"));
		assertThat(context.getLowCardinalityKeyValue("c")).isNull();
		assertThat(context.getHighCardinalityKeyValue("z")).isEqualTo(KeyValue.of("z", "10"));
		assertThat(context.getHighCardinalityKeyValue("x")).isNull();
	}

	/**
	 * Micrometer's context has methods for several keys that call these for each.
	 */
	@Test
	void micrometerHasNoFurtherMethodsForKeys() {
		List<String> callOthers = List.of("removeLowCardinalityKeyValues", "removeHighCardinalityKeyValues");
		for (Class<?> ours : List.of(LeanReceiverContext.class, LeanSenderContext.class)) {
			assertThat(Stream.of(Observation.Context.class.getMethods())
				.map(Method::getName)
				.filter((name) -> name.contains("CardinalityKeyValue") && !callOthers.contains(name))
				.distinct()).hasSize(10).isSubsetOf(Stream.of(ours.getDeclaredMethods()).map(Method::getName).toList());
		}
	}

	private static Stream<Observation.Context> contexts() {
		return Stream.of(new TaskProcessContext(TASK), new TaskEnqueueContext(TASK),
				new TaskAggregateContext("low", "g", List.of()));
	}

}
