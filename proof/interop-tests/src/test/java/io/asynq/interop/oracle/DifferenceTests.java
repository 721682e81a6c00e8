package io.asynq.interop.oracle;

import java.util.List;
import java.util.Map;
import java.util.TreeMap;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Each difference is reported once.
 */
class DifferenceTests {

	private static final Cell ONE = new Cell.Text("1");

	@Test
	void equalDatabasesDoNotDiffer() {
		assertThat(between(Map.of("key", ONE), Map.of("key", new Cell.Text("1")))).isEmpty();
	}

	@Test
	void valuesDiffer() {
		assertThat(between(Map.of("key", ONE), Map.of("key", new Cell.Text("2")))).extracting(Difference::path)
			.containsExactly("key");
	}

	@Test
	void keyOfOneSideDiffers() {
		assertThat(between(Map.of("left", ONE), Map.of("right", ONE))).extracting(Difference::path)
			.containsExactly("left", "right");
	}

	@Test
	void timesBeyondToleranceDiffer() {
		assertThat(between(Map.of("key", time(10)), Map.of("key", time(12)))).isEmpty();
		assertThat(between(Map.of("key", time(10)), Map.of("key", time(14)))).hasSize(1);
		assertThat(between(Map.of("key", time(10)), Map.of("key", ONE))).hasSize(1);
	}

	@Test
	void knownDifferencesAreNotNew() {
		List<Difference> differences = between(Map.of("key", ONE), Map.of("key", new Cell.Text("2")));
		assertThat(Difference.newOf(differences, Map.of())).hasSize(1);
		assertThat(Difference.newOf(differences, Map.of("key", differences.get(0)))).isEmpty();
		List<Difference> later = between(Map.of("key", ONE), Map.of("key", new Cell.Text("3")));
		assertThat(Difference.newOf(later, Map.of("key", differences.get(0)))).hasSize(1);
	}

	private static List<Difference> between(Map<String, Cell> first, Map<String, Cell> second) {
		return Difference.between(new TreeMap<>(first), new TreeMap<>(second));
	}

	private static Cell time(double offset) {
		return new Cell.Time(offset, 3);
	}

}
