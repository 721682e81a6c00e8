package io.asynq.metrics;

import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class MemorySamplesTests {

	private final AtomicLong nanos = new AtomicLong();

	private final MemorySamples samples = new MemorySamples(Duration.ofSeconds(30), this.nanos::get);

	@Test
	void estimateIsDueAtMostOnceAMinute() {
		assertThat(this.samples.due(Set.of("low"))).containsExactly("low");
		this.samples.store(List.of("low"), Map.of("low", 42L));
		pass(Duration.ofSeconds(60).minusNanos(1));
		assertThat(this.samples.due(Set.of("low"))).isEmpty();
		pass(Duration.ofNanos(1));
		assertThat(this.samples.due(Set.of("low"))).containsExactly("low");
	}

	@Test
	void estimateThatFailedIsDueAMinuteLater() {
		this.samples.store(List.of("low"), Map.of());
		assertThat(this.samples.value("low")).isNaN();
		assertThat(this.samples.due(Set.of("low"))).isEmpty();
		pass(Duration.ofSeconds(60));
		assertThat(this.samples.due(Set.of("low"))).containsExactly("low");
	}

	@Test
	void manyQueuesTakeTurnsOldestFirst() {
		Set<String> queues = IntStream.range(0, 1000).mapToObj((i) -> "q" + i).collect(Collectors.toSet());
		Set<String> left = new HashSet<>(queues);
		for (int i = 0; i < 4; i++) {
			List<String> due = this.samples.due(queues);
			assertThat(due).hasSizeLessThanOrEqualTo(256);
			assertThat(left).containsAll(due);
			left.removeAll(due);
			this.samples.store(due, due.stream().collect(Collectors.toMap(Function.identity(), (queue) -> 1L)));
			pass(Duration.ofSeconds(10));
		}
		assertThat(left).isEmpty();
	}

	@Test
	void estimateIsUnknownWhenItIsTooOld() {
		this.samples.store(List.of("low"), Map.of("low", 42L));
		pass(Duration.ofSeconds(100));
		this.samples.store(List.of("low"), Map.of());
		assertThat(this.samples.due(Set.of("low"))).isEmpty();
		pass(Duration.ofSeconds(50));
		assertThat(this.samples.value("low")).isEqualTo(42);
		pass(Duration.ofNanos(1));
		assertThat(this.samples.value("low")).isNaN();
	}

	@Test
	void forgetsDeletedQueues() {
		this.samples.store(List.of("low"), Map.of("low", 42L));
		this.samples.due(Set.of("high"));
		assertThat(this.samples.value("low")).isNaN();
	}

	private void pass(Duration time) {
		this.nanos.addAndGet(time.toNanos());
	}

}
