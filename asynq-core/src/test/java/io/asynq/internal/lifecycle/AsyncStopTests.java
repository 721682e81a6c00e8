package io.asynq.internal.lifecycle;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import static org.assertj.core.api.Assertions.assertThat;

@Timeout(60)
class AsyncStopTests {

	@Test
	void stopDoesNotBlockCaller() throws Exception {
		CountDownLatch release = new CountDownLatch(1);
		CompletableFuture<Boolean> stopped = new CompletableFuture<>();
		Waiting component = new Waiting(release);
		component.start();
		component.stop(() -> stopped.complete(component.isRunning()));
		assertThat(stopped).isNotDone();
		assertThat(AsyncStop.isAskedBy(Thread.currentThread())).isTrue();
		release.countDown();
		assertThat(stopped.get(30, TimeUnit.SECONDS)).isFalse();
		assertThat(AsyncStop.isAskedBy(Thread.currentThread())).isFalse();
	}

	@Test
	void callbackRunsEvenIfStopThrows() throws Exception {
		CompletableFuture<String> told = new CompletableFuture<>();
		AsyncStop.run("part", () -> {
			throw new IllegalStateException("planted");
		}, () -> told.complete("end"));
		assertThat(told.get(30, TimeUnit.SECONDS)).isEqualTo("end");
	}

	private static final class Waiting extends PeriodicComponent {

		private final CountDownLatch release;

		Waiting(CountDownLatch release) {
			super(ServerPhase.JANITOR, new Loops(() -> true, new LoopErrorLog(),
					new StopBudget(Duration.ofSeconds(1), Duration.ofSeconds(1), Duration.ZERO)));
			this.release = release;
		}

		@Override
		protected Duration runOnce() {
			return Duration.ofDays(1);
		}

		@Override
		protected void stopped() {
			try {
				this.release.await();
			}
			catch (InterruptedException ex) {
				Thread.currentThread().interrupt();
			}
		}

	}

}
