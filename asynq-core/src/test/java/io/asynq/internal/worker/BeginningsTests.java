package io.asynq.internal.worker;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.function.Function;

import io.asynq.BrokerUnavailableException;
import io.asynq.FailurePredicate;
import io.asynq.RetryDelayPolicy;
import io.asynq.context.ContextPropagators;
import io.asynq.handler.TaskDeadlineExceededException;
import io.asynq.internal.event.TaskEvents;
import io.asynq.internal.event.TaskObservations;
import io.asynq.internal.lifecycle.LoopErrorLog;
import io.asynq.server.FailureLogging;
import io.asynq.server.TestMessages;
import io.asynq.test.FakeCompleter;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class BeginningsTests {

	private static final long LONG = Duration.ofHours(1).toNanos();

	private final List<String> asked = new ArrayList<>();

	private final List<String> putBack = new ArrayList<>();

	private Function<Collection<LeasedTask>, Set<LeasedTask>> redis = Set::copyOf;

	private final ActiveTasks active = new ActiveTasks();

	private final TaskFetcher fetcher = TestFetchers.of("default", (queue, max) -> new Dequeued(List.of(), true));

	private final OutcomeWriter writer = TestWriters.of(completer(), this.active);

	private final TaskExecution execution = execution();

	@Test
	void attemptThatIsNoSuspectStartsWithoutRedisCall() {
		assertThat(mayBegin(attempt("innocent", CrashRecord.CLEAN, LONG))).isTrue();
		assertThat(this.asked).isEmpty();
	}

	@Test
	void attemptWhoseLeaseEndedOnTheWayToItsThreadDoesNotStart() {
		Attempt attempt = attempt("innocent", CrashRecord.CLEAN, 0);
		assertThat(mayBegin(attempt)).isFalse();
		assertThat(attempt.begin()).isFalse();
		assertThat(this.asked).isEmpty();
		assertThat(this.putBack).as("another attempt may have begun: Redis decides").containsExactly("innocent");
	}

	@Test
	void suspectStartsOnceStartIsWritten() {
		assertThat(mayBegin(suspect("t1", LONG))).isTrue();
		assertThat(this.asked).containsExactly("t1");
		assertThat(this.putBack).isEmpty();
		assertThat(this.fetcher.readiness().isAnyResting()).isFalse();
	}

	@Test
	void lastAttemptThatWasFetchedAheadStartsOnceStartIsWritten() {
		LeasedTask last = new LeasedTask(TestMessages.message("t1").maxRetry(2).retried(2).build(),
				new Lease("default", "t1", "f", System.nanoTime() + LONG), CrashRecord.CLEAN, true);
		assertThat(last.isLastAttempt()).isTrue();
		assertThat(mayBegin(attempt(last))).isTrue();
		assertThat(this.asked).containsExactly("t1");
	}

	@Test
	void earlierAttemptThatWasFetchedAheadStartsWithoutRedisCall() {
		LeasedTask first = new LeasedTask(TestMessages.message("t1").maxRetry(2).retried(1).build(),
				new Lease("default", "t1", "f", System.nanoTime() + LONG), CrashRecord.CLEAN, true);
		assertThat(mayBegin(attempt(first))).isTrue();
		assertThat(this.asked).isEmpty();
	}

	@Test
	void suspectOwnedByAnotherDoesNotStart() {
		this.redis = (tasks) -> Set.of();
		assertThat(mayBegin(suspect("t1", LONG))).isFalse();
		assertThat(this.putBack).containsExactly("t1");
	}

	@Test
	void suspectDoesNotStartWhileStartCannotBeWritten() {
		this.redis = (tasks) -> {
			throw new BrokerUnavailableException("away", null);
		};
		Attempt attempt = suspect("t1", LONG);
		assertThat(mayBegin(attempt)).isFalse();
		assertThat(this.putBack).containsExactly("t1");
		assertThat(attempt.begin()).isFalse();
		assertThat(attempt.isClaimed()).isTrue();
		assertThat(this.fetcher.readiness().isAnyResting()).as("else it would be taken again at once").isTrue();
	}

	@Test
	void suspectWithExpiredLeaseDoesNotStart() {
		Attempt attempt = suspect("t1", 0);
		assertThat(mayBegin(attempt)).isFalse();
		assertThat(attempt.begin()).isFalse();
		assertThat(this.active.unsettled()).isEmpty();
	}

	@Test
	void abortedSuspectIsLeftToItsConclusion() {
		Attempt attempt = suspect("t1", LONG);
		this.redis = (tasks) -> {
			attempt.abort(new TaskDeadlineExceededException());
			attempt.enterPolicies();
			throw new BrokerUnavailableException("away", null);
		};
		assertThat(mayBegin(attempt)).isFalse();
		assertThat(Thread.interrupted()).as("its error handler is interrupted").isFalse();
		assertThat(attempt.isClaimed()).isFalse();
		assertThat(this.putBack).isEmpty();
	}

	private TaskExecution execution() {
		return new TaskExecution((task, context) -> null, (work) -> work,
				new AttemptObserver((task, context, error) -> {
				}, FailureLogging.NONE, TaskEvents.none(), TaskObservations.none(), ContextPropagators.none()),
				new Decision(RetryDelayPolicy.exponential(), FailurePredicate.always()), this.writer,
				new ServerCounters(List.of("default")), new TaskFlow(false, 1, () -> 0, System::nanoTime),
				(attempt) -> !completer().begin(attempt.queue(), List.of(attempt.leased())).isEmpty(),
				this.fetcher::rest, new LoopErrorLog());
	}

	private boolean mayBegin(Attempt attempt) {
		boolean may = this.execution.mayBegin(attempt);
		this.writer.runOnce();
		return may;
	}

	private TaskCompleter completer() {
		return new FakeCompleter((outcomes) -> outcomes.stream().map(this::requeued).toList()) {

			@Override
			public Set<LeasedTask> begin(String queue, Collection<LeasedTask> tasks) {
				tasks.forEach((task) -> BeginningsTests.this.asked.add(task.message().id()));
				return BeginningsTests.this.redis.apply(tasks);
			}

		};
	}

	private OutcomeResult requeued(Outcome outcome) {
		assertThat(outcome).isInstanceOf(Outcome.Requeue.class);
		this.putBack.add(outcome.message().id());
		return OutcomeResult.APPLIED;
	}

	private static Attempt suspect(String id, long nanos) {
		return attempt(id, CrashRecord.CLEAN.suspected(), nanos);
	}

	private static Attempt attempt(String id, CrashRecord record, long nanos) {
		LeasedTask task = new LeasedTask(TestMessages.message(id).build(),
				new Lease("default", id, "f", System.nanoTime() + nanos), record);
		return attempt(task);
	}

	private static Attempt attempt(LeasedTask task) {
		return new Attempt(task, 0, Instant.EPOCH, new FakeCompleter()::writeResult);
	}

}
