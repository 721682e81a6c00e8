package io.asynq.internal.lane;

import java.time.Duration;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

class LaneCallTests {

	private final BlockingQueue<Throwable> late = new LinkedBlockingQueue<>();

	@Test
	void errorEndsCallForWaiter() {
		try (TestLanes lanes = TestLanes.of(Map.of("a", "node"))) {
			LaneCall<String> call = new LaneCall<>(() -> {
				throw new OutOfMemoryError("planted");
			}, (answer, error) -> this.late.add(error));
			call.make(lanes.lanes().threads("test"), "node");
			assertThat(call.isAwaited()).isFalse();
			assertThatIllegalStateException().isThrownBy(call::answer).withMessageContaining("planted");
			assertThat(this.late).isEmpty();
		}
	}

	@Test
	void errorOfAbandonedCallIsLogged() throws InterruptedException {
		CountDownLatch left = new CountDownLatch(1);
		try (TestLanes lanes = TestLanes.of(Map.of("a", "node"), Duration.ofMillis(1))) {
			LaneCall<String> call = new LaneCall<>(() -> {
				await(left);
				throw new OutOfMemoryError("planted");
			}, (answer, error) -> this.late.add(error));
			call.make(lanes.lanes().threads("test"), "node");
			assertThat(call.leave()).isTrue();
			left.countDown();
			assertThat(this.late.poll(60, TimeUnit.SECONDS)).hasMessageContaining("planted");
		}
	}

	private static void await(CountDownLatch latch) {
		try {
			latch.await();
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
		}
	}

}
