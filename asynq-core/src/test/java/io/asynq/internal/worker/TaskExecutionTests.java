package io.asynq.internal.worker;

import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import io.asynq.FailurePredicate;
import io.asynq.context.ContextPropagators;
import io.asynq.event.TaskOutcome;
import io.asynq.internal.event.EndedObservations;
import io.asynq.internal.event.TaskEvents;
import io.asynq.internal.event.TaskObservation;
import io.asynq.internal.lifecycle.LoopErrorLog;
import io.asynq.server.FailureLogging;
import io.asynq.server.TestMessages;
import io.asynq.test.FakeCompleter;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.slf4j.LoggerFactory;

import static org.assertj.core.api.Assertions.assertThat;

class TaskExecutionTests {

	private final EndedObservations recorded = new EndedObservations();

	private final List<Outcome> written = new CopyOnWriteArrayList<>();

	private final ActiveTasks active = new ActiveTasks();

	private final OutcomeWriter writer = TestWriters
		.of(new FakeCompleter((outcomes) -> outcomes.stream().map(this::applied).toList()), this.active);

	private final TaskExecution execution = new TaskExecution((task, context) -> null, (work) -> work,
			new AttemptObserver((task, context, error) -> {
			}, FailureLogging.NONE, TaskEvents.none(), this.recorded, ContextPropagators.none()),
			new Decision((retried, error, task) -> null, FailurePredicate.always()), this.writer,
			new ServerCounters(List.of("default")), new TaskFlow(false, 1, () -> 0, System::nanoTime),
			(attempt) -> true, (queue) -> {
			}, new LoopErrorLog());

	private final AtomicInteger freed = new AtomicInteger();

	@Test
	void attemptWhoseWorkerDiedIsRequeuedAndLogged() {
		Logger logger = (Logger) LoggerFactory.getLogger(TaskExecution.class);
		ListAppender<ILoggingEvent> logged = new ListAppender<>();
		logged.start();
		logger.addAppender(logged);
		try {
			Attempt attempt = taken("t1");
			this.execution.release(attempt);
			assertThat(this.freed).as("slots that are free").hasValue(1);
			assertThat(this.active.running()).isEmpty();
			assertThat(this.active.unsettled()).as("its lease is kept until it is put back").containsExactly(attempt);
			writeOutcomes();
			assertThat(this.written).containsExactly(new Outcome.Requeue(attempt.leased()));
			assertThat(this.active.unsettled()).isEmpty();
			assertThat(logged.list).extracting(ILoggingEvent::getFormattedMessage)
				.containsExactly("The worker of " + attempt
						+ " is gone without an outcome: the task is put back to the front of its queue");
		}
		finally {
			logger.detachAppender(logged);
		}
	}

	@Test
	void remainingPartyConcludesAbandonedAttempt() {
		Attempt attempt = taken("t1");
		assertThat(attempt.retain()).isTrue();
		this.execution.release(attempt);
		assertThat(this.freed).hasValue(0);
		this.execution.run(attempt);
		this.execution.release(attempt);
		writeOutcomes();
		assertThat(this.freed).hasValue(1);
		assertThat(this.written).containsExactly(new Outcome.Done(attempt.leased()));
	}

	@Test
	void observationThatStartsAfterTheEndOfItsAttemptIsEnded() {
		Attempt attempt = taken("t1");
		attempt.observation().decided(TaskOutcome.CANCELLED, null);
		attempt.observation().end();
		attempt.observation().begin(this.recorded.process(attempt.facts()));
		assertThat(this.recorded.ended("asynq.task.process")).containsExactly("default email:welcome cancelled none");
		assertThat(attempt.observation().isRunning()).isFalse();
	}

	@Test
	@Timeout(60)
	void hangingObservationKeepsNoLoop() throws Exception {
		CountDownLatch ended = new CountDownLatch(1);
		CountDownLatch release = new CountDownLatch(1);
		Attempt attempt = taken("t1");
		attempt.observation().begin(new HangingObservation(ended, release));
		this.execution.settle(attempt);
		assertThat(ended.await(30, TimeUnit.SECONDS)).isTrue();
		writeOutcomes();
		assertThat(this.written).containsExactly(new Outcome.Requeue(attempt.leased()));
		release.countDown();
	}

	private Attempt taken(String id) {
		Attempt attempt = TestMessages.attempt(TestMessages.message(id).build());
		this.active.add(attempt, this.freed::incrementAndGet);
		return attempt;
	}

	private void writeOutcomes() {
		this.writer.start();
		this.writer.stop();
	}

	private OutcomeResult applied(Outcome outcome) {
		this.written.add(outcome);
		return OutcomeResult.APPLIED;
	}

	/**
	 * Does not end before it is released.
	 */
	private record HangingObservation(CountDownLatch ended, CountDownLatch release) implements TaskObservation {

		@Override
		public Scope open() {
			return Scope.NONE;
		}

		@Override
		public Map<String, String> headers(Map<String, String> own, boolean later) {
			return own;
		}

		@Override
		public void type(String type) {
		}

		@Override
		public void end(TaskOutcome outcome, @Nullable Throwable error) {
			this.ended.countDown();
			try {
				this.release.await();
			}
			catch (InterruptedException ex) {
				Thread.currentThread().interrupt();
			}
		}

	}

}
