package io.asynq.benchmarks.peer;

import java.nio.charset.StandardCharsets;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

class PayloadTests {

	@ParameterizedTest
	@ValueSource(ints = { 0, 7, 12_345_678, 90_000_000, 99_999_999 })
	void numberIsReadFromTextAndBytes(int number) {
		String payload = Payload.of(number);
		assertThat(Payload.number(payload)).isEqualTo(number);
		assertThat(Payload.number(payload.getBytes(StandardCharsets.US_ASCII))).isEqualTo(number);
	}

	@ParameterizedTest
	@ValueSource(ints = { 0, 99_999_999 })
	void allPayloadsHaveSameSize(int number) {
		assertThat(Payload.of(number)).hasSize(64);
	}

}
