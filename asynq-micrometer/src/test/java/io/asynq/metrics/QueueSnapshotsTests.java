package io.asynq.metrics;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Collectors;

import io.asynq.inspect.QueueStats;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class QueueSnapshotsTests {

	private static final Duration MAX_AGE = Duration.ofMinutes(1);

	private final AtomicLong nanos = new AtomicLong(17);

	private final QueueSnapshots snapshots = new QueueSnapshots(MAX_AGE, this.nanos::get);

	@Test
	void keepsLastValuesUntilTheyAreTooOld() {
		store(5, "low");
		pass(MAX_AGE);
		assertThat(groups("low")).isEqualTo(5);
		pass(Duration.ofNanos(1));
		assertThat(groups("low")).isNaN();
		assertThat(this.snapshots.queues()).containsExactly("low");
		store(6, "low");
		assertThat(groups("low")).isEqualTo(6);
	}

	@Test
	void queueThatCannotBeReadKeepsItsValues() {
		store(5, "low", "high");
		pass(MAX_AGE);
		this.snapshots.store(List.of("low", "high"), Map.of("high", groups(7)));
		assertThat(groups("low")).isEqualTo(5);
		assertThat(groups("high")).isEqualTo(7);
		pass(Duration.ofNanos(1));
		assertThat(groups("low")).isNaN();
		assertThat(groups("high")).isEqualTo(7);
	}

	@Test
	void forgetsDeletedQueues() {
		store(5, "low", "high");
		store(5, "high");
		assertThat(this.snapshots.queues()).containsExactly("high");
		assertThat(groups("low")).isNaN();
	}

	@Test
	void queueThatWasNeverReadIsNotShown() {
		this.snapshots.store(List.of("low"), Map.of());
		assertThat(this.snapshots.queues()).isEmpty();
	}

	@Test
	void ageIsTimeSinceLastReadOrSinceBeginning() {
		pass(Duration.ofSeconds(3));
		assertThat(this.snapshots.age()).isEqualTo(3);
		store(5, "low");
		assertThat(this.snapshots.age()).isZero();
		pass(Duration.ofMillis(1500));
		this.snapshots.store(List.of("low"), Map.of());
		assertThat(this.snapshots.age()).isEqualTo(1.5);
		this.snapshots.store(List.of(), Map.of());
		assertThat(this.snapshots.age()).isZero();
	}

	private void store(long groups, String... queues) {
		this.snapshots.store(List.of(queues),
				List.of(queues).stream().collect(Collectors.toMap((queue) -> queue, (queue) -> groups(groups))));
	}

	private static QueueStats groups(long groups) {
		QueueStats some = FakeQueues.stats(1, 2, 3);
		return new QueueStats(some.sizes(), groups, some.latency(), some.today(), some.total(), some.paused());
	}

	private double groups(String queue) {
		return this.snapshots.value(queue, QueueStats::groups);
	}

	private void pass(Duration time) {
		this.nanos.addAndGet(time.toNanos());
	}

}
