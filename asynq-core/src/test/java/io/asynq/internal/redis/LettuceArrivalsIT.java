package io.asynq.internal.redis;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

import io.asynq.BrokerException;
import io.asynq.BrokerUnavailableException;
import io.asynq.internal.broker.RedisBroker;
import io.asynq.internal.worker.ArrivalSubscription;
import io.asynq.test.AclRule;
import io.asynq.test.LettuceRedisExtension;
import io.asynq.test.TestRedis;
import io.asynq.test.process.RequiresGo;
import io.asynq.test.redis.LossyProxy;
import io.lettuce.core.ClientOptions;
import io.lettuce.core.protocol.ProtocolVersion;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.core.task.SimpleAsyncTaskExecutor;
import org.springframework.data.redis.connection.RedisConnectionFactory;
import org.springframework.data.redis.connection.RedisStandaloneConfiguration;
import org.springframework.data.redis.connection.lettuce.LettuceClientConfiguration;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;
import org.springframework.data.redis.core.types.RedisClientInfo;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * How arrivals are reported over Lettuce.
 */
@ExtendWith(LettuceRedisExtension.class)
@Timeout(300)
class LettuceArrivalsIT {

	private static final Executor THREADS = new SimpleAsyncTaskExecutor("listening-");

	private static final Duration PATIENCE = Duration.ofSeconds(60);

	private final BlockingQueue<String> events = new LinkedBlockingQueue<>();

	private final RedisConnectionFactory factory;

	private final RedisState state;

	private final List<LettuceConnectionFactory> more = new ArrayList<>();

	private ArrivalSubscription subscription;

	private CompletableFuture<Void> listening;

	LettuceArrivalsIT(RedisConnectionFactory factory) {
		this.factory = factory;
		this.state = new RedisState(factory);
	}

	@BeforeEach
	void setUp() {
		listen(this.factory);
	}

	@AfterEach
	void close() {
		this.subscription.close();
		await().until(this.listening::isDone);
		this.more.forEach(LettuceConnectionFactory::destroy);
	}

	@Test
	void watchedQueueIsReportedOnce() throws Exception {
		awaitReady();
		assertThat(this.subscription.watchPending(List.of("a", "b"))).isEmpty();
		push("asynq:{b}:pending");
		push("asynq:{b}:pending");
		push("asynq:{c}:pending");
		this.state.redis().opsForValue().set("asynq:{a}:paused", "1");
		assertThat(next()).isEqualTo("pending b");
		assertThat(next()).isEqualTo("pending a");
		assertThat(this.subscription.watchPending(List.of("a", "b"))).containsExactly("b");
		this.state.redis().delete("asynq:{a}:paused");
		assertThat(next()).isEqualTo("pending a");
	}

	@Test
	void scheduledAndRetryTasksAreReportedAsDelayed() throws Exception {
		awaitReady();
		this.subscription.watchDelayed(List.of("a", "b"));
		this.state.seedScheduled(Instant.now(), RedisState.message("a", "t1").build());
		assertThat(next()).isEqualTo("delayed a");
		this.state.seedRetry(Instant.now(), RedisState.message("b", "t2").build());
		assertThat(next()).isEqualTo("delayed b");
	}

	@Test
	void flushIsReportedForEveryQueue() throws Exception {
		awaitReady();
		this.subscription.watchPending(List.of("a"));
		this.state.redis().execute((connection) -> {
			connection.serverCommands().flushDb();
			return null;
		}, true);
		await().until(() -> this.events.containsAll(List.of("pending a", "delayed a", "pending b", "delayed b")));
	}

	@Test
	void killedConnectionEndsSubscription() throws Exception {
		awaitReady();
		this.subscription.watchPending(List.of("a"));
		killWatching();
		assertThat(this.listening).failsWithin(PATIENCE)
			.withThrowableThat()
			.withCauseInstanceOf(BrokerUnavailableException.class)
			.withMessageContaining("has ended");
	}

