package io.asynq.internal.worker;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;

import io.asynq.FailurePredicate;
import io.asynq.server.TestMessages;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.springframework.core.task.AsyncTaskExecutor;
import org.springframework.core.task.SimpleAsyncTaskExecutor;

import static org.assertj.core.api.Assertions.assertThat;

@Timeout(60)
class RecoveryDecisionTests {

	/** The common pool may have a single thread, which a waiting task would block. */
	private static final AsyncTaskExecutor THREADS = new SimpleAsyncTaskExecutor("test-");

	private static final Duration LONG = Duration.ofDays(1);

	private final List<LeasedTask> tasks = List.of(TestMessages.leased(TestMessages.message("t1").build()),
			TestMessages.leased(TestMessages.message("t2").build()));

	private final AtomicInteger asked = new AtomicInteger();

	private final AtomicReference<Thread> asking = new AtomicReference<>();

	private final CountDownLatch hanging = new CountDownLatch(1);

	@Test
	void policyIsNotCalledForAWhileAfterInterrupt() throws Exception {
		RecoveryDecision decision = hangingAt(1, Duration.ofMillis(100));
		assertThat(decision.decide(this.tasks)).extracting((outcome) -> outcome.message().id())
			.containsExactly("t1", "t2");
		this.asking.get().join();
		assertThat(decision.decide(this.tasks)).hasSize(2);
		assertThat(this.asked).hasValue(1);
	}

	@Test
	void undecidedTaskIsLeftToOthersAtStop() throws Exception {
		RecoveryDecision decision = hangingAt(2, LONG);
		CompletableFuture<List<Outcome>> outcomes = CompletableFuture.supplyAsync(() -> decision.decide(this.tasks),
				THREADS);
		assertThat(this.hanging.await(60, TimeUnit.SECONDS)).isTrue();
		decision.end();
		assertThat(outcomes.get(60, TimeUnit.SECONDS)).extracting((outcome) -> outcome.message().id())
			.containsExactly("t1");
		this.asking.get().join();
	}

	@Test
	void policyIsNotCalledBetweenStopAndStart() {
		RecoveryDecision decision = hangingAt(Integer.MAX_VALUE, LONG);
		decision.end();
		assertThat(decision.decide(this.tasks)).isEmpty();
		assertThat(this.asked).hasValue(0);
		decision.start();
		assertThat(decision.decide(this.tasks)).hasSize(2);
		assertThat(this.asked).hasValue(2);
	}

	private RecoveryDecision hangingAt(int call, Duration patience) {
		return new RecoveryDecision(new Decision((retried, error, task) -> {
			this.asking.set(Thread.currentThread());
			if (this.asked.incrementAndGet() == call) {
				hang();
			}
			return LONG;
		}, FailurePredicate.always()), patience);
	}

	private void hang() {
		this.hanging.countDown();
		try {
			new CountDownLatch(1).await();
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
		}
	}

}
