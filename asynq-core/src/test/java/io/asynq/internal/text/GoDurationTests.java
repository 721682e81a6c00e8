package io.asynq.internal.text;

import java.time.Duration;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

class GoDurationTests {

	@ParameterizedTest
	@CsvSource({ "PT0S, 0s", "PT1S, 1s", "PT0.5S, 500ms", "PT0.0015S, 1.5ms", "PT0.000001S, 1µs", "PT0.000000001S, 1ns",
			"PT1M, 1m0s", "PT1H, 1h0m0s", "PT36H1.25S, 36h0m1.25s", "PT-1M, -1m0s" })
	void writesDurationsAsGoDoes(Duration duration, String text) {
		assertThat(GoDuration.format(duration)).isEqualTo(text);
		assertThat(GoDuration.parse(text)).isEqualTo(duration);
	}

	@ParameterizedTest
	@CsvSource({ "0s, PT0S", "0, PT0S", "1h2m3.5s, PT1H2M3.5S", "-1m, PT-1M", "+1m, PT1M", "100ms, PT0.1S",
			"1µs, PT0.000001S", "5ns, PT0.000000005S", ".5s, PT0.5S", "1.s, PT1S", "0.s, PT0S",
			"00000000000000000000000001s, PT1S", "2562047h47m16.854775807s, PT2562047H47M16.854775807S",
			"-2562047h47m16.854775808s, PT-2562047H-47M-16.854775808S", "1s1s, PT2S" })
	void readsDurationsAsGoDoes(String text, Duration duration) {
		assertThat(GoDuration.parse(text)).isEqualTo(duration);
	}

	static String[] none() {
		String digits = "9".repeat(1_000_000);
		return new String[] { "", "1", "-", "s", ".s", "1h ", "1d", "1,5s", "--1s", "2562047h47m16.854775808s", "1s1",
				"99999999999999999999s", digits, digits + "s", "1." + digits };
	}

	@ParameterizedTest
	@MethodSource("none")
	void rejectsAtOnceWhatGoCannotRead(String text) {
		assertThatIllegalArgumentException().isThrownBy(() -> GoDuration.parse(text));
	}

}
