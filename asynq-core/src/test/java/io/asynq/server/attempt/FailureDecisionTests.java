package io.asynq.server.attempt;

import java.time.Duration;
import java.util.function.Consumer;

import io.asynq.FailurePredicate;
import io.asynq.RetryDelayPolicy;
import io.asynq.broker.message.LeasedTask;
import io.asynq.broker.message.Outcome;
import io.asynq.broker.message.TaskMessage;
import io.asynq.handler.PostponeTaskException;
import io.asynq.handler.RevokeTaskException;
import io.asynq.handler.SkipRetryException;
import io.asynq.handler.TaskCanceledException;
import io.asynq.server.TestMessages;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class FailureDecisionTests {

	private final TaskMessage message = TestMessages.message("t1").retried(3).maxRetry(5).build();

	private final LeasedTask task = TestMessages.leased(this.message);

	@Test
	void failureIsRetriedAfterDelayOfPolicy() {
		Outcome outcome = decision((retried, error, task) -> Duration.ofSeconds(retried), FailurePredicate.always())
			.decide(this.task, new IllegalStateException("boom"));
		Outcome.Retry retry = (Outcome.Retry) outcome;
		assertThat(retry)
			.isEqualTo(new Outcome.Retry(this.task, "java.lang.IllegalStateException: boom", retry.due(), true));
		assertThat(retry.due().delay()).isEqualTo(Duration.ofSeconds(3));
	}

	@Test
	void errorThatIsNoFailureIsRetriedUncounted() {
		Outcome outcome = decision((retried, error, task) -> Duration.ZERO, (error) -> false).decide(this.task,
				new IllegalStateException());
		assertThat(((Outcome.Retry) outcome).failure()).isFalse();
	}

	@Test
	void exhaustedRetriesArchiveWithoutFailurePredicate() {
		LeasedTask exhausted = TestMessages.leased(this.message.toBuilder().retried(5).build());
		Outcome outcome = decision(RetryDelayPolicy.exponential(), (error) -> false).decide(exhausted,
				new IllegalStateException("boom"));
		assertThat(outcome).isInstanceOf(Outcome.Archive.class);
	}

	@Test
	void wrappedSkipRetryArchives() {
		Outcome outcome = decision(RetryDelayPolicy.exponential(), FailurePredicate.always()).decide(this.task,
				new IllegalStateException(new SkipRetryException("no use")));
		assertThat(outcome).isInstanceOf(Outcome.Archive.class);
	}

	@Test
	void revokePrecedesSkipRetryAndExhaustion() {
		LeasedTask exhausted = TestMessages.leased(this.message.toBuilder().retried(5).build());
		Outcome outcome = decision(RetryDelayPolicy.exponential(), FailurePredicate.always()).decide(exhausted,
				new SkipRetryException("x", new RevokeTaskException("y")));
		assertThat(outcome).isEqualTo(new Outcome.Done(exhausted));
	}

	@Test
	void usesTextsOfGoForItsErrors() {
		Outcome outcome = decision(RetryDelayPolicy.exponential(), FailurePredicate.always()).decide(this.task,
				new TaskCanceledException());
		assertThat(((Outcome.Retry) outcome).error()).isEqualTo("context canceled");
	}

	@Test
	void throwingPoliciesFallBackToDefaults() {
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
	void fallbackUsesClassAndKindOfErrorOnly() {
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
	void unlimitedDelayDoesNotOverflow() {
		Outcome outcome = decision((retried, error, task) -> Duration.ofSeconds(Long.MAX_VALUE),
				FailurePredicate.always())
			.decide(this.task, new IllegalStateException());
		assertThat(((Outcome.Retry) outcome).due().delay()).isPositive();
		outcome = decision((retried, error, task) -> Duration.ofSeconds(Long.MIN_VALUE), FailurePredicate.always())
			.decide(this.task, new IllegalStateException("boom"));
		assertThat(((Outcome.Retry) outcome).due().delay()).isZero();
	}

	@Test
	void postponementIsAtLeastOneSecond() {
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