	@Test
	void closingReleasesTheConnection() throws Exception {
		awaitReady();
		// That of a test before may still be listed
		await().until(() -> watching().size() == 1);
		this.subscription.close();
		assertThat(this.listening).succeedsWithin(PATIENCE);
		await().until(() -> watching().isEmpty());
	}

	@Test
	@RequiresGo
	void strandedConnectionIsDoubtedAndGivenUp() throws Exception {
		TestRedis redis = TestRedis.shared();
		try (LossyProxy relay = LossyProxy.start(redis.port())) {
			LettuceConnectionFactory through = (LettuceConnectionFactory) relay.connectionsLike(this.factory);
			this.more.add(through);
			close(through);
			awaitReady();
			relay.strand();
			assertThat(next()).startsWith("pending ");
			assertThat(this.listening).failsWithin(PATIENCE)
				.withThrowableThat()
				.withCauseInstanceOf(BrokerUnavailableException.class)
				.withMessageContaining("received nothing more");
		}
	}

	@Test
	void overResp2QueuesArePolled() {
		close(started(new LettuceConnectionFactory(address(),
				LettuceClientConfiguration.builder()
					.clientOptions(ClientOptions.builder().protocolVersion(ProtocolVersion.RESP2).build())
					.build())));
		assertThat(this.listening).failsWithin(PATIENCE)
			.withThrowableThat()
			.withCauseExactlyInstanceOf(BrokerException.class)
			.withMessageContaining("only with RESP3");
	}

	@Test
	void withoutRightToTrackQueuesArePolled() {
		List<String> rights = new ArrayList<>(AclRule.documented());
		rights.remove("+client|tracking");
		AclRule.grant(this.factory, rights);
		RedisStandaloneConfiguration user = address();
		user.setUsername(AclRule.USER);
		user.setPassword(AclRule.PASSWORD);
		close(started(new LettuceConnectionFactory(user)));
		assertThat(this.listening).failsWithin(PATIENCE)
			.withThrowableThat()
			.withCauseExactlyInstanceOf(BrokerException.class)
			.withMessageContaining("CLIENT TRACKING")
			.withMessageContaining("docs/security.md");
	}

	/** Closes the subscription and listens over other connections. */
	private void close(RedisConnectionFactory other) {
		this.subscription.close();
		await().until(this.listening::isDone);
		this.events.clear();
		listen(other);
	}

	private void listen(RedisConnectionFactory over) {
		RedisBroker broker = new RedisBroker(over, Clock.systemUTC(), RedisBroker.DEFAULT_LEASE_DURATION, (task) -> {
		});
		this.subscription = broker.arrivals().subscribe(List.of("a", "b"), new HeardArrivals(this.events::add));
		this.listening = CompletableFuture.runAsync(this.subscription::listen, THREADS);
	}

	private void awaitReady() throws InterruptedException {
		assertThat(next()).isEqualTo("ready");
	}

	private List<RedisClientInfo> watching() {
		return this.state.redis()
			.execute((connection) -> connection.serverCommands().getClientList(), true)
			.stream()
			.filter((client) -> "t".equals(client.get("flags")))
			.toList();
	}

	private void killWatching() {
		// That of a test before may still be listed
		await().until(() -> watching().size() == 1);
		RedisClientInfo client = watching().get(0);
		String[] address = client.getAddressPort().split(":");
		this.state.redis().execute((connection) -> {
			connection.serverCommands().killClient(address[0], Integer.parseInt(address[1]));
			return null;
		}, true);
	}

	private LettuceConnectionFactory started(LettuceConnectionFactory made) {
		made.afterPropertiesSet();
		made.start();
		this.more.add(made);
		return made;
	}

	private static RedisStandaloneConfiguration address() {
		return new RedisStandaloneConfiguration(TestRedis.shared().host(), TestRedis.shared().port());
	}

	private void push(String key) {
		this.state.redis().opsForList().leftPush(key, "t1");
	}

	private String next() throws InterruptedException {
		return this.events.poll(60, TimeUnit.SECONDS);
	}

}
