package io.asynq.internal.worker;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

class TaskFlowTests {

	private static final long LONG_QUEUE = 100_000;

	private final AtomicInteger servers = new AtomicInteger(2);

	private final TaskFlow flow = new TaskFlow(true, 10, this.servers::get, () -> this.now);

	private long now = 1_000_000_000;

	@Test
	void measuresRateAndRoundTrip() {
		fetchEach(Duration.ofMillis(2), 40, Duration.ofMillis(1));
		FetchAhead ahead = this.flow.ahead(LONG_QUEUE);
		assertThat(ahead.startsPerSecond()).isCloseTo(20_000, within(200.0));
		assertThat(ahead.roundTrip()).isEqualTo(Duration.ofMillis(1));
		assertThat(ahead.mark()).isBetween(39, 40);
	}

	@Test
	void longHandlerCountsUntilManyShortOnesHaveEnded() {
		fetchEach(Duration.ofMillis(2), 40, Duration.ofMillis(1));
		this.flow.ran(Duration.ofMillis(50).toNanos());
		assertThat(this.flow.ahead(LONG_QUEUE).mark()).isZero();
		for (int i = 0; i < 10; i++) {
			this.flow.ran(1000);
		}
		assertThat(this.flow.ahead(LONG_QUEUE).mark()).isZero();
		for (int i = 0; i < 40; i++) {
			this.flow.ran(1000);
		}
		assertThat(this.flow.ahead(LONG_QUEUE).mark()).isPositive();
	}

	@Test
	void knowsNothingBeforeTasksHaveRun() {
		this.flow.fetched(this.now);
		assertThat(this.flow.ahead(LONG_QUEUE).mark()).isZero();
	}

	@Test
	void forgetsRateOverPause() {
		fetchEach(Duration.ofMillis(2), 40, Duration.ofMillis(1));
		fetchEach(Duration.ofSeconds(10), 0, Duration.ofMillis(1));
		assertThat(this.flow.ahead(LONG_QUEUE).mark()).isZero();
	}

	@Test
	void everyServerCouldHoldItsSlotsAnd256More() {
		assertThat(this.flow.ahead(LONG_QUEUE).fleetBuffers()).isEqualTo(2 * 266);
		this.servers.set(0);
		assertThat(this.flow.ahead(LONG_QUEUE).fleetBuffers()).isZero();
	}

	@Test
	void fetchesNothingAheadWhenOff() {
		assertThat(TestFetchers.nothingAhead().ahead(LONG_QUEUE)).isSameAs(FetchAhead.NONE);
	}

	private void fetchEach(Duration pause, int tasks, Duration roundTrip) {
		for (int i = 0; i < 40; i++) {
			this.now += pause.toNanos();
			for (int k = 0; k < tasks; k++) {
				this.flow.ran(1000);
			}
			long start = this.now;
			this.now += roundTrip.toNanos();
			this.flow.fetched(start);
			this.now = start;
		}
	}

}
