package io.asynq.server;

import java.time.Duration;
import java.util.stream.IntStream;

import io.asynq.broker.CrashRecord;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class UnfinishedTests {

	@Test
	void whatIsCutShortAgainAndAgainWaitsLongerEachTimeUpToAnHour() {
		assertThat(IntStream.rangeClosed(3, 11).mapToObj(Unfinished::wait).map(Duration::toMinutes)).containsExactly(1L,
				2L, 4L, 8L, 16L, 32L, 60L, 60L, 60L);
		assertThat(Unfinished.wait(Integer.MAX_VALUE)).isEqualTo(Duration.ofHours(1));
	}

	@Test
	void theStopOfAServerThatHasLivedForLongEndsTheRow() {
		CrashRecord twice = CrashRecord.CLEAN.stopped(true).stopped(true);
		assertThat(twice.cutShort()).isEqualTo(2);
		assertThat(twice.stopped(false)).isEqualTo(CrashRecord.CLEAN);
	}

	@Test
	void aThreadThatOnlyWorksHasNotCausedTheStop() {
		Thread other = new Thread(() -> {
		});
		assertThat(StopCause.isIn(null)).isFalse();
		assertThat(StopCause.isIn(other)).isFalse();
		assertThat(StopCause.isIn(Thread.currentThread())).isTrue();
	}

}
