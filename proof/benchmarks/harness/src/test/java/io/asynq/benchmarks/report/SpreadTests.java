package io.asynq.benchmarks.report;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.stream.IntStream;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

class SpreadTests {

	@Test
	void medianOfOddCountIsMiddleValue() {
		assertThat(Spread.of(List.of(9.0, 1.0, 4.0, 100.0, 2.0))).isEqualTo(new Spread(4, 1, 100));
	}

	@Test
	void medianOfEvenCountIsMeanOfMiddleValues() {
		assertThat(Spread.of(List.of(4.0, 1.0, 3.0, 100.0))).isEqualTo(new Spread(3.5, 1, 100));
	}

	@Test
	void singleRoundIsMinimumMedianAndMaximum() {
		assertThat(Spread.of(List.of(7.0))).isEqualTo(new Spread(7, 7, 7));
	}

	@Test
	void percentileUsesSortedValues() {
		List<Double> values = IntStream.rangeClosed(1, 199).mapToObj(Double::valueOf).toList();
		List<Double> shuffled = new ArrayList<>(values);
		Collections.shuffle(shuffled);
		assertThat(Spread.percentile(shuffled, 50)).isCloseTo(100, within(1e-9));
		assertThat(Spread.percentile(shuffled, 99)).isCloseTo(198, within(1e-9));
	}

	@Test
	void percentileOfFewValuesIsMaximum() {
		assertThat(Spread.percentile(List.of(3.0, 50.0, 1.0), 99)).isEqualTo(50);
	}

}
