package io.asynq.server;

import java.util.List;
import java.util.concurrent.CountDownLatch;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import org.springframework.context.SmartLifecycle;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * Tests of {@link DefaultAsynqServer}.
 */
@Timeout(300)
class DefaultAsynqServerTests {

	private final CountDownLatch started = new CountDownLatch(1);

	private final CountDownLatch release = new CountDownLatch(1);

	@Test
	void stopDuringStartEndsPartsThatStartLater() throws Exception {
		List<Part> parts = List.of(new Part(() -> {
			this.started.countDown();
			this.release.await();
		}), new Part(() -> {
		}));
		DefaultAsynqServer server = new DefaultAsynqServer(null, null, null, null, List.copyOf(parts));
		Thread start = new Thread(server::start);
		start.start();
		this.started.await();
		Thread stop = new Thread(server::stop);
		stop.start();
		await().until(() -> stop.getState() == Thread.State.WAITING || !stop.isAlive());
		this.release.countDown();
		start.join();
		stop.join();
		assertThat(parts).noneMatch(Part::isRunning);
	}

	private static final class Part implements SmartLifecycle {

		private final Starting starting;

		private volatile boolean running;

		Part(Starting starting) {
			this.starting = starting;
		}

		@Override
		public void start() {
			try {
				this.starting.run();
			}
			catch (InterruptedException ex) {
				throw new IllegalStateException(ex);
			}
			this.running = true;
		}

		@Override
		public void stop() {
			this.running = false;
		}

		@Override
		public boolean isRunning() {
			return this.running;
		}

	}

	private interface Starting {

		void run() throws InterruptedException;

	}

}
