package io.asynq.handler;

import java.io.FileNotFoundException;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;

import org.junit.jupiter.api.Test;
import org.springframework.util.backoff.ExponentialBackOff;
import org.springframework.util.backoff.FixedBackOff;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

class RetrySettingsTests {

	@Test
	void delaysGrowUpToTheLongest() {
		RetrySettings settings = RetrySettings.builder()
			.delay(Duration.ofSeconds(10))
			.multiplier(3.0)
			.maxDelay(Duration.ofMinutes(1))
			.build();
		assertThat(seconds(settings, 5)).containsExactly(10L, 30L, 60L, 60L, 60L);
		assertThat(settings.delay(Integer.MAX_VALUE)).hasValue(Duration.ofMinutes(1));
	}

	@Test
	void delayAloneStaysTheSame() {
		assertThat(seconds(RetrySettings.builder().delay(Duration.ofSeconds(7)).build(), 3)).containsExactly(7L, 7L,
				7L);
	}

	@Test
	void delayWithoutBoundDoesNotOverflow() {
		RetrySettings settings = RetrySettings.builder().delay(Duration.ofDays(1)).multiplier(100.0).build();
		assertThat(settings.delay(Integer.MAX_VALUE)).hasValueSatisfying((delay) -> assertThat(delay).isPositive());
	}

	@Test
	void jitterStaysWithinItsBounds() {
		RetrySettings settings = RetrySettings.builder()
			.delay(Duration.ofSeconds(10))
			.jitter(Duration.ofSeconds(4))
			.build();
		assertThat(IntStream.range(0, 200).mapToObj((i) -> settings.delay(0).orElseThrow()))
			.allSatisfy((delay) -> assertThat(delay).isBetween(Duration.ofSeconds(6), Duration.ofSeconds(14)))
			.anySatisfy((delay) -> assertThat(delay).isNotEqualTo(Duration.ofSeconds(10)));
	}

	@Test
	void backOffMayEnd() {
		RetrySettings settings = RetrySettings.builder().backOff(new FixedBackOff(2000, 2)).build();
		assertThat(settings.delay(1)).hasValue(Duration.ofSeconds(2));
		assertThat(settings.delay(2)).isEmpty();
		assertThat(settings.delay(99)).isEmpty();
	}

	@Test
	void excludedErrorsAndTheirCausesAreNotRetried() {
		RetrySettings settings = RetrySettings.builder().excludes(List.of(IOException.class)).build();
		assertThat(settings.hasDelay()).isFalse();
		assertThat(settings.isRetryable(new IllegalStateException())).isTrue();
		assertThat(settings.isRetryable(new FileNotFoundException())).isFalse();
		assertThat(settings.isRetryable(new IllegalStateException(new IOException()))).isFalse();
	}

	@Test
	void onlyIncludedErrorsOfHandlersAreRetried() {
		RetrySettings settings = RetrySettings.builder()
			.includes(List.of(IOException.class))
			.excludes(List.of(FileNotFoundException.class))
			.build();
		assertThat(settings.isRetryable(new IOException())).isTrue();
		assertThat(settings.isRetryable(new IllegalStateException())).isFalse();
		assertThat(settings.isRetryable(new FileNotFoundException())).isFalse();
		assertThat(List.of(new TaskDeadlineExceededException(), new TaskCanceledException(),
				new LeaseExpiredException(), new HandlerNotFoundException("mail")))
			.allMatch(settings::isRetryable);
	}

	@Test
	void passedDeadlineCanBeExcluded() {
		RetrySettings settings = RetrySettings.builder()
			.includes(List.of(IOException.class))
			.excludes(List.of(TaskDeadlineExceededException.class))
			.build();
		assertThat(settings.isRetryable(new TaskDeadlineExceededException())).isFalse();
		assertThat(settings.isRetryable(new TaskCanceledException())).isTrue();
	}

	@Test
	void isOverriddenOneByOne() {
		RetrySettings settings = RetrySettings.builder()
			.delay(Duration.ofSeconds(10))
			.multiplier(2.0)
			.excludes(List.of(IOException.class))
			.build()
			.overriddenBy(RetrySettings.builder().delay(Duration.ofSeconds(1)).build());
		assertThat(seconds(settings, 3)).containsExactly(1L, 2L, 4L);
		assertThat(settings.isRetryable(new IOException())).isFalse();
	}

	@Test
	void delayReplacesBackOffAndBackOffReplacesDelay() {
		RetrySettings backOff = RetrySettings.builder().backOff(new ExponentialBackOff(5000, 2)).build();
		RetrySettings delay = RetrySettings.builder().delay(Duration.ofSeconds(3)).build();
		assertThat(seconds(backOff.overriddenBy(delay), 2)).containsExactly(3L, 3L);
		assertThat(seconds(delay.overriddenBy(backOff), 2)).containsExactly(5L, 10L);
	}

	@Test
	void settingsWithoutValuesChangeNothing() {
		RetrySettings settings = RetrySettings.builder().delay(Duration.ofSeconds(3)).build();
		assertThat(RetrySettings.builder().build()).isSameAs(RetrySettings.none());
		assertThat(settings.overriddenBy(RetrySettings.none())).isSameAs(settings);
		assertThat(RetrySettings.none().overriddenBy(settings)).isSameAs(settings);
		assertThat(RetrySettings.none().hasDelay()).isFalse();
		assertThat(RetrySettings.none().isRetryable(new Error())).isTrue();
	}

	@Test
	void refusesValuesThatCannotWork() {
		RetrySettings.Builder both = RetrySettings.builder().delay(Duration.ZERO).backOff(new FixedBackOff());
		assertThatIllegalArgumentException().isThrownBy(both::build).withMessageContaining("back-off and a delay");
		RetrySettings.Builder shrinking = RetrySettings.builder();
		assertThatIllegalArgumentException().isThrownBy(() -> shrinking.multiplier(0.5).build())
			.withMessageContaining("multiplier");
		RetrySettings.Builder negative = RetrySettings.builder();
		assertThatIllegalArgumentException().isThrownBy(() -> negative.delay(Duration.ofSeconds(-1)).build())
			.withMessageContaining("delay");
	}

	/** They come from different places, so they must not depend on each other. */
	@Test
	void validValuesWorkTogether() {
		RetrySettings settings = RetrySettings.builder()
			.delay(Duration.ZERO)
			.jitter(Duration.ofMinutes(1))
			.multiplier(2.0)
			.maxDelay(Duration.ofMillis(1))
			.build();
		assertThat(settings.delay(20)).map(Duration::isNegative).hasValue(false);
	}

	private static List<Long> seconds(RetrySettings settings, int count) {
		return IntStream.range(0, count)
			.mapToObj(settings::delay)
			.map(Optional::orElseThrow)
			.map(Duration::toSeconds)
			.toList();
	}

}
