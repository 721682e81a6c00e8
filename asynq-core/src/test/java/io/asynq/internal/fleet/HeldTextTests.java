package io.asynq.internal.fleet;

import java.util.Map;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class HeldTextTests {

	@Test
	void anyNamesOfQueuesAreReadAsWritten() {
		Map<String, Integer> held = Map.of("default", 12, "a b", 3, "a\nb", 1, "12 x", 999_999_999, " ", 7);
		assertThat(HeldText.parse(HeldText.of(held))).isEqualTo(held);
	}

	@Test
	void queueWithSeparatorInItsNameIsLeftOut() {
		assertThat(HeldText.parse(HeldText.of(Map.of("a\0b", 3, "c", 1)))).isEqualTo(Map.of("c", 1));
	}

	@Test
	void whatIsNoNumberAndQueueIsLeftOut() {
		assertThat(HeldText.parse("what only a later version knows\0003 low\000-1 a\00007 b\0005\0001234567890 c"))
			.isEqualTo(Map.of("low", 3));
		assertThat(HeldText.parse("")).isEmpty();
		assertThat(HeldText.parse(null)).isEmpty();
	}

}
