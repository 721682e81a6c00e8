package io.asynq.internal.worker;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Stream;

import io.asynq.handler.TaskDeadlineExceededException;
import io.asynq.internal.event.TaskEvents;
import io.asynq.internal.lane.Lanes;
import io.asynq.internal.lane.TestLanes;
import io.asynq.internal.lifecycle.LoopErrorLog;
import io.asynq.internal.lifecycle.Loops;
import io.asynq.internal.lifecycle.StopBudget;
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
class OutcomeSenderTests {

	private final ActiveTasks active = new ActiveTasks();

	private final ServerCounters counters = new ServerCounters(List.of("default"));

	private final List<String> written = new ArrayList<>();

	private final Map<String, Throwable> failures = new HashMap<>();

	private final OutcomeSender sender = new OutcomeSender(new FakeCompleter(this::write), this.active, this.counters,
			TaskEvents.none());

	@Test
	void unwritableOutcomeBlocksNoOtherAndIsDroppedAfterSecondFailure() {
		this.failures.put("b", new OutOfMemoryError("planted"));
		OutcomeSender.Unsent unsent = this.sender.send(List.of(pending("a"), pending("b"), pending("c")));
		assertThat(this.written).containsExactly("a", "c");
		assertThat(unsent.outcomes()).extracting((outcome) -> outcome.attempt().taskId()).containsExactly("b");
		assertThat(unsent.reason()).hasMessageContaining("planted");
		assertThat(this.active.held()).extracting(Attempt::taskId).containsExactly("b");
		assertThat(this.sender.send(unsent.outcomes()).outcomes()).isEmpty();
		assertThat(this.active.held()).isEmpty();
		assertThat(this.counters.outcomesDropped.sum()).isOne();
	}

	@Test
	void outcomeIsWrittenOnceMemoryIsAvailable() {
		this.failures.put("a", new OutOfMemoryError("planted"));
		OutcomeSender.Unsent unsent = this.sender.send(List.of(pending("a")));
		this.failures.clear();
		assertThat(this.sender.send(unsent.outcomes()).outcomes()).isEmpty();
		assertThat(this.written).containsExactly("a");
	}

	@Test
	void exceptionDoesNotDropOutcome() {
		this.failures.put("a", new IllegalStateException("planted"));
		List<PendingOutcome> outcomes = List.of(pending("a"));
		for (int i = 0; i < 5; i++) {
			outcomes = this.sender.send(outcomes).outcomes();
		}
		assertThat(outcomes).hasSize(1);
	}

	@Test
	void countsArchivedTasksAndAttemptsThatRanOutOfTime() {
		Throwable deadline = new TaskDeadlineExceededException();
		this.sender.send(List.of(failed("a", new IllegalStateException(), false), failed("b", deadline, false),
				failed("c", deadline, true), failed("d", new IllegalStateException(), true), pending("e")));
		assertThat(this.counters.archived.sum()).isEqualTo(2);
		assertThat(this.counters.timedOut.sum()).isEqualTo(2);
	}

	@Test
	void outcomesThatRedisHasNotTakenAreABacklog() {
		Syncer syncer = new Syncer(this.sender, TestLanes.single().lanes(), loops());
		this.failures.put("b", new IllegalStateException("planted"));
		syncer.takeOver(this.sender.send(List.of(pending("a"), pending("b"))));
		assertThat(syncer.backlog()).isOne();
		syncer.takeOver(new OutcomeSender.Unsent(List.of(pending("c")), null));
		assertThat(syncer.backlog()).isEqualTo(2);
		syncer.runOnce();
		assertThat(syncer.backlog()).as("one is still not taken").isOne();
		this.failures.clear();
		syncer.runOnce();
		assertThat(syncer.backlog()).isZero();
		assertThat(this.written).containsExactly("a", "c", "b");
	}

	@Test
	void outcomesDroppedAtTheStopAreNoBacklog() {
		Syncer syncer = new Syncer(this.sender, TestLanes.single().lanes(), loops());
		this.failures.put("a", new IllegalStateException("planted"));
		syncer.takeOver(this.sender.send(List.of(pending("a"))));
		syncer.stopped();
		assertThat(syncer.backlog()).isZero();
		assertThat(this.counters.outcomesDropped.sum()).isOne();
	}

	@Test
	void errorOutsideOfWriteLosesNothing() {
		Loops loops = loops();
		Lanes single = TestLanes.single().lanes();
		Syncer syncer = new Syncer(this.sender, single, loops);
		OutcomeReporter reporter = new OutcomeReporter(new OutcomeLanes(single, this.sender, syncer, 10), this.active,
				10, loops);
		PendingOutcome pending = pending("a");
		reporter.report(pending.attempt(), pending.outcome());
		this.failures.put("a", new OutOfMemoryError("planted") {
			@Override
			public String toString() {
				throw this;
			}
		});
		assertThat(catchThrowable(reporter::runOnce)).isInstanceOf(OutOfMemoryError.class);
		this.failures.clear();
		reporter.runOnce();
		assertThat(this.written).containsExactly("a");
	}

	@ParameterizedTest
	@MethodSource("outcomes")
	void onlyOutcomesOfRunsAreDroppedWhenTheLeaseHasEnded(Function<LeasedTask, Outcome> outcome, boolean sent) {
		Attempt attempt = pending("a").attempt();
		attempt.lease().extendedTo(System.nanoTime());
		PendingOutcome late = new PendingOutcome(attempt, outcome.apply(attempt.leased()), false);
		assertThat(this.sender.send(List.of(late)).outcomes()).isEmpty();
		assertThat(this.written).isEqualTo(sent ? List.of("a") : List.of());
		assertThat(this.counters.outcomesDropped.sum()).isEqualTo(sent ? 0 : 1);
		assertThat(this.active.held()).isEmpty();
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

	private static Loops loops() {
		return new Loops(() -> true, new LoopErrorLog(), new StopBudget(Duration.ZERO, Duration.ZERO, Duration.ZERO));
	}

	private PendingOutcome failed(String id, Throwable error, boolean last) {
		Attempt attempt = pending(id).attempt();
		attempt.begin();
		attempt.end(error);
		return new PendingOutcome(attempt, last ? new Outcome.Archive(attempt.leased(), "text")
				: new Outcome.Retry(attempt.leased(), "text", Due.in(Duration.ofSeconds(1)), true), false);
	}

	private PendingOutcome pending(String id) {
		Attempt attempt = TestMessages.attempt(TestMessages.message(id).build());
		this.active.hold(attempt);
		return new PendingOutcome(attempt, new Outcome.Done(attempt.leased()), false);
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
