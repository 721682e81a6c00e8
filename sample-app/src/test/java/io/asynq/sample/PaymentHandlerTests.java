package io.asynq.sample;

import java.math.BigDecimal;
import java.time.Duration;
import java.time.Instant;

import io.asynq.handler.ResultWriter;
import io.asynq.handler.TaskContext;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatNoException;

class PaymentHandlerTests {

	private final PaymentHandler handler = new PaymentHandler();

	@ParameterizedTest
	@ValueSource(longs = { 10, 20, 200 })
	void failsFirstAttemptOfEveryTenthPaymentNamingOrder(long number) {
		assertThatExceptionOfType(PaymentDeclinedException.class)
			.isThrownBy(() -> this.handler.charge(payment(number), new Attempt(0)))
			.withMessageContaining("order-" + number);
	}

	@Test
	void chargesEveryTenthPaymentOnSecondAttempt() {
		assertThatNoException().isThrownBy(() -> this.handler.charge(payment(10), new Attempt(1)));
	}

	@ParameterizedTest
	@ValueSource(longs = { 1, 9, 11, 19 })
	void chargesAllOthersOnFirstAttempt(long number) {
		assertThatNoException().isThrownBy(() -> this.handler.charge(payment(number), new Attempt(0)));
	}

	private static ChargePayment payment(long number) {
		return new ChargePayment("order-" + number, number, BigDecimal.TEN);
	}

	private record Attempt(int retryCount) implements TaskContext {

		@Override
		public String taskId() {
			return "id";
		}

		@Override
		public String queue() {
			return "critical";
		}

		@Override
		public int maxRetry() {
			return 5;
		}

		@Override
		public Instant deadline() {
			return Instant.MAX;
		}

		@Override
		public Duration remaining() {
			return Duration.ofMinutes(1);
		}

		@Override
		public String attemptId() {
			return "attempt";
		}

		@Override
		public @Nullable Throwable cancellation() {
			return null;
		}

		@Override
		public Duration retention() {
			return Duration.ZERO;
		}

		@Override
		public ResultWriter resultWriter() {
			throw new UnsupportedOperationException();
		}

	}

}
