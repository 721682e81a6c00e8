package io.asynq.broker.redis;

import java.time.Clock;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;

import io.asynq.broker.ArrivalListener;
import io.asynq.broker.Subscription;
import io.asynq.test.RedisExtension;
import io.asynq.test.TestRedis;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import org.springframework.data.redis.connection.jedis.JedisConnectionFactory;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * A Redis that keeps its connections open but does not answer, like a stopped process or
 * a broken network.
 */
class HangingRedisIT {

	private final CountDownLatch ready = new CountDownLatch(1);

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
		closesWhileRedisHangs(this.broker.signals().subscribeToCancellations(this.ready::countDown, (id) -> {
		}));
	}

	@Test
	void closingEndsArrivalSubscription() throws Exception {
		closesWhileRedisHangs(this.broker.signals().subscribeToArrivals(List.of("default"), new ArrivalListener() {

			@Override
			public void onReady() {
				HangingRedisIT.this.ready.countDown();
			}

			@Override
			public void onPending(String queue) {
			}

			@Override
			public void onDelayed(String queue) {
			}

		}));
	}

	private void closesWhileRedisHangs(Subscription subscription) throws Exception {
		FutureTask<Void> listening = new FutureTask<>(subscription::listen, null);
		Thread thread = new Thread(listening, "listening");
		thread.setDaemon(true);
		thread.start();
		assertThat(this.ready.await(60, TimeUnit.SECONDS)).isTrue();
		this.redis.node().pause();
		subscription.close();
		listening.get(1900, TimeUnit.MILLISECONDS);
	}

}
