package io.asynq.internal.redis;

import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.FutureTask;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

import io.asynq.internal.broker.RedisBroker;
import io.asynq.test.RedisExtension;
import io.asynq.test.TestRedis;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.springframework.data.redis.connection.jedis.JedisConnectionFactory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * A Redis that keeps its connections open but does not answer, like a stopped process or
 * a broken network.
 */
class HangingRedisIT {

	private final Semaphore ready = new Semaphore(0);

	private final TestRedis redis = TestRedis.startOwn();

	private final JedisConnectionFactory factory = RedisExtension.connectionFactory(this.redis);

	private final RedisBroker broker = new RedisBroker(this.factory, Clock.systemUTC(),
			RedisBroker.DEFAULT_LEASE_DURATION, (task) -> {
			});

	@AfterEach
	void stop() {
		this.redis.node().resume();
		this.factory.destroy();
		this.redis.stop();
	}

	@Test
	void closingEndsCancellationSubscription() throws Exception {
		closesWhileRedisHangs(() -> this.broker.cancellations().subscribe(this.ready::release, (id) -> {
		}));
	}

	@Test
	void closingEndsArrivalSubscription() throws Exception {
		closesWhileRedisHangs(
				() -> this.broker.arrivals().subscribe(List.of("default"), new HeardArrivals(this::readied)));
	}

	private void readied(String event) {
		if (event.equals("ready")) {
			this.ready.release();
		}
	}

	/**
	 * Any of them: a machine under load may stand still meanwhile.
	 */
	private void closesWhileRedisHangs(Supplier<Subscription> subscribe) {
		await().untilAsserted(() -> assertThat(timeToClose(subscribe.get())).as("not only by the probe, after 3 s")
			.isLessThan(Duration.ofMillis(1900)));
	}

	private Duration timeToClose(Subscription subscription) throws Exception {
		FutureTask<Void> listening = new FutureTask<>(subscription::listen, null);
		Thread thread = new Thread(listening, "listening");
		thread.setDaemon(true);
		thread.start();
		assertThat(this.ready.tryAcquire(60, TimeUnit.SECONDS)).isTrue();
		this.redis.node().pause();
		try {
			long begin = System.nanoTime();
			subscription.close();
			listening.get(60, TimeUnit.SECONDS);
			return Duration.ofNanos(System.nanoTime() - begin);
		}
		finally {
			this.redis.node().resume();
		}
	}

}
