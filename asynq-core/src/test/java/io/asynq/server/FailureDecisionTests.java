package io.asynq.server;

import java.time.Duration;
import java.util.function.Consumer;

import io.asynq.FailurePredicate;
import io.asynq.PostponeTaskException;
import io.asynq.RetryDelayPolicy;
import io.asynq.RevokeTaskException;
import io.asynq.SkipRetryException;
import io.asynq.TaskCanceledException;
import io.asynq.broker.LeasedTask;
import io.asynq.broker.Outcome;
import io.asynq.broker.TaskMessage;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class FailureDecisionTests {

	private final TaskMessage message = TestMessages.message("t1").retried(3).maxRetry(5).build();

	private final LeasedTask task = TestMessages.leased(this.message);

	@Test
	void aFailureIsRetriedAfterThePolicysDelay() {
		Outcome outcome = decision((retried, error, task) -> Duration.ofSeconds(retried), FailurePredicate.always())
			.decide(this.task, new IllegalStateException("boom"));
		Outcome.Retry retry = (Outcome.Retry) outcome;
		assertThat(retry)
			.isEqualTo(new Outcome.Retry(this.task, "java.lang.IllegalStateException: boom", retry.due(), true));
		assertThat(retry.due().delay()).isEqualTo(Duration.ofSeconds(3));
	}

	@Test
	void anErrorThatIsNoFailureIsRetriedUncounted() {
		Outcome outcome = decision((retried, error, task) -> Duration.ZERO, (error) -> false).decide(this.task,
				new IllegalStateException());
		assertThat(((Outcome.Retry) outcome).failure()).isFalse();
	}

	@Test
	void exhaustedRetriesArchiveWithoutAskingWhetherItIsAFailure() {
		LeasedTask exhausted = TestMessages.leased(this.message.toBuilder().retried(5).build());
		Outcome outcome = decision(RetryDelayPolicy.exponential(), (error) -> false).decide(exhausted,
				new IllegalStateException("boom"));
		assertThat(outcome).isInstanceOf(Outcome.Archive.class);
	}

	@Test
	void skipRetryArchivesAlsoWhenWrapped() {
		Outcome outcome = decision(RetryDelayPolicy.exponential(), FailurePredicate.always()).decide(this.task,
				new IllegalStateException(new SkipRetryException("no use")));
		assertThat(outcome).isInstanceOf(Outcome.Archive.class);
	}

	@Test
	void revokeWinsOverSkipAndExhaustion() {
		LeasedTask exhausted = TestMessages.leased(this.message.toBuilder().retried(5).build());
		Outcome outcome = decision(RetryDelayPolicy.exponential(), FailurePredicate.always()).decide(exhausted,
				new SkipRetryException("x", new RevokeTaskException("y")));
		assertThat(outcome).isEqualTo(new Outcome.Done(exhausted));
	}

	@Test
	void keepsGosTextsForItsOwnErrors() {
		Outcome outcome = decision(RetryDelayPolicy.exponential(), FailurePredicate.always()).decide(this.task,
				new TaskCanceledException());
		assertThat(((Outcome.Retry) outcome).error()).isEqualTo("context canceled");
	}

	@Test
	void policiesThatThrowCostNothingButTheirSay() {
		Outcome outcome = decision((retried, error, task) -> {
			throw new IllegalArgumentException("policy");
		}, (error) -> {
			throw new IllegalArgumentException("predicate");
		}).decide(this.task, new IllegalStateException("boom"));
		Outcome.Retry retry = (Outcome.Retry) outcome;
		assertThat(retry.failure()).isTrue();
		assertThat(retry.due().delay()).isBetween(Duration.ofSeconds(96), Duration.ofSeconds(212));
	}

	@Test
	void withoutUsersCodeAnErrorIsKnownByItsClassAndByWhatItAsksFor() {
		FailureDecision decision = decision((retried, error, task) -> {
			throw new AssertionError("users' code");
		}, (error) -> {
			throw new AssertionError("users' code");
		});
		Outcome.Retry retry = (Outcome.Retry) decision.decideAlone(this.task, new IllegalStateException("boom"));
		assertThat(retry.error()).isEqualTo("java.lang.IllegalStateException");
		assertThat(retry.failure()).isTrue();
		assertThat(retry.due().delay()).isBetween(Duration.ofSeconds(96), Duration.ofSeconds(212));
		LeasedTask exhausted = TestMessages.leased(this.message.toBuilder().retried(5).build());
		assertThat(decision.decideAlone(exhausted, new IllegalStateException())).isInstanceOf(Outcome.Archive.class);
		assertThat(decision.decideAlone(this.task, new SkipRetryException("x"))).isInstanceOf(Outcome.Archive.class);
		assertThat(decision.decideAlone(this.task, new RevokeTaskException("x"))).isInstanceOf(Outcome.Done.class);
		assertThat(decision.decideAlone(this.task, new PostponeTaskException(Duration.ofHours(1))))
			.satisfies(postponedBy(Duration.ofSeconds(1)));
	}

	@Test
	void anEndlessDelayDoesNotOverflow() {
		Outcome outcome = decision((retried, error, task) -> Duration.ofSeconds(Long.MAX_VALUE),
				FailurePredicate.always())
			.decide(this.task, new IllegalStateException());
		assertThat(((Outcome.Retry) outcome).due().delay()).isPositive();
		outcome = decision((retried, error, task) -> Duration.ofSeconds(Long.MIN_VALUE), FailurePredicate.always())
			.decide(this.task, new IllegalStateException("boom"));
		assertThat(((Outcome.Retry) outcome).due().delay()).isZero();
	}

	@Test
	void aTaskIsPostponedByOneSecondAtLeast() {
		FailureDecision decision = decision(RetryDelayPolicy.exponential(), FailurePredicate.always());
		assertThat(decision.decide(this.task, new PostponeTaskException(Duration.ZERO)))
			.satisfies(postponedBy(Duration.ofSeconds(1)));
		assertThat(decision.decide(this.task, new PostponeTaskException(Duration.ofMinutes(1))))
			.satisfies(postponedBy(Duration.ofMinutes(1)));
	}

	private static Consumer<Outcome> postponedBy(Duration delay) {
		return (outcome) -> assertThat(((Outcome.Postpone) outcome).due().delay()).isEqualTo(delay);
	}

	private static FailureDecision decision(RetryDelayPolicy delay, FailurePredicate failures) {
		return new FailureDecision(delay, failures);
	}

}
