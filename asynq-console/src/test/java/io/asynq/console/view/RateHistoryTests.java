package io.asynq.console.view;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;

import io.asynq.inspect.QueueInfo;
import io.asynq.inspect.QueueStats;
import io.asynq.operations.survey.QueueBoard;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class RateHistoryTests {

	private static final Instant START = Instant.parse("2026-01-01T00:00:00Z");

	private final RateHistory history = new RateHistory();

	@Test
	void ratesAreWhatCountersHaveGrownByPerSecond() {
		add(0, 100, 10);
		add(2, 120, 15);
		add(4, 120, 15);
		assertThat(this.history.rates().points()).containsExactly(new RateHistory.Point(at(2), 10, 2.5),
				new RateHistory.Point(at(4), 0, 0));
	}

	@Test
	void counterThatBeginsAnewIsNoNegativeRate() {
		add(0, 100, 10);
		add(2, 0, 0);
		add(4, 4, 0);
		assertThat(this.history.rates().points()).extracting(RateHistory.Point::processed).containsExactly(0.0, 2.0);
	}

	@Test
	void keepsAQuarterOfAnHour() {
		for (int second = 0; second <= 3600; second += 2) {
			add(second, second, 0);
		}
		assertThat(this.history.rates().points()).hasSize(451);
		assertThat(this.history.rates().points().get(0).at()).isEqualTo(at(2700));
		assertThat(this.history.rates().windowSeconds()).isEqualTo(900);
	}

	@Test
	void pauseInWhichNobodyLookedHasNoRate() {
		add(0, 0, 0);
		add(300, 1_000_000, 0);
		add(302, 1_000_002, 0);
		assertThat(this.history.rates().points()).containsExactly(new RateHistory.Point(at(302), 1, 0));
	}

	@Test
	void readingsAtOnceCountOnce() {
		add(0, 0, 0);
		this.history.add(board(at(0).plusMillis(10), 50, 0));
		add(2, 50, 0);
		assertThat(this.history.rates().points()).containsExactly(new RateHistory.Point(at(2), 25, 0));
	}

	private void add(int second, long processed, long failed) {
		this.history.add(board(at(second), processed, failed));
	}

	private static Instant at(int second) {
		return START.plusSeconds(second);
	}

	private static QueueBoard.Board board(Instant at, long processed, long failed) {
		QueueStats stats = new QueueStats(Map.of(), 0, Duration.ZERO, new QueueStats.Counters(0, 0),
				new QueueStats.Counters(processed, failed), false);
		return new QueueBoard.Board(at, List.of(new QueueInfo("default", stats, at)), Map.of());
	}

}
