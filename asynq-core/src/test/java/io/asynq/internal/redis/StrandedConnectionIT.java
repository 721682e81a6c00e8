package io.asynq.internal.redis;

import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.LockSupport;

import io.asynq.BrokerUnavailableException;
import io.asynq.internal.broker.RedisBroker;
import io.asynq.test.RedisExtension;
import io.asynq.test.TestRedis;
import io.asynq.test.Tier;
import io.asynq.test.process.RequiresGo;
import io.asynq.test.redis.LossyProxy;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.core.task.SimpleAsyncTaskExecutor;
import org.springframework.data.redis.connection.RedisConnectionFactory;
import org.springframework.data.redis.connection.RedisStandaloneConfiguration;
import org.springframework.data.redis.connection.jedis.JedisConnectionFactory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * A connection that stays open though no data arrives any more: reading reports no error,
 * and a subscription would wait forever.
 */
@RequiresGo
@ExtendWith(RedisExtension.class)
class StrandedConnectionIT {

	private static final Duration NOTICED = Duration.ofSeconds(12);

	/** A probe that is not answered within three seconds ends a subscription. */
	private static final Duration PROBED = Tier.choose(Duration.ofSeconds(6), NOTICED);

	private final CountDownLatch ready = new CountDownLatch(1);

	private final LossyProxy relay;

	private final JedisConnectionFactory jedis;

	StrandedConnectionIT(TestRedis redis) {
		this.relay = LossyProxy.start(redis.port());
		this.jedis = new JedisConnectionFactory(new RedisStandaloneConfiguration(redis.host(), this.relay.port()));
		this.jedis.afterPropertiesSet();
		this.jedis.start();
	}

	@AfterEach
	void close() {
		this.jedis.destroy();
		this.relay.close();
	}

	@Test
	void cancellationSubscriptionEnds() throws Exception {
		endsWhenStranded(broker(this.jedis).cancellations().subscribe(this.ready::countDown, (id) -> {
		}));
	}

	@Test
	void arrivalSubscriptionEnds() throws Exception {
		endsWhenStranded(broker(this.jedis).arrivals()
			.subscribe(List.of("default"), new HeardArrivals((event) -> this.ready.countDown())));
	}

	@Test
	@Tag("slow")
	void idleHealthySubscriptionContinues() {
		// Any of them: it also ends when the machine stands still for as long as a probe
		// waits
		await().atMost(Duration.ofMinutes(4)).untilAsserted(() -> {
			CountDownLatch subscribed = new CountDownLatch(1);
			Subscription subscription = broker(this.jedis).cancellations().subscribe(subscribed::countDown, (id) -> {
			});
			CompletableFuture<Void> listening = listen(subscription);
			assertThat(subscribed.await(60, TimeUnit.SECONDS)).isTrue();
			assertThat(listening).failsWithin(PROBED).withThrowableOfType(TimeoutException.class);
			subscription.close();
			assertThat(listening).succeedsWithin(Duration.ofSeconds(60));
		});
	}

	@Test
	@Tag("full")
	void subscriptionWhoseMessagesPileUpContinues() throws Exception {
		// Longer than two probes of which the second waits behind the messages
		int messages = 500;
		CountDownLatch handled = new CountDownLatch(messages);
		RedisBroker broker = broker(this.jedis);
		Subscription subscription = broker.cancellations().subscribe(this.ready::countDown, (id) -> {
			LockSupport.parkNanos(Duration.ofMillis(25).toNanos());
			handled.countDown();
		});
		CompletableFuture<Void> listening = listen(subscription);
		assertThat(this.ready.await(60, TimeUnit.SECONDS)).isTrue();
		for (int i = 0; i < messages; i++) {
			broker.cancellations().cancel("t" + i);
		}
		assertThat(CompletableFuture.anyOf(listening, CompletableFuture.runAsync(() -> awaitAll(handled))))
			.succeedsWithin(Duration.ofSeconds(120));
		assertThat(handled.getCount()).isZero();
		subscription.close();
		assertThat(listening).succeedsWithin(Duration.ofSeconds(60));
	}

	private static void awaitAll(CountDownLatch latch) {
		try {
			latch.await();
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
		}
	}

	private void endsWhenStranded(Subscription subscription) throws Exception {
		CompletableFuture<Void> listening = listen(subscription);
		assertThat(this.ready.await(60, TimeUnit.SECONDS)).isTrue();
		this.relay.strand();
		assertThat(listening).failsWithin(NOTICED)
			.withThrowableThat()
			.withCauseInstanceOf(BrokerUnavailableException.class)
			.withMessageContaining("received nothing more");
	}

	private static CompletableFuture<Void> listen(Subscription subscription) {
		// The common pool may have a single thread, which listening would block
		return CompletableFuture.runAsync(subscription::listen, new SimpleAsyncTaskExecutor("listening-"));
	}

	private static RedisBroker broker(RedisConnectionFactory factory) {
		return new RedisBroker(factory, Clock.systemUTC(), RedisBroker.DEFAULT_LEASE_DURATION, (task) -> {
		});
	}

}
