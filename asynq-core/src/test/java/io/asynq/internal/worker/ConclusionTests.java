package io.asynq.internal.worker;

import java.time.Duration;

import io.asynq.server.TestMessages;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class ConclusionTests {

	private final Conclusion conclusion = new Conclusion();

	@Test
	void outcomeIsTakenOnceUnlessReturned() {
		assertThat(this.conclusion.take()).isTrue();
		assertThat(this.conclusion.take()).isFalse();
		this.conclusion.giveBack();
		assertThat(this.conclusion.take()).isTrue();
	}

	@Test
	void isOverdueFromEndOfHandlerUntilOutcomeIsTaken() {
		assertThat(this.conclusion.isOverdue(Duration.ZERO)).isFalse();
		this.conclusion.begin(null);
		assertThat(this.conclusion.isOverdue(Duration.ZERO)).isTrue();
		assertThat(this.conclusion.isOverdue(Duration.ofDays(1))).isFalse();
		this.conclusion.take();
		assertThat(this.conclusion.isOverdue(Duration.ZERO)).isFalse();
	}

	@Test
	void isOverdueOnceWhenUserCodeHangsWithoutOutcome() {
		this.conclusion.begin(new IllegalStateException());
		this.conclusion.take();
		this.conclusion.enter();
		assertThat(this.conclusion.isOverdue(Duration.ofDays(1))).isFalse();
		assertThat(this.conclusion.isOverdue(Duration.ZERO)).isTrue();
		this.conclusion.interrupt();
		assertThat(this.conclusion.isOverdue(Duration.ZERO)).isFalse();
		this.conclusion.leave();
	}

	@Test
	void interruptReachesUserCodeButNothingAfterIt() {
		this.conclusion.interrupt();
		assertThat(Thread.currentThread().isInterrupted()).isFalse();
		this.conclusion.enter();
		this.conclusion.interrupt();
		assertThat(Thread.currentThread().isInterrupted()).isTrue();
		this.conclusion.leave();
		assertThat(Thread.currentThread().isInterrupted()).isFalse();
	}

	@Test
	void keepsDecisionAndCause() {
		Outcome outcome = new Outcome.Done(TestMessages.leased(TestMessages.message("t1").build()));
		IllegalStateException error = new IllegalStateException();
		this.conclusion.begin(error);
		this.conclusion.decide(outcome);
		assertThat(this.conclusion.decided()).isSameAs(outcome);
		assertThat(this.conclusion.error()).isSameAs(error);
	}

}
