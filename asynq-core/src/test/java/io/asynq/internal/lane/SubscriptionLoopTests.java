package io.asynq.internal.lane;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;

import io.asynq.internal.redis.Subscription;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.springframework.core.task.AsyncTaskExecutor;
import org.springframework.core.task.SimpleAsyncTaskExecutor;

import static org.assertj.core.api.Assertions.assertThat;

@Timeout(300)
class SubscriptionLoopTests {

	/** The common pool may have a single thread, which a waiting task would block. */
	private static final AsyncTaskExecutor THREADS = new SimpleAsyncTaskExecutor("test-");

	private final SubscriptionLoop loop = new SubscriptionLoop();

	@Test
	void listenerStopsWhileClosingCallHangs() throws Exception {
		Listening subscription = new Listening();
		this.loop.open();
		CompletableFuture<Void> listener = CompletableFuture.runAsync(() -> this.loop.listen(subscription), THREADS);
		subscription.listened.await();
		CompletableFuture<Void> closer = CompletableFuture.runAsync(this.loop::close, THREADS);
		subscription.closed.await();
		// The listener ends before the thread that closes
		listener.get();
		assertThat(closer).isNotDone();
		subscription.answer.countDown();
		closer.get();
	}

	@Test
	void closesSubscriptionOfAbandonedLoop() throws Exception {
		Listening left = new Listening();
		Listening present = new Listening();
		left.answer.countDown();
		present.answer.countDown();
		this.loop.open();
		CompletableFuture<Void> first = CompletableFuture.runAsync(() -> this.loop.listen(left), THREADS);
		left.listened.await();
		CompletableFuture<Void> second = CompletableFuture.runAsync(() -> this.loop.listen(present), THREADS);
		present.listened.await();
		this.loop.close();
		first.get();
		second.get();
		this.loop.listen(new Listening());
	}

	private static final class Listening implements Subscription {

		private final CountDownLatch listened = new CountDownLatch(1);

		private final CountDownLatch closed = new CountDownLatch(1);

		private final CountDownLatch answer = new CountDownLatch(1);

		@Override
		public void listen() {
			this.listened.countDown();
			await(this.closed);
		}

		@Override
		public void close() {
			this.closed.countDown();
			await(this.answer);
		}

		private static void await(CountDownLatch latch) {
			try {
				latch.await();
			}
			catch (InterruptedException ex) {
				throw new IllegalStateException(ex);
			}
		}

	}

}
