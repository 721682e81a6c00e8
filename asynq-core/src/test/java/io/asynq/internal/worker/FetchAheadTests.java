package io.asynq.internal.worker;

import java.time.Duration;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.assertj.core.api.Assertions.assertThat;

class FetchAheadTests {

	private static final long LONG_QUEUE = 100_000;

	private static final long FLEET = 300;

	@Test
	void fetchesTwiceWhatStartedDuringRoundTripSoThatRateCanGrow() {
		FetchAhead ahead = ahead(10_000, Duration.ofMillis(2), Duration.ZERO, LONG_QUEUE, FLEET);
		assertThat(ahead.mark()).isEqualTo(40);
		assertThat(ahead.tasks(0)).isEqualTo(40);
		assertThat(ahead.tasks(39)).isEqualTo(40);
		assertThat(ahead.tasks(40)).isZero();
	}

	@Test
	void shorterRoundTripCountsAsHalfMillisecond() {
		assertThat(ahead(30_000, Duration.ofNanos(100_000), Duration.ZERO, LONG_QUEUE, FLEET).mark()).isEqualTo(30);
	}

	@Test
	void fetchesNothingWhereRoundTripIsShorterThanPauseBetweenTasks() {
		assertThat(ahead(450, Duration.ofMillis(1), Duration.ZERO, LONG_QUEUE, FLEET).tasks(0)).isZero();
	}

	@Test
	void fetchesNoMoreThan64PerCallAndHoldsNoMoreThan256() {
		FetchAhead ahead = ahead(1_000_000, Duration.ofMillis(100), Duration.ZERO, LONG_QUEUE, FLEET);
		assertThat(ahead.tasks(0)).isEqualTo(64);
		assertThat(ahead.tasks(192)).isEqualTo(64);
		assertThat(ahead.tasks(255)).isEqualTo(1);
		assertThat(ahead.tasks(256)).isZero();
	}

	@ParameterizedTest
	@CsvSource({ "9.999, 40", "10, 0", "5000, 0" })
	void taskNeverWaitsBehindHandlersOfTenMilliseconds(double millis, int tasks) {
		Duration handler = Duration.ofNanos((long) (millis * 1e6));
		assertThat(ahead(10_000, Duration.ofMillis(2), handler, LONG_QUEUE, FLEET).tasks(0)).isEqualTo(tasks);
	}

	@ParameterizedTest
	@CsvSource({ "301, 40", "300, 0", "0, 0" })
	void leavesQueueThatAllServersCouldHoldToIdleWorkers(long backlog, int tasks) {
		assertThat(ahead(10_000, Duration.ofMillis(2), Duration.ZERO, backlog, FLEET).tasks(0)).isEqualTo(tasks);
	}

	@Test
	void fetchesNothingWhileFleetIsUnknown() {
		assertThat(ahead(10_000, Duration.ofMillis(2), Duration.ZERO, LONG_QUEUE, 0).tasks(0)).isZero();
		assertThat(FetchAhead.NONE.tasks(0)).isZero();
	}

	private static FetchAhead ahead(double rate, Duration roundTrip, Duration handler, long backlog, long fleet) {
		return new FetchAhead(rate, roundTrip, handler, backlog, fleet);
	}

}
