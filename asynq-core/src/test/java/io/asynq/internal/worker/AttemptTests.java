package io.asynq.internal.worker;

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
		this.attempt.arrive();
		this.attempt.abort(new TaskCanceledException());
		assertThat(Thread.currentThread().isInterrupted()).isTrue();
		this.attempt.depart();
		assertThat(Thread.currentThread().isInterrupted()).isFalse();
	}

	@Test
	void slotIsFreeWhenLastUserHasLeft() {
		assertThat(this.attempt.join()).as("nobody has come yet").isFalse();
		this.attempt.occupy(() -> {
		});
		assertThat(this.attempt.join()).isTrue();
		assertThat(this.attempt.leave()).isFalse();
		assertThat(this.attempt.isAbandoned()).isFalse();
		assertThat(this.attempt.leave()).isTrue();
		assertThat(this.attempt.isAbandoned()).isTrue();
		this.attempt.conclusion().take();
		assertThat(this.attempt.isAbandoned()).isFalse();
		assertThat(this.attempt.join()).as("nobody comes back").isFalse();
	}

	@Test
	void rejectsResultAfterAbort() {
		assertThat(this.attempt.resultWriter().write(new byte[3])).isEqualTo(3);
		this.attempt.abort(new TaskCanceledException());
		assertThatExceptionOfType(AsynqException.class).isThrownBy(() -> this.attempt.resultWriter().write(new byte[3]))
			.withMessage("failed to write task result: context canceled");
	}

}
