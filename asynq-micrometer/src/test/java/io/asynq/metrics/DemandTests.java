package io.asynq.metrics;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

class DemandTests {

	private final AtomicLong nanos = new AtomicLong(Long.MAX_VALUE - Duration.ofMinutes(7).toNanos());

	private final Demand demand = new Demand(this.nanos::get);

	@Test
	void thereIsNoneBeforeAnybodyReads() {
		assertThat(this.demand.isThere()).isFalse();
		pass(Duration.ofDays(1));
		assertThat(this.demand.isThere()).isFalse();
		assertThat(this.demand.note()).isTrue();
		assertThat(this.demand.isThere()).isTrue();
	}

	@ParameterizedTest
	@ValueSource(ints = { 1, 15, 60 })
	void regularScrapesKeepItUp(int seconds) {
		this.demand.note();
		for (int i = 0; i < 100; i++) {
			pass(Duration.ofSeconds(seconds));
			assertThat(this.demand.isThere()).isTrue();
			assertThat(this.demand.note()).isFalse();
		}
	}

	@ParameterizedTest
	@ValueSource(ints = { 1, 15, 60 })
	void endsFiveMinutesAfterLastOfFrequentScrapes(int seconds) {
		this.demand.note();
		pass(Duration.ofSeconds(seconds));
		this.demand.note();
		pass(Duration.ofMinutes(5));
		assertThat(this.demand.isThere()).isTrue();
		pass(Duration.ofNanos(1));
		assertThat(this.demand.isThere()).isFalse();
		assertThat(this.demand.note()).isTrue();
	}

	@Test
	void endsAfterThreeOfTheLongestGapsOfRareScrapes() {
		this.demand.note();
		pass(Duration.ofMinutes(4));
		this.demand.note();
		pass(Duration.ofMinutes(1));
		this.demand.note();
		pass(Duration.ofMinutes(12));
		assertThat(this.demand.isThere()).isTrue();
		pass(Duration.ofNanos(1));
		assertThat(this.demand.isThere()).isFalse();
	}

	@Test
	void nightWithoutScrapesIsNoGap() {
		this.demand.note();
		pass(Duration.ofHours(8));
		assertThat(this.demand.note()).isTrue();
		pass(Duration.ofMinutes(5).plusNanos(1));
		assertThat(this.demand.isThere()).isFalse();
	}

	@Test
	void readThatComesBeforeEndIsNoticedIsTheFirst() {
		this.demand.note();
		pass(Duration.ofMinutes(6));
		assertThat(this.demand.note()).isTrue();
		assertThat(this.demand.note()).isFalse();
	}

	private void pass(Duration time) {
		this.nanos.addAndGet(time.toNanos());
	}

}
