package io.asynq.outbox.jdbc;

import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class OutboxTableTests {

	@Test
	void restingQueuesAreLeftOutByStatementsOfFewShapes() {
		Set<Integer> sizes = IntStream.rangeClosed(1, 1000)
			.mapToObj((count) -> IntStream.range(0, count).mapToObj((i) -> "q" + i).toList())
			.map((queues) -> {
				List<String> padded = OutboxTable.padded(queues);
				assertThat(padded).startsWith(queues.toArray(String[]::new));
				assertThat(Set.copyOf(padded)).hasSameSizeAs(queues);
				return padded.size();
			})
			.collect(Collectors.toSet());
		assertThat(sizes).containsExactlyInAnyOrder(16, 32, 64, 128, 256, 512, 1024);
	}

}
