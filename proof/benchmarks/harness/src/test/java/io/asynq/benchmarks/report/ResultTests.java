package io.asynq.benchmarks.report;

import java.util.Locale;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class ResultTests {

	@Test
	void isOkAtItsTargetAndAbove() {
		assertThat(result(6).line()).isEqualTo("RESULT workoff ratio=6.000 target=6.00 ok");
		assertThat(result(7.126).line()).isEqualTo("RESULT workoff ratio=7.126 target=6.00 ok");
	}

	@Test
	void isShortBelowItsTarget() {
		assertThat(result(5.94).line()).isEqualTo("RESULT workoff ratio=5.940 target=6.00 short");
	}

	@Test
	void onlyMedianDecides() {
		assertThat(new Result("workoff", new Spread(6.5, 1, 8), 6).ok()).isTrue();
		assertThat(new Result("workoff", new Spread(5.5, 5, 80), 6).ok()).isFalse();
	}

	@Test
	void undefinedRatioIsShort() {
		assertThat(result(Double.NaN).ok()).isFalse();
	}

	@Test
	void lineDoesNotDependOnLocale() {
		Locale before = Locale.getDefault();
		try {
			Locale.setDefault(Locale.GERMANY);
			assertThat(result(6.5).line()).isEqualTo("RESULT workoff ratio=6.500 target=6.00 ok");
		}
		finally {
			Locale.setDefault(before);
		}
	}

	private static Result result(double ratio) {
		return new Result("workoff", new Spread(ratio, ratio, ratio), 6);
	}

}
