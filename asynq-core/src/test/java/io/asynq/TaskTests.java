package io.asynq;

import java.util.HashMap;
import java.util.Map;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class TaskTests {

	@Test
	void returnsOptionsItWasCreatedWith() {
		TaskOptions options = TaskOptions.of((o) -> o.queue("low"));
		assertThat(Task.of("t", "x").withOptions(options).options().queue()).isEqualTo("low");
		assertThat(Task.of("t", "x").options().queue()).isNull();
	}

	@Test
	void copiesItsHeaders() {
		Map<String, String> headers = new HashMap<>(Map.of("trace", "1"));
		Task task = Task.of("t", "x").withHeaders(headers);
		headers.put("trace", "2");
		assertThat(task.headers()).containsExactly(Map.entry("trace", "1"));
	}

	@Test
	void headerWithoutValueIsOmitted() {
		Map<String, String> headers = new HashMap<>(Map.of("trace", "1"));
		headers.put("tenant", null);
		assertThat(Task.of("t", "x").withHeaders(headers).headers()).containsExactly(Map.entry("trace", "1"));
	}

}
