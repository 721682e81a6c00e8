package io.asynq.internal.redis;

import java.time.Duration;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executor;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;

import org.junit.jupiter.api.Test;
import org.springframework.core.task.SimpleAsyncTaskExecutor;
import org.springframework.data.redis.connection.RedisConnectionFactory;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * How cancellations are delivered.
 */
@OnDrivers
class CancelContract extends BrokerContract {

	/** The common pool may have a single thread, which listening would block. */
	private static final Executor THREADS = new SimpleAsyncTaskExecutor("listening-");

	CancelContract(RedisConnectionFactory factory) {
		super(factory);
	}

	@Test
	void cancellationReachesListenersUntilClosed() throws Exception {
		CountDownLatch ready = new CountDownLatch(1);
		BlockingQueue<String> cancelled = new LinkedBlockingQueue<>();
		Subscription subscription = this.broker.cancellations().subscribe(ready::countDown, cancelled::add);
		CompletableFuture<Void> listening = CompletableFuture.runAsync(subscription::listen, THREADS);
		assertThat(ready.await(60, TimeUnit.SECONDS)).isTrue();
		this.broker.cancellations().cancel("task-1");
		assertThat(cancelled.poll(60, TimeUnit.SECONDS)).isEqualTo("task-1");
		subscription.close();
		assertThat(listening).succeedsWithin(Duration.ofSeconds(60));
	}

	@Test
	void subscriptionClosedBeforeListeningReturnsAtOnce() {
		Subscription subscription = this.broker.cancellations().subscribe(() -> {
		}, (id) -> {
		});
		subscription.close();
		assertThat(CompletableFuture.runAsync(subscription::listen, THREADS)).succeedsWithin(Duration.ofSeconds(60));
	}

	@Test
	void subscriptionClosedWhileStartingToListenReturns() {
		for (int i = 0; i < 30; i++) {
			Subscription subscription = this.broker.cancellations().subscribe(() -> {
			}, (id) -> {
			});
			CompletableFuture<Void> listening = CompletableFuture.runAsync(subscription::listen, THREADS);
			subscription.close();
			assertThat(listening).as("round %d", i).succeedsWithin(Duration.ofSeconds(60));
		}
	}

	@Test
	void closingLeavesNoConnectionOutOfSync() throws Exception {
		for (int i = 0; i < 100; i++) {
			CountDownLatch ready = new CountDownLatch(1);
			Subscription subscription = this.broker.cancellations().subscribe(ready::countDown, (id) -> {
			});
			CompletableFuture<Void> listening = CompletableFuture.runAsync(subscription::listen, THREADS);
			assertThat(ready.await(60, TimeUnit.SECONDS)).isTrue();
			subscription.close();
			assertThat(listening).succeedsWithin(Duration.ofSeconds(60));
			this.state.redis().opsForValue().set("round", "value" + i);
			assertThat(this.state.redis().opsForValue().get("round")).isEqualTo("value" + i);
		}
	}

	@Test
	void closingSubscriptionsDoesNotMixUpAnswersOfOthers() throws Exception {
		this.state.redis().opsForValue().set("steady", "value");
		AtomicBoolean done = new AtomicBoolean();
		CompletableFuture<Void> reading = CompletableFuture.runAsync(() -> {
			while (!done.get()) {
				assertThat(this.state.redis().opsForValue().get("steady")).isEqualTo("value");
			}
		}, THREADS);
		try {
			for (int i = 0; i < 200; i++) {
				CountDownLatch ready = new CountDownLatch(1);
				Subscription subscription = this.broker.cancellations().subscribe(ready::countDown, (id) -> {
				});
				CompletableFuture<Void> listening = CompletableFuture.runAsync(subscription::listen, THREADS);
				assertThat(ready.await(60, TimeUnit.SECONDS)).as("round %d", i).isTrue();
				subscription.close();
				assertThat(listening).as("round %d", i).succeedsWithin(Duration.ofSeconds(60));
			}
		}
		finally {
			done.set(true);
		}
		assertThat(reading).succeedsWithin(Duration.ofSeconds(60));
	}

}
