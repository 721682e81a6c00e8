package io.asynq.server;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

import io.asynq.broker.QueueWeights;
import org.assertj.core.data.Offset;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

class QueueSelectorTests {

	private static final Map<String, Integer> WEIGHTS = Map.of("critical", 6, "default", 3, "low", 1);

	@ParameterizedTest
	@ValueSource(ints = { 1, 3, 10, 16, 64 })
	void sharesByWeightWhateverTheSizeOfAFetch(int workers) {
		QueueSelector selector = new QueueSelector(new QueueWeights(WEIGHTS, false));
		Map<String, Integer> sums = new HashMap<>();
		int tasks = 0;
		while (tasks < 10_000) {
			selector.share(workers, WEIGHTS.keySet()).forEach((queue, share) -> sums.merge(queue, share, Integer::sum));
			tasks += workers;
		}
		WEIGHTS.forEach((queue, weight) -> assertThat(100.0 * sums.get(queue) / sumOf(sums)).as(queue)
			.isCloseTo(10.0 * weight, Offset.offset(0.2)));
	}

	@Test
	void givesEveryWorkerToSomeQueue() {
		QueueSelector selector = new QueueSelector(new QueueWeights(WEIGHTS, false));
		for (int workers = 1; workers < 100; workers++) {
			assertThat(sumOf(selector.share(workers, WEIGHTS.keySet()))).isEqualTo(workers);
		}
	}

	@Test
	void touchesOnlyCandidates() {
		QueueSelector selector = new QueueSelector(new QueueWeights(WEIGHTS, false));
		assertThat(selector.share(8, List.of("default", "low"))).containsOnly(Map.entry("default", 6),
				Map.entry("low", 2));
	}

	@Test
	void anEmptyQueueDoesNotSaveUpForLater() {
		QueueSelector selector = new QueueSelector(new QueueWeights(Map.of("a", 1, "b", 1), false));
		for (int i = 0; i < 1000; i++) {
			selector.share(1, List.of("a", "b"));
			selector.exhausted("a");
		}
		Map<String, Integer> shares = selector.share(100, List.of("a", "b"));
		assertThat(shares.get("a")).isBetween(48, 52);
	}

	@Test
	void strictGivesAllToTheHeaviestCandidate() {
		QueueSelector selector = new QueueSelector(new QueueWeights(WEIGHTS, true));
		assertThat(selector.share(5, new ArrayList<>(WEIGHTS.keySet()))).containsOnly(Map.entry("critical", 5));
		assertThat(selector.share(5, List.of("low", "default"))).containsOnly(Map.entry("default", 5));
	}

	private static int sumOf(Map<String, Integer> shares) {
		return shares.values().stream().mapToInt(Integer::intValue).sum();
	}

}
