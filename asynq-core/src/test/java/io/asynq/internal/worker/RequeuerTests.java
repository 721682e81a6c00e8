package io.asynq.internal.worker;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.stream.IntStream;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatNoException;

class RequeuerTests {

	@Test
	void repeatedInterruptionsPostponeLongerUpToOneHour() {
		assertThat(IntStream.rangeClosed(3, 11).mapToObj(Requeuer::wait).map(Duration::toMinutes)).containsExactly(1L,
				2L, 4L, 8L, 16L, 32L, 60L, 60L, 60L);
		assertThat(Requeuer.wait(Integer.MAX_VALUE)).isEqualTo(Duration.ofHours(1));
	}

	@Test
	void stopOfLongLivedServerResetsCount() {
		CrashRecord twice = CrashRecord.CLEAN.stopped(true).stopped(true);
		assertThat(twice.cutShort()).isEqualTo(2);
		assertThat(twice.stopped(false)).isEqualTo(CrashRecord.CLEAN);
	}

	@Test
	void workingThreadHasNotCausedStop() {
		Thread other = new Thread(() -> {
		});
		assertThat(UserThread.isInStop(null)).isFalse();
		assertThat(UserThread.isInStop(other)).isFalse();
		assertThat(UserThread.isInStop(Thread.currentThread())).isTrue();
	}

	@Test
	void threadThatStopsServerHasCausedStop() throws InterruptedException {
		CountDownLatch stopping = new CountDownLatch(1);
		CountDownLatch stopped = new CountDownLatch(1);
		Thread other = new Thread(() -> UserThread.runStop(() -> {
			stopping.countDown();
			assertThatNoException().isThrownBy(stopped::await);
		}));
		other.start();
		stopping.await();
		assertThat(UserThread.isInStop(other)).isTrue();
		stopped.countDown();
		other.join();
		assertThat(UserThread.isInStop(other)).isFalse();
	}

}
