package io.asynq.internal.worker;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.AppenderBase;
import io.asynq.BrokerUnavailableException;
import io.asynq.internal.lane.TestLanes;
import io.asynq.internal.redis.TaskMessage;
import io.asynq.server.TestMessages;
import io.asynq.test.FakeCompleter;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.slf4j.LoggerFactory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.awaitility.Awaitility.await;

class OutcomeWriterLanesTests {

	private static final Duration LONG = Duration.ofMinutes(1);

	private final List<String> written = new CopyOnWriteArrayList<>();

	private final CountDownLatch reached = new CountDownLatch(1);

	private final CountDownLatch hang = new CountDownLatch(1);

	private volatile boolean away;

	private final ActiveTasks active = new ActiveTasks();

	private final TestLanes cluster = TestLanes.of(Map.of("a", "n1", "b", "n2"));

	private final OutcomeWriter writer = TestWriters.of(new FakeCompleter(this::write), this.active,
			new ServerCounters(Set.of()), this.cluster.lanes(), 2);

	@AfterEach
	void end() {
		this.hang.countDown();
		this.cluster.close();
	}

	@ParameterizedTest
	@CsvSource({ "a, a", "a, b", "b, unknown" })
	void outcomesForWhichNoThreadCanBeStartedAreKept(String first, String second) {
		this.cluster.close();
		this.writer.keep(new OutcomeWriter.Unsent(List.of(pending(first, "1"), pending(second, "2")), null));
		assertThat(catchThrowable(this.writer::resend)).isInstanceOf(RejectedExecutionException.class);
		assertThat(this.writer.backlog()).isEqualTo(2);
		this.writer.stopped();
		assertThat(this.active.unsettled()).as("what is unsent is dropped at the stop").isEmpty();
	}

	@Test
	void hangingNodeDelaysNoOtherOutcomesAndKeepsOrder() throws Exception {
		this.writer.write(List.of(pending("a", "1")));
		assertThat(this.reached.await(1, TimeUnit.MINUTES)).isTrue();
		this.writer.write(List.of(pending("a", "2"), pending("b", "3"), pending("a", "4")));
		await().atMost(LONG).until(() -> this.written.contains("3"));
		assertThat(this.written).containsExactly("3");
		this.hang.countDown();
		await().atMost(LONG).until(() -> this.active.unsettled().isEmpty());
		assertThat(this.written).containsExactly("3", "1", "2", "4");
	}

	@Test
	void outcomesOfHangingNodeAreKept() throws Exception {
		this.writer.write(List.of(pending("a", "1")));
		assertThat(this.reached.await(1, TimeUnit.MINUTES)).isTrue();
		this.writer.write(List.of(pending("a", "2"), pending("a", "3"), pending("a", "4"), pending("a", "5")));
		this.hang.countDown();
		await().atMost(LONG).until(() -> {
			this.writer.resend();
			return this.active.unsettled().isEmpty();
		});
		assertThat(this.written).containsExactlyInAnyOrder("1", "2", "3", "4", "5");
	}

	@Test
	void resendingToHangingNodeDoesNotDelayTheLoop() throws Exception {
		this.writer.keep(new OutcomeWriter.Unsent(List.of(pending("a", "1")), null));
		Thread loop = new Thread(this.writer::runOnce);
		loop.start();
		assertThat(this.reached.await(1, TimeUnit.MINUTES)).isTrue();
		loop.join(LONG.dividedBy(2).toMillis());
		assertThat(loop.isAlive()).as("waits for the node").isFalse();
		assertThat(this.writer.backlog()).isOne();
	}

	@Test
	void resendingReachesOtherNodesDuringOutageOfOne() {
		this.hang.countDown();
		this.away = true;
		this.writer.keep(new OutcomeWriter.Unsent(List.of(pending("a", "1"), pending("b", "2")), null));
		this.writer.resend();
		await().atMost(LONG).until(() -> this.written.contains("2"));
		assertThat(this.written).containsExactly("2");
		this.away = false;
		await().atMost(LONG).until(() -> {
			this.writer.resend();
			return this.active.unsettled().isEmpty();
		});
		assertThat(this.written).containsExactly("2", "1");
	}

