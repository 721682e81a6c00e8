package io.asynq.cli;

import java.io.BufferedReader;
import java.io.PrintWriter;
import java.io.Reader;
import java.io.StringWriter;
import java.nio.file.Path;
import java.time.Clock;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class ProgressTests {

	private final StringWriter err = new StringWriter();

	@Test
	void showsHowFarItIs() {
		assertThat(Progress.line(0, 3000)).isEqualTo("[---------------] 0 of 3000");
		assertThat(Progress.line(1000, 3000)).isEqualTo("[#####----------] 1000 of 3000");
		assertThat(Progress.line(9000, 3000)).isEqualTo("[###############] 3000 of 3000");
		assertThat(Progress.line(-5, 3000)).startsWith("[----");
	}

	@Test
	void showsLongWorkOnTerminalAndCleansUp() throws InterruptedException {
		CountDownLatch asked = new CountDownLatch(2);
		try (Progress progress = Progress.start(around(true), 10, () -> {
			asked.countDown();
			return 4;
		})) {
			assertThat(progress).isNotNull();
			assertThat(asked.await(60, TimeUnit.SECONDS)).isTrue();
		}
		assertThat(this.err.toString()).contains("4 of 10").endsWith(" \r");
	}

	@Test
	void fitsIntoHalfATerminal() {
		assertThat(Progress.line(1_000_000, 1_000_000)).hasSizeLessThan(40);
	}

	@Test
	void leavesNothingOfALongerLineAndWritesNoWiderThanItsLongest() throws InterruptedException {
		CountDownLatch asked = new CountDownLatch(3);
		try (Progress progress = Progress.start(around(true), 1_000_000, () -> {
			asked.countDown();
			return (asked.getCount() == 2) ? 100_000 : 1;
		})) {
			assertThat(progress).isNotNull();
			assertThat(asked.await(60, TimeUnit.SECONDS)).isTrue();
		}
		String longest = "[#--------------] 100000 of 1000000";
		assertThat(this.err.toString()).startsWith("\r" + longest + "\r[---------------] 1 of 1000000     \r")
			.endsWith("\r" + " ".repeat(longest.length()) + "\r");
	}

	@Test
	void answerThatComesAfterTheEndIsNotShown() throws InterruptedException {
		CountDownLatch asked = new CountDownLatch(2);
		CountDownLatch answer = new CountDownLatch(1);
		AtomicReference<Thread> asking = new AtomicReference<>();
		try (Progress progress = Progress.start(around(true), 10, () -> {
			asking.set(Thread.currentThread());
			asked.countDown();
			if (asked.getCount() == 0) {
				awaitUninterruptibly(answer);
			}
			return 4;
		})) {
			assertThat(progress).isNotNull();
			assertThat(asked.await(60, TimeUnit.SECONDS)).isTrue();
		}
		answer.countDown();
		asking.get().join(60_000);
		assertThat(asking.get().isAlive()).isFalse();
		assertThat(this.err.toString()).containsOnlyOnce("4 of 10").endsWith(" \r");
	}

	@Test
	void saysNothingWithoutTerminalOrWork() {
		assertThat(Progress.start(around(false), 10, () -> 0)).isNull();
		assertThat(Progress.start(around(true), 0, () -> 0)).isNull();
	}

	private static void awaitUninterruptibly(CountDownLatch latch) {
		boolean interrupted = true;
		while (interrupted) {
			try {
				latch.await();
				interrupted = false;
			}
			catch (InterruptedException ex) {
				// The end interrupts, as it does a call to Redis that goes on all the
				// same
			}
		}
	}

	private Surroundings around(boolean terminal) {
		return new Surroundings(new PrintWriter(this.err), new PrintWriter(this.err),
				new BufferedReader(Reader.nullReader()), new Surroundings.Terminal(() -> terminal, () -> 0), Map.of(),
				Path.of("target"), Clock.systemUTC());
	}

}
