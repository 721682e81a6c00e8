package io.asynq.internal.server;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.stream.Stream;

import io.asynq.internal.lifecycle.LoopErrorLog;
import io.asynq.internal.lifecycle.Loops;
import io.asynq.internal.lifecycle.PeriodicComponent;
import io.asynq.internal.lifecycle.ServerPhase;
import io.asynq.internal.lifecycle.StopBudget;
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

	private final Loops loops = new Loops(() -> true, new LoopErrorLog(),
			new StopBudget(Duration.ofMinutes(1), Duration.ofMinutes(1), Duration.ZERO));

	@Test
	void stopDuringStartEndsPartsThatStartLater() throws Exception {
		List<Part> parts = List.of(new Part(() -> {
			this.started.countDown();
			this.release.await();
		}), new Part(() -> {
		}));
		DefaultAsynqServer server = server(List.copyOf(parts));
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

	@Test
	void componentsThatSpringStartsAfterStopStayStoppedUntilNextStart() {
		List<SmartLifecycle> parts = Stream.of(ServerPhase.HEARTBEATER, ServerPhase.PROCESSOR, ServerPhase.FORWARDER)
			.map((phase) -> (SmartLifecycle) new Loop(phase, this.loops))
			.toList();
		DefaultAsynqServer server = server(parts);
		parts.get(0).start();
		parts.get(1).start();
		server.stop();
		parts.get(2).start();
		assertThat(parts).noneMatch(SmartLifecycle::isRunning);
		parts.forEach(SmartLifecycle::start);
		assertThat(parts).allMatch(SmartLifecycle::isRunning);
		server.stop();
	}

	private DefaultAsynqServer server(List<SmartLifecycle> parts) {
		return new DefaultAsynqServer(null, null, null, null, new ServerParts(parts, this.loops));
	}

	private static final class Loop extends PeriodicComponent {

		Loop(ServerPhase phase, Loops loops) {
			super(phase, loops);
		}

		@Override
		protected Duration runOnce() {
			return Duration.ofDays(1);
		}

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
