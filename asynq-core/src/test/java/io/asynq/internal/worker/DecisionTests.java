package io.asynq.internal.worker;

import java.io.FileNotFoundException;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

import io.asynq.CancelMode;
import io.asynq.FailurePredicate;
import io.asynq.RetryDelayPolicy;
import io.asynq.event.ArchiveReason;
import io.asynq.handler.HandlerNotFoundException;
import io.asynq.handler.PostponeTaskException;
import io.asynq.handler.RetrySettings;
import io.asynq.handler.RevokeTaskException;
import io.asynq.handler.SkipRetryException;
import io.asynq.handler.TaskCanceledException;
import io.asynq.handler.TaskMux;
import io.asynq.internal.lifecycle.Waker;
import io.asynq.internal.redis.TaskMessage;
import io.asynq.server.ServerOptions;
import io.asynq.server.TestMessages;
import io.asynq.server.UnknownTypes;
import org.junit.jupiter.api.Test;
import org.springframework.util.backoff.FixedBackOff;

import static org.assertj.core.api.Assertions.assertThat;

class DecisionTests {

	private static final TaskMux OTHER = new TaskMux().handle("other", (task, context) -> null);

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
	void delaysOfHandlerReplaceThoseOfPolicy() {
		Outcome outcome = decision(RetrySettings.builder().delay(Duration.ofSeconds(2)).multiplier(2.0).build())
			.decide(this.task, new IllegalStateException("boom"));
		assertThat(((Outcome.Retry) outcome).due().delay()).isEqualTo(Duration.ofSeconds(16));
		outcome = decision(RetrySettings.builder().excludes(List.of(IOException.class)).build()).decide(this.task,
				new IllegalStateException("boom"));
		assertThat(((Outcome.Retry) outcome).due().delay()).isEqualTo(Duration.ofDays(1));
	}

	@Test
	void errorThatHandlerExcludesArchivesAtOnce() {
		Outcome outcome = decision(RetrySettings.builder().excludes(List.of(IOException.class)).build())
			.decide(this.task, new IllegalStateException(new FileNotFoundException("gone")));
		assertThat(outcome).isInstanceOfSatisfying(Outcome.Archive.class,
				(archive) -> assertThat(archive.reason()).isEqualTo(ArchiveReason.RETRY_SKIPPED));
	}

	@Test
	void backOffThatEndsArchives() {
		Outcome outcome = decision(RetrySettings.builder().backOff(new FixedBackOff(1000, 3)).build()).decide(this.task,
				new IllegalStateException("boom"));
		assertThat(outcome).isInstanceOfSatisfying(Outcome.Archive.class,
				(archive) -> assertThat(archive.reason()).isEqualTo(ArchiveReason.RETRIES_EXHAUSTED));
	}

	@Test
	void throwingBackOffFallsBackToDefault() {
		Outcome outcome = decision(RetrySettings.builder().backOff(() -> {
			throw new LinkageError("back-off");
		}).build()).decide(this.task, new IllegalStateException("boom"));
		assertThat(((Outcome.Retry) outcome).due().delay()).isBetween(Duration.ofSeconds(96), Duration.ofSeconds(212));
	}