	@Test
	void outcomesForHangingNodeAreReturnedAtStop() throws Exception {
		this.writer.write(List.of(pending("a", "1")));
		assertThat(this.reached.await(1, TimeUnit.MINUTES)).isTrue();
		this.writer.write(List.of(pending("a", "2")));
		this.writer.endLanes(Duration.ZERO);
		this.hang.countDown();
		await().atMost(LONG).until(() -> {
			this.writer.resend();
			return this.active.unsettled().isEmpty();
		});
		assertThat(this.written).containsExactlyInAnyOrder("1", "2");
	}

	@Test
	void outcomesInterruptedByErrorAreWrittenOnce() {
		this.hang.countDown();
		Logger logger = (Logger) LoggerFactory.getLogger(OutcomeWriter.class);
		NoMemory noMemory = new NoMemory();
		noMemory.start();
		logger.addAppender(noMemory);
		try {
			// A line is logged for the late answer, and logging fails
			this.writer.write(List.of(late("b", "late"), pending("b", "1")));
			await().atMost(LONG).until(() -> noMemory.met.getCount() == 0);
			assertThat(this.written).isEmpty();
			this.writer.write(List.of(pending("b", "2")));
			await().atMost(LONG).until(() -> {
				this.writer.resumeLanes();
				return this.active.unsettled().isEmpty();
			});
			assertThat(this.written).containsExactly("1", "2");
		}
		finally {
			logger.detachAppender(noMemory);
		}
	}

	@Test
	void outcomesInterruptedByErrorAreReturnedAtStop() {
		this.hang.countDown();
		Logger logger = (Logger) LoggerFactory.getLogger(OutcomeWriter.class);
		NoMemory noMemory = new NoMemory();
		noMemory.start();
		logger.addAppender(noMemory);
		try {
			this.writer.write(List.of(late("b", "late"), pending("b", "1")));
			await().atMost(LONG).until(() -> noMemory.met.getCount() == 0);
			this.writer.endLanes(LONG);
			await().atMost(LONG).until(() -> {
				this.writer.resend();
				return this.active.unsettled().isEmpty();
			});
			assertThat(this.written).containsExactly("1");
		}
		finally {
			logger.detachAppender(noMemory);
		}
	}

	private Attempt late(String queue, String id) {
		TaskMessage message = TaskMessage.builder("type", id, queue).timeoutSeconds(60).build();
		LeasedTask task = new LeasedTask(message, new Lease(queue, id, "fence", System.nanoTime()));
		Attempt attempt = new Attempt(task, 0, Instant.EPOCH, new FakeCompleter()::writeResult);
		this.active.addUnsettled(attempt);
		return attempt.withOutcome(new Outcome.Done(task));
	}

	private Attempt pending(String queue, String id) {
		Attempt attempt = TestMessages.attempt(TaskMessage.builder("type", id, queue).build());
		this.active.addUnsettled(attempt);
		return attempt.withOutcome(new Outcome.Done(attempt.leased()));
	}

	private List<OutcomeResult> write(List<? extends Outcome> outcomes) {
		if (outcomes.get(0).message().queue().equals("a")) {
			if (this.away) {
				return outcomes.stream()
					.map((outcome) -> OutcomeResult.unreachable(new BrokerUnavailableException("away", null)))
					.toList();
			}
			hang();
		}
		outcomes.forEach((outcome) -> this.written.add(outcome.message().id()));
		return outcomes.stream().map((outcome) -> OutcomeResult.APPLIED).toList();
	}

	private void hang() {
		this.reached.countDown();
		try {
			assertThat(this.hang.await(1, TimeUnit.MINUTES)).isTrue();
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
		}
	}

	/**
	 * Fails once, with an unexpected error.
	 */
	private static final class NoMemory extends AppenderBase<ILoggingEvent> {

		private final CountDownLatch met = new CountDownLatch(1);

		@Override
		protected void append(ILoggingEvent line) {
			if (this.met.getCount() > 0) {
				// Not to be taken for a failure of the test
				Thread.currentThread().setUncaughtExceptionHandler((thread, ex) -> {
				});
				this.met.countDown();
				throw new OutOfMemoryError("planted");
			}
		}

	}

}
