package io.asynq.broker.redis;

import java.io.IOException;
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
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import redis.clients.jedis.Jedis;

import org.springframework.data.redis.connection.jedis.JedisConnectionFactory;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * A Redis that keeps its connections but answers nothing, as a stopped process or a
 * broken network does.
 */
class HangingRedisIT {

	private final CountDownLatch ready = new CountDownLatch(1);

	private final TestRedis redis = TestRedis.startOwn();

	private final JedisConnectionFactory factory = RedisExtension.connectionFactory(this.redis);

	private final RedisBroker broker = new RedisBroker(this.factory, Clock.systemUTC(),
			RedisBroker.DEFAULT_LEASE_DURATION, (task) -> {
			});

	private String pid = "";

	@BeforeEach
	void findProcess() {
		try (Jedis jedis = new Jedis(this.redis.host(), this.redis.port())) {
			this.pid = jedis.info("server")
				.lines()
				.filter((line) -> line.startsWith("process_id:"))
				.findFirst()
				.orElseThrow()
				.substring("process_id:".length())
				.trim();
		}
	}

	@AfterEach
	void stop() throws Exception {
		signal("CONT");
		this.factory.destroy();
		this.redis.stop();
	}

	@Test
	void closingEndsListeningForCancellations() throws Exception {
		closesWhileRedisHangs(this.broker.cancellations().subscribe(this.ready::countDown, (id) -> {
		}));
	}

	@Test
	void closingEndsListeningForArrivals() throws Exception {
		closesWhileRedisHangs(this.broker.arrivals().subscribe(List.of("default"), new ArrivalListener() {

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
		signal("STOP");
		subscription.close();
		listening.get(500, TimeUnit.MILLISECONDS);
	}

	private void signal(String name) throws IOException, InterruptedException {
		assertThat(new ProcessBuilder("kill", "-" + name, this.pid).start().waitFor()).isZero();
	}

}
