package io.asynq.internal.worker;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;

import io.asynq.AsynqException;
import io.asynq.handler.TaskCanceledException;
import io.asynq.server.TestMessages;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

class AttemptTests {

	private final Attempt attempt = TestMessages.attempt(TestMessages.message("t1").build());

	@Test
	void abortInterruptsHandlerOnlyOnce() throws Exception {
		CountDownLatch begun = new CountDownLatch(1);
		AtomicBoolean interrupted = new AtomicBoolean();
		Thread worker = new Thread(() -> {
			this.attempt.begin();
			begun.countDown();
			try {
				new CountDownLatch(1).await();
			}
			catch (InterruptedException ex) {
				interrupted.set(true);
			}
			this.attempt.end(null);
		});
		worker.start();
		assertThat(begun.await(60, TimeUnit.SECONDS)).isTrue();
		assertThat(this.attempt.abort(new TaskCanceledException())).isTrue();
		assertThat(this.attempt.abort(new TaskCanceledException())).isFalse();
		worker.join(60_000);
		assertThat(interrupted).isTrue();
	}

	@Test
	void lateInterruptDoesNotReachNextTaskOfThread() {
		this.attempt.begin();
		this.attempt.abort(new TaskCanceledException());
		assertThat(Thread.currentThread().isInterrupted()).isTrue();
		assertThat(this.attempt.end(null)).isFalse();
		assertThat(Thread.currentThread().isInterrupted()).isFalse();
	}

	@Test
	void abortAfterReturnDoesNothing() {
		this.attempt.begin();
		assertThat(this.attempt.end(null)).isTrue();
		assertThat(this.attempt.abort(new TaskCanceledException())).isFalse();
		assertThat(Thread.currentThread().isInterrupted()).isFalse();
		assertThat(this.attempt.isCancelled()).isFalse();
	}

	@Test
	void doesNotStartAfterAbort() {
		this.attempt.abort(new TaskCanceledException());
		assertThat(this.attempt.begin()).isFalse();
	}

	@Test
	void handlerIsCalledOnce() {
		assertThat(this.attempt.begin()).isTrue();
		assertThat(this.attempt.begin()).isFalse();
	}

	@Test
	void abortInterruptsDecoratorAroundHandler() {
		this.attempt.enterDecorator();
		this.attempt.abort(new TaskCanceledException());
		assertThat(Thread.currentThread().isInterrupted()).isTrue();
		this.attempt.leaveDecorator();
		assertThat(Thread.currentThread().isInterrupted()).isFalse();
	}

	@Test
	void slotIsFreeWhenLastUserHasLeft() {
		assertThat(this.attempt.retain()).as("nobody has come yet").isFalse();
		this.attempt.start(() -> {
		});
		assertThat(this.attempt.retain()).isTrue();
		assertThat(this.attempt.release()).isFalse();
		assertThat(this.attempt.isAbandoned()).isFalse();
		assertThat(this.attempt.release()).isTrue();
		assertThat(this.attempt.isAbandoned()).isTrue();
		this.attempt.claim();
		assertThat(this.attempt.isAbandoned()).isFalse();
		assertThat(this.attempt.retain()).as("nobody comes back").isFalse();
	}

	@Test
	void rejectsResultAfterAbort() {
		assertThat(this.attempt.resultWriter().write(new byte[3])).isEqualTo(3);
		this.attempt.abort(new TaskCanceledException());
		assertThatExceptionOfType(AsynqException.class).isThrownBy(() -> this.attempt.resultWriter().write(new byte[3]))
			.withMessage("failed to write task result: context canceled");
	}

	@Test
	void outcomeIsClaimedOnceUnlessTheClaimIsGivenUp() {
		assertThat(this.attempt.claim()).isTrue();
		assertThat(this.attempt.claim()).isFalse();
		this.attempt.giveUpClaim();
		assertThat(this.attempt.claim()).isTrue();
	}

	@Test
	void isOverdueFromEndOfHandlerUntilOutcomeIsClaimed() {
		assertThat(this.attempt.isOverdue(Duration.ZERO)).isFalse();
		this.attempt.end(null);
		assertThat(this.attempt.isOverdue(Duration.ZERO)).isTrue();
		assertThat(this.attempt.isOverdue(Duration.ofDays(1))).isFalse();
		this.attempt.claim();
		assertThat(this.attempt.isOverdue(Duration.ZERO)).isFalse();
	}

	@Test
	void isOverdueOnceWhenUserCodeHangsWithoutOutcome() {
		this.attempt.end(new IllegalStateException());
		this.attempt.claim();
		this.attempt.enterPolicies();
		assertThat(this.attempt.isOverdue(Duration.ofDays(1))).isFalse();
		assertThat(this.attempt.isOverdue(Duration.ZERO)).isTrue();
		this.attempt.interruptPolicies();
		assertThat(this.attempt.isOverdue(Duration.ZERO)).isFalse();
		this.attempt.leavePolicies();
	}

	@Test
	void interruptReachesUserCodeButNothingAfterIt() {
		this.attempt.interruptPolicies();
		assertThat(Thread.currentThread().isInterrupted()).isFalse();
		this.attempt.enterPolicies();
		this.attempt.interruptPolicies();
		assertThat(Thread.currentThread().isInterrupted()).isTrue();
		this.attempt.leavePolicies();
		assertThat(Thread.currentThread().isInterrupted()).isFalse();
	}

	@Test
	void keepsDecisionAndCause() {
		Outcome outcome = new Outcome.Done(this.attempt.leased());
		IllegalStateException error = new IllegalStateException();
		this.attempt.end(error);
		this.attempt.decide(outcome);
		assertThat(this.attempt.outcome()).isSameAs(outcome);
		assertThat(this.attempt.error()).isSameAs(error);
	}

	@Test
	void decisionAfterTheClaimIsTooLate() {
		this.attempt.claim();
		this.attempt.decide(new Outcome.Done(this.attempt.leased()));
		assertThat(this.attempt.outcome()).isNull();
	}

}
