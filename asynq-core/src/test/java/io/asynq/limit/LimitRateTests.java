package io.asynq.limit;

import java.time.Duration;

import io.asynq.internal.limit.LimitRule;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

/**
 * Rates as people write them.
 */
class LimitRateTests {

	@ParameterizedTest
	@CsvSource({ "10/s,10,1000,10", "100/m,100,60000,2", "5/10s,5,10000,1", "1/500ms,1,500,2", "3/h,3,3600000,1",
			"1/d,1,86400000,1", "2 / 2m,2,120000,1" })
	void readsAndWritesRates(String text, int tasks, long millis, int burst) {
		LimitRate rate = LimitRate.parse(text);
		assertThat(rate).isEqualTo(new LimitRate(tasks, Duration.ofMillis(millis), burst));
		assertThat(rate).hasToString(text.replace(" ", ""));
	}

	@ParameterizedTest
	@ValueSource(strings = { "", "10", "/s", "-1/s", "0/s", "10/w", "1/0s", "1.5/s", "9999999999/s", "1/999999d" })
	void refusesOthers(String text) {
		assertThatIllegalArgumentException().isThrownBy(() -> LimitRate.parse(text));
	}

	@Test
	void burstIsAtLeastWhatComesInASecond() {
		assertThat(LimitRate.parse("10/s").withBurst(20).burst()).isEqualTo(20);
		assertThatIllegalArgumentException().isThrownBy(() -> LimitRate.parse("10/s").withBurst(9))
			.withMessageContaining("at least 10");
	}

	@Test
	void limitNeedsANumber() {
		assertThatIllegalArgumentException().isThrownBy(() -> new TaskLimit(0, null, null));
		assertThatIllegalArgumentException().isThrownBy(() -> TaskLimit.concurrent(-1));
		assertThat(LimitRule.of(new TaskLimit(2, LimitRate.parse("10/s"), null)).text()).isEqualTo("2 100000 10 10/s");
	}

}
