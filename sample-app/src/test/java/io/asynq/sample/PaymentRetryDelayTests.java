package io.asynq.sample;

import java.time.Duration;

import io.asynq.Task;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class PaymentRetryDelayTests {

	private final PaymentRetryDelay policy = new PaymentRetryDelay();

	private final Task task = Task.of("payment:charge", "{}");

	@RepeatedTest(20)
	void retriesDeclinedPaymentsAfterOneToThreeSeconds() {
		Duration delay = this.policy.delay(0, new PaymentDeclinedException("no answer"), this.task);
		assertThat(delay).isBetween(Duration.ofSeconds(2), Duration.ofSeconds(3));
	}

	@RepeatedTest(20)
	void usesDefaultDelayForOtherErrors() {
		Duration delay = this.policy.delay(0, new IllegalStateException("a bug"), this.task);
		assertThat(delay).isBetween(Duration.ofSeconds(15), Duration.ofSeconds(44));
	}

	@Test
	void delayVaries() {
		long delays = java.util.stream.IntStream.range(0, 50)
			.mapToObj((i) -> this.policy.delay(0, new PaymentDeclinedException("no answer"), this.task))
			.distinct()
			.count();
		assertThat(delays).isGreaterThan(1);
	}

}
