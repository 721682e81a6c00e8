package io.asynq.internal.redis;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

import io.asynq.internal.worker.ArrivalSubscription;
import io.asynq.test.TestRedisCluster;
import io.asynq.test.redis.ClusterRedis;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.springframework.core.task.SimpleAsyncTaskExecutor;
import org.springframework.data.redis.connection.RedisConnectionFactory;
import redis.clients.jedis.Jedis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * How the masters of a cluster report arrivals. Queues a and d lie on one master, b on
 * another.
 */
@OnDrivers({ Driver.CLUSTER, Driver.LETTUCE_CLUSTER })
@Timeout(300)
class ClusterArrivalsContract extends BrokerContract {

	private static final Executor THREADS = new SimpleAsyncTaskExecutor("listening-");

	private static final List<String> QUEUES = List.of("a", "b", "d");

	private final BlockingQueue<String> events = new LinkedBlockingQueue<>();

	private final List<ArrivalSubscription> subscriptions = new ArrayList<>();

	private final List<CompletableFuture<Void>> listening = new ArrayList<>();

	ClusterArrivalsContract(RedisConnectionFactory factory) {
		super(factory);
	}

	@AfterEach
	void close() {
		this.subscriptions.forEach(ArrivalSubscription::close);
		await().until(() -> this.listening.stream().allMatch(CompletableFuture::isDone));
	}

	@Test
	void eachMasterReportsArrivalsInItsQueuesOnce() throws Exception {
		ArrivalSubscription first = listenTo(master("a"));
		ArrivalSubscription second = listenTo(master("b"));
		push("d");
		assertThat(first.watchPending(List.of("a", "d"))).containsExactly("d");
		assertThat(second.watchPending(List.of("b"))).isEmpty();
		push("a");
		push("a");
		push("b");
		assertThat(List.of(next(), next())).containsExactlyInAnyOrder("pending a", "pending b");
		this.state.redis().opsForValue().set("asynq:{d}:paused", "1");
		assertThat(next()).isEqualTo("pending d");
	}

	@Test
	void scheduledAndRetryTasksAreReportedAsDelayed() throws Exception {
		ArrivalSubscription subscription = listenTo(master("a"));
		subscription.watchDelayed(List.of("a", "d"));
		this.state.seedScheduled(Instant.now(), RedisState.message("a", "t1").build());
		assertThat(next()).isEqualTo("delayed a");
		this.state.seedRetry(Instant.now(), RedisState.message("d", "t2").build());
		assertThat(next()).isEqualTo("delayed d");
	}

	@Test
	void readOfQueueThatAnotherMasterServesLeadsThere() throws Exception {
		ArrivalSubscription subscription = listenTo(master("a"));
		assertThat(subscription.watchPending(List.of("b", "a"))).isEmpty();
		assertThat(next()).isEqualTo("moved b to " + master("b"));
		push("a");
		assertThat(next()).isEqualTo("pending a");
	}

	/** A key that does not exist yet is then written at the other master. */
	@Test
	void queueWhoseSlotIsOnItsWayIsReportedWithoutARead() throws Exception {
		int slot = ClusterRedis.slotOfQueue("a");
		ArrivalSubscription subscription = listenTo(master("a"));
		try (Jedis source = TestRedisCluster.shared().connectToNodeOf(slot);
				Jedis target = TestRedisCluster.shared().connectToNodeOf(ClusterRedis.slotOfQueue("b"))) {
			assertThat(subscription.watchPending(List.of("a", "d"))).isEmpty();
			source.clusterSetSlotMigrating(slot, target.clusterMyId());
			try {
				assertThat(next()).isEqualTo("moved a to null");
				assertThat(subscription.watchPending(List.of("a"))).isEmpty();
				assertThat(next()).as("the read").isEqualTo("moved a to null");
			}
			finally {
				source.clusterSetSlotStable(slot);
			}
		}
		push("d");
		assertThat(next()).isEqualTo("pending d");
	}

	@Test
	void connectionsAreClosed() throws Exception {
		ArrivalSubscription subscription = listenTo(master("a"));
		subscription.watchPending(List.of("a"));
		try (Jedis node = TestRedisCluster.shared().connectToNodeOf(ClusterRedis.slotOfQueue("a"))) {
			await().until(() -> isTracked(node));
			subscription.close();
			await().until(() -> !isTracked(node));
		}
	}

	private ArrivalSubscription listenTo(String master) throws InterruptedException {
		ArrivalSubscription subscription = this.broker.arrivals()
			.at(master)
			.subscribe(QUEUES, new HeardArrivals(this.events::add));
		this.subscriptions.add(subscription);
		this.listening.add(CompletableFuture.runAsync(subscription::listen, THREADS));
		assertThat(next()).isEqualTo("ready");
		return subscription;
	}

	private static boolean isTracked(Jedis node) {
		return node.clientList().lines().anyMatch((line) -> line.contains(" flags=t ") || line.contains(" flags=P "));
	}

	private String master(String queue) {
		return this.broker.servers().masters(List.of(queue)).get(queue);
	}

	private void push(String queue) {
		this.state.redis().opsForList().leftPush("asynq:{" + queue + "}:pending", "t1");
	}

	private String next() throws InterruptedException {
		return this.events.poll(60, TimeUnit.SECONDS);
	}

}
