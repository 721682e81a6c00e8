package io.asynq.internal.worker;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Stream;

import io.asynq.handler.TaskDeadlineExceededException;
import io.asynq.internal.lane.Lanes;
import io.asynq.server.TestMessages;
import io.asynq.test.FakeCompleter;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

/**
 * An Error while outcomes are written loses none of them.
 */
class OutcomeWriterTests {

	private final ActiveTasks active = new ActiveTasks();

	private final ServerCounters counters = new ServerCounters(List.of("default"));

	private final List<String> written = new ArrayList<>();

	private final Map<String, Throwable> failures = new HashMap<>();

	private final OutcomeWriter writer = TestWriters.of(new FakeCompleter(this::write), this.active, this.counters,
			Lanes.single(), 10);

	@Test
	void unwritableOutcomeBlocksNoOtherAndIsDroppedAfterSecondFailure() {
		this.failures.put("b", new OutOfMemoryError("planted"));
		OutcomeWriter.Unsent unsent = this.writer.send(List.of(pending("a"), pending("b"), pending("c")));
		assertThat(this.written).containsExactly("a", "c");
		assertThat(unsent.attempts()).extracting(Attempt::taskId).containsExactly("b");
		assertThat(unsent.reason()).hasMessageContaining("planted");
		assertThat(this.active.unsettled()).extracting(Attempt::taskId).containsExactly("b");
		assertThat(this.writer.send(unsent.attempts()).attempts()).isEmpty();
		assertThat(this.active.unsettled()).isEmpty();
		assertThat(this.counters.outcomesDropped.sum()).isOne();
	}

	@Test
	void outcomeIsWrittenOnceMemoryIsAvailable() {
		this.failures.put("a", new OutOfMemoryError("planted"));
		OutcomeWriter.Unsent unsent = this.writer.send(List.of(pending("a")));
		this.failures.clear();
		assertThat(this.writer.send(unsent.attempts()).attempts()).isEmpty();
		assertThat(this.written).containsExactly("a");
	}

	@Test
	void exceptionDoesNotDropOutcome() {
		this.failures.put("a", new IllegalStateException("planted"));
		List<Attempt> outcomes = List.of(pending("a"));
		for (int i = 0; i < 5; i++) {
			outcomes = this.writer.send(outcomes).attempts();
		}
		assertThat(outcomes).hasSize(1);
	}

	@Test
	void countsArchivedTasksAndAttemptsThatRanOutOfTime() {
		Throwable deadline = new TaskDeadlineExceededException();
		this.writer.send(List.of(failed("a", new IllegalStateException(), false), failed("b", deadline, false),
				failed("c", deadline, true), failed("d", new IllegalStateException(), true), pending("e")));
		assertThat(this.counters.archived.sum()).isEqualTo(2);
		assertThat(this.counters.timedOut.sum()).isEqualTo(2);
	}

	@Test
	void outcomesThatRedisHasNotTakenAreABacklog() {
		this.failures.put("b", new IllegalStateException("planted"));
		this.writer.keep(this.writer.send(List.of(pending("a"), pending("b"))));
		assertThat(this.writer.backlog()).isOne();
		this.writer.keep(new OutcomeWriter.Unsent(List.of(pending("c")), null));
		assertThat(this.writer.backlog()).isEqualTo(2);
		this.writer.resend();
		assertThat(this.writer.backlog()).as("one is still not taken").isOne();
		this.failures.clear();
		this.writer.resend();
		assertThat(this.writer.backlog()).isZero();
		assertThat(this.written).containsExactly("a", "c", "b");
	}

	@Test
	void outcomesDroppedAtTheStopAreNoBacklog() {
		this.failures.put("a", new IllegalStateException("planted"));
		this.writer.keep(this.writer.send(List.of(pending("a"))));
		this.writer.stopped();
		assertThat(this.writer.backlog()).isZero();
		assertThat(this.counters.outcomesDropped.sum()).isOne();
	}

	@Test
	void errorOutsideOfWriteLosesNothing() {
		this.writer.report(pending("a"));
		this.failures.put("a", new OutOfMemoryError("planted") {
			@Override
			public String toString() {
				throw this;
			}
		});
		assertThat(catchThrowable(this.writer::runOnce)).isInstanceOf(OutOfMemoryError.class);
		this.failures.clear();
		this.writer.runOnce();
		assertThat(this.written).containsExactly("a");
	}

	@ParameterizedTest
	@MethodSource("outcomes")
	void onlyOutcomesOfRunsAreDroppedWhenTheLeaseHasEnded(Function<LeasedTask, Outcome> outcome, boolean sent) {
		Attempt attempt = pending("a");
		attempt.lease().extendedTo(System.nanoTime());
		assertThat(this.writer.send(List.of(attempt.withOutcome(outcome.apply(attempt.leased())))).attempts())
			.isEmpty();
		assertThat(this.written).isEqualTo(sent ? List.of("a") : List.of());
		assertThat(this.counters.outcomesDropped.sum()).isEqualTo(sent ? 0 : 1);
		assertThat(this.active.unsettled()).isEmpty();
	}

	static Stream<Arguments> outcomes() {
		Due due = Due.in(Duration.ofSeconds(1));
		return Stream.of(of(Outcome.Requeue::new, true), of((task) -> new Outcome.Postpone(task, due), true),
				of((task) -> new Outcome.Unhandled(task, "none", Duration.ZERO, Duration.ZERO), true),
				of(Outcome.Done::new, false), of((task) -> new Outcome.Completed(task, null), false),
				of((task) -> new Outcome.Retry(task, "text", due, true), false),
				of((task) -> new Outcome.Archive(task, "text"), false));
	}

	private static Arguments of(Function<LeasedTask, Outcome> outcome, boolean sent) {
		return Arguments.of(outcome, sent);
	}

	private Attempt failed(String id, Throwable error, boolean last) {
		Attempt attempt = pending(id);
		attempt.begin();
		attempt.end(error);
		return attempt.withOutcome(last ? new Outcome.Archive(attempt.leased(), "text")
				: new Outcome.Retry(attempt.leased(), "text", Due.in(Duration.ofSeconds(1)), true));
	}

	private Attempt pending(String id) {
		Attempt attempt = TestMessages.attempt(TestMessages.message(id).build());
		this.active.addUnsettled(attempt);
		return attempt.withOutcome(new Outcome.Done(attempt.leased()));
	}

	private List<OutcomeResult> write(List<? extends Outcome> outcomes) {
		for (Outcome outcome : outcomes) {
			Throwable failure = this.failures.get(outcome.message().id());
			if (failure instanceof Error error) {
				throw error;
			}
			if (failure instanceof RuntimeException exception) {
				throw exception;
			}
		}
		outcomes.forEach((outcome) -> this.written.add(outcome.message().id()));
		return outcomes.stream().map((outcome) -> OutcomeResult.APPLIED).toList();
	}

}
