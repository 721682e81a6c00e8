package io.asynq.benchmarks.report;

import java.util.List;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

class PairsTests {

	@Test
	void meanIsGeometric() {
		assertThat(new Pairs("any", List.of(0.5, 2.0)).interval().median()).isCloseTo(1, within(1e-9));
	}

	@Test
	void intervalIsThatOfStudentsDistribution() {
		// t(0.95; 2) is 2.920, the logarithms have mean 0 and standard deviation 0.1
		Spread interval = new Pairs("any", List.of(Math.exp(-0.1), 1.0, Math.exp(0.1))).interval();
		assertThat(Math.log(interval.max())).isCloseTo(2.920 * 0.1 / Math.sqrt(3), within(1e-4));
		assertThat(Math.log(interval.min())).isCloseTo(-2.920 * 0.1 / Math.sqrt(3), within(1e-4));
	}

	@Test
	void onlyIntervalThatLiesBelowToleranceAsWholeIsWorse() {
		assertThat(new Pairs("slow", List.of(0.90, 0.91, 0.92)).isWorse()).isTrue();
		assertThat(new Pairs("noisy", List.of(0.50, 0.90, 1.10)).isWorse()).isFalse();
		assertThat(new Pairs("slow", List.of(0.90, 0.91, 0.92)).line())
			.matches("PAIRS slow ratio=0\\.910 interval=0\\.\\d{3}\\.\\.0\\.\\d{3} pairs=3 worse");
	}

}