	@Test
	void fallbackUsesClassAndKindOfErrorOnly() {
		Decision decision = decision((retried, error, task) -> {
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
		Decision decision = decision(RetryDelayPolicy.exponential(), FailurePredicate.always());
		assertThat(decision.decide(this.task, new PostponeTaskException(Duration.ZERO)))
			.satisfies(postponedBy(Duration.ofSeconds(1)));
		assertThat(decision.decide(this.task, new PostponeTaskException(Duration.ofMinutes(1))))
			.satisfies(postponedBy(Duration.ofMinutes(1)));
	}

	@Test
	void taskWithoutHandlerWaitsEvenIfItsRetriesAreExhausted() {
		LeasedTask exhausted = TestMessages.leased(this.message.toBuilder().retried(5).build());
		HandlerNotFoundException error = new HandlerNotFoundException(this.message.type());
		Decision decision = withoutHandler(UnknownTypes.WAIT);
		// Another server may have the handler until it is known that none has
		Outcome waits = new Outcome.Unhandled(exhausted, "handler not found for task \"" + this.message.type() + "\"",
				Duration.ofSeconds(1), Duration.ofDays(7));
		assertThat(decision.decide(exhausted, error)).isEqualTo(waits);
		assertThat(decision.decideAlone(exhausted, error)).isEqualTo(waits);
		assertThat(decision.decide(exhausted, new IllegalStateException(error))).isInstanceOf(Outcome.Unhandled.class);
		assertThat(decision.decide(this.task, new IllegalStateException("boom"))).isInstanceOf(Outcome.Retry.class);
	}

	@Test
	void taskWaitsLongerOnceItIsKnownThatNobodyHasItsHandler() {
		MissingHandlers missing = missing(UnknownTypes.WAIT);
		missing.note(this.message.queue(), Map.of(this.message.type(), 1L));
		assertThat(missing.decide(this.task, "error"))
			.isEqualTo(new Outcome.Unhandled(this.task, "error", Duration.ofMinutes(1), Duration.ofDays(7)));
		missing.note(this.message.queue(), Map.of());
		assertThat(missing.decide(this.task, "error"))
			.isEqualTo(new Outcome.Unhandled(this.task, "error", Duration.ofSeconds(1), Duration.ofDays(7)));
	}

	@Test
	void tasksOfANewTypeAreLookedForAndAgainWhileNobodyHasItsHandler() {
		MissingHandlers missing = missing(UnknownTypes.WAIT);
		assertThat(missing.wereTaken()).isFalse();
		missing.decide(this.task, "error");
		assertThat(missing.wereTaken()).isTrue();
		missing.decide(this.task, "another server may have the handler");
		assertThat(missing.wereTaken()).isFalse();
		missing.note(this.message.queue(), Map.of(this.message.type(), 1L));
		assertThat(missing.wereTaken()).isTrue();
		missing.decide(this.task, "nobody has");
		assertThat(missing.wereTaken()).isTrue();
		missing.note(this.message.queue(), Map.of(this.message.type(), 1L));
		assertThat(missing.wereTaken()).isFalse();
	}

	@Test
	void taskWithoutHandlerIsRetriedOrArchivedOnRequest() {
		HandlerNotFoundException error = new HandlerNotFoundException(this.message.type());
		assertThat(withoutHandler(UnknownTypes.RETRY).decide(this.task, error)).isInstanceOf(Outcome.Retry.class);
		assertThat(withoutHandler(UnknownTypes.ARCHIVE).decide(this.task, error)).isInstanceOfSatisfying(
				Outcome.Archive.class, (archive) -> assertThat(archive.reason()).isEqualTo(ArchiveReason.NO_HANDLER));
	}

	@Test
	void missingHandlerOfHandlerThatExistsIsAnError() {
		TaskMux mux = new TaskMux().handle("email:", new TaskMux());
		Decision decision = new Decision(RetryDelayPolicy.exponential(), FailurePredicate.always(), mux::retry,
				new MissingHandlers(mux, ServerOptions.builder().build(), new Waker()), CancelMode.RETRY);
		assertThat(decision.decide(this.task, new HandlerNotFoundException(this.message.type())))
			.isInstanceOf(Outcome.Retry.class);
	}

	private static Decision withoutHandler(UnknownTypes mode) {
		return new Decision(RetryDelayPolicy.exponential(), FailurePredicate.always(), OTHER::retry, missing(mode),
				CancelMode.RETRY);
	}

	private static MissingHandlers missing(UnknownTypes mode) {
		return new MissingHandlers(OTHER, ServerOptions.builder().unknownTypes(mode).build(), new Waker());
	}

	private static Consumer<Outcome> postponedBy(Duration delay) {
		return (outcome) -> assertThat(((Outcome.Postpone) outcome).due().delay()).isEqualTo(delay);
	}

	private static Decision decision(RetrySettings settings) {
		return new Decision((retried, error, task) -> Duration.ofDays(1), FailurePredicate.always(),
				Map.of("email:welcome", settings)::get);
	}

	private static Decision decision(RetryDelayPolicy delay, FailurePredicate failures) {
		return new Decision(delay, failures);
	}

}
