package io.asynq.server;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import io.asynq.internal.redis.RedisState;
import io.asynq.test.AclRule;
import io.asynq.test.redis.ClusterRedis;
import io.asynq.test.redis.Driver;
import io.asynq.test.redis.RedisNode;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.DisposableBean;
import org.springframework.data.redis.connection.RedisClusterConfiguration;
import org.springframework.data.redis.connection.RedisConnectionFactory;
import org.springframework.data.redis.connection.jedis.JedisConnectionFactory;
import org.springframework.data.redis.connection.lettuce.LettuceClientConfiguration;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;
import redis.clients.jedis.args.ClientType;
import redis.clients.jedis.params.ClientKillParams;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * A server on a cluster follows its queues: it is woken though it polls only every five
 * minutes, and though masters change meanwhile.
 */
@Tag("full")
@Timeout(600)
class FollowedQueuesIT {

	/** One for each master. */
	private static final List<String> QUEUES = List.of("a", "b", "c");

	private static final int KEYS = 4;

	/** Lettuce's own is a minute, for which a call to a dead master waits. */
	private static final Duration TIMEOUT = Duration.ofSeconds(2);

	private static final Duration LONG = Duration.ofMinutes(2);

	private final ClusterRedis redis = ClusterRedis.start();

	private final BlockingQueue<String> handled = new LinkedBlockingQueue<>();

	private final Logger logger = (Logger) LoggerFactory.getLogger("io.asynq.internal.arrival.MasterWatch");

	private final ListAppender<ILoggingEvent> logged = new ListAppender<>();

	private final List<DisposableBean> factories = new ArrayList<>();

	private Duration interval = Duration.ofMinutes(5);

	@AfterEach
	void stop() throws Exception {
		this.logger.detachAppender(this.logged);
		this.logger.setLevel(null);
		for (DisposableBean factory : this.factories) {
			factory.destroy();
		}
		this.redis.close();
	}

	@ParameterizedTest
	@EnumSource
	void movedQueueIsLookedAtAndWatchedByItsNewMaster(Driver driver) throws Exception {
		try (TestServer server = start(connect(driver))) {
			awaitWatched("a", KEYS);
			this.redis.moveSlot(ClusterRedis.slotOfQueue("a"), new Random(1));
			enqueue(server, "a", "t1");
			awaitWatched("a", 2 * KEYS);
			enqueue(server, "a", "t2");
		}
	}

	@ParameterizedTest
	@EnumSource
	void queueIsFollowedToPromotedReplica(Driver driver) throws Exception {
		try (TestServer server = start(connect(driver))) {
			awaitWatched("a", KEYS);
			this.redis.killMaster(ClusterRedis.slotOfQueue("a"));
			enqueue(server, "a", "t1");
			awaitWatched("a", KEYS);
			enqueue(server, "a", "t2");
			enqueue(server, "b", "t3");
		}
	}

	@ParameterizedTest
	@EnumSource
	void lostConnectionsAreReplaced(Driver driver) throws Exception {
		try (TestServer server = start(connect(driver))) {
			awaitWatched("a", KEYS);
			for (ClientType type : List.of(ClientType.NORMAL, ClientType.PUBSUB)) {
				this.redis.master(ClusterRedis.slotOfQueue("a"))
					.call((jedis) -> jedis
						.clientKill(new ClientKillParams().type(type).skipMe(ClientKillParams.SkipMe.YES)));
				enqueue(server, "a", "t-" + type);
				awaitWatched("a", KEYS);
				enqueue(server, "a", "again-" + type);
			}
		}
	}

	@ParameterizedTest
	@EnumSource
	void masterThatHangsCostsOnlyItsOwnQueues(Driver driver) throws Exception {
		TestServer server = start(connect(driver));
		for (String queue : QUEUES) {
			awaitWatched(queue, KEYS);
		}
		// Not that of the set of all queues, to which every enqueue writes
		String hanging = QUEUES.stream()
			.filter((queue) -> this.redis.master(ClusterRedis.slotOfQueue(queue)) != this.redis
				.master(ClusterRedis.slotOfQueue("asynq:queues")))
			.findFirst()
			.orElseThrow();
		RedisNode master = this.redis.master(ClusterRedis.slotOfQueue(hanging));
		master.pause();
		try {
			for (String queue : QUEUES) {
				if (!queue.equals(hanging)) {
					enqueue(server, queue, "beside-" + queue);
				}
			}
			Thread stopping = new Thread(server::close, "stop");
			stopping.start();
			stopping.join(LONG.toMillis());
			assertThat(stopping.isAlive()).as("waits for the master that hangs").isFalse();
		}
		finally {
			master.resume();
		}
		awaitNoThreads();
	}

	@ParameterizedTest
	@EnumSource
	void onlyQueuesOfNodeThatRefusesArePolledAndTheLogSaysSoOnce(Driver driver) throws Exception {
		this.logged.start();
		this.logger.setLevel(Level.INFO);
		this.logger.addAppender(this.logged);
		RedisNode refusing = this.redis.master(ClusterRedis.slotOfQueue("a"));
		for (RedisNode node : this.redis.nodes()) {
			List<String> rights = new ArrayList<>(AclRule.documented());
			rights.addAll(List.of("on", ">" + AclRule.PASSWORD, "+unsubscribe", "+cluster|slots", "+cluster|shards",
					"+cluster|nodes", "+info", "+readonly"));
			if (node == refusing) {
				rights.remove("+client|tracking");
			}
			node.call((jedis) -> jedis.aclSetUser(AclRule.USER, rights.toArray(String[]::new)));
		}
		this.interval = Duration.ofSeconds(1);
		RedisClusterConfiguration user = configuration();
		user.setUsername(AclRule.USER);
		user.setPassword(AclRule.PASSWORD);
		try (TestServer server = start(connect(driver, user))) {
			awaitWatched("b", KEYS);
			enqueue(server, "a", "t1");
			enqueue(server, "b", "t2");
			enqueue(server, "c", "t3");
			await().atMost(LONG).until(() -> !this.logged.list.isEmpty());
		}
		assertThat(this.logged.list).singleElement()
			.satisfies((line) -> assertThat(line.getFormattedMessage()).contains(
					"Redis node " + refusing.address() + " does not report new tasks", "CLIENT TRACKING",
					"so its queues [a] are polled every PT1S"));
	}

	@ParameterizedTest
	@EnumSource
	void restartsLeaveNeitherThreadsNorConnections(Driver driver) throws Exception {
		RedisConnectionFactory factory = connect(driver);
		Map<String, Long> before = null;
		for (int round = 0; round < 5; round++) {
			try (TestServer server = start(factory)) {
				for (String queue : QUEUES) {
					awaitWatched(queue, KEYS);
				}
				enqueue(server, "b", "t" + round);
			}
			awaitNoThreads();
			Map<String, Long> first = before;
			if (first == null) {
				before = watching();
			}
			else {
				await().atMost(LONG).untilAsserted(() -> assertThat(watching()).isEqualTo(first));
			}
		}
		await().atMost(LONG).until(() -> watching().isEmpty());
	}

	private TestServer start(RedisConnectionFactory factory) {
		return TestServer.builder(factory).options((options) -> {
			QUEUES.forEach((queue) -> options.queue(queue, 1));
			return options.taskCheckInterval(this.interval).delayedTaskCheckInterval(this.interval);
		}).handling((task, context) -> {
			this.handled.add(context.taskId());
			return null;
		}).start();
	}

	private void enqueue(TestServer server, String queue, String id) throws InterruptedException {
		// Both drivers may learn only by an error that a master has changed
		Awaitility.await().atMost(LONG).ignoreExceptions().until(() -> {
			server.enqueue(RedisState.message(queue, id).build());
			return true;
		});
		assertThat(this.handled.poll(60, TimeUnit.SECONDS)).isEqualTo(id);
	}

	private void awaitWatched(String queue, int keys) {
		await().atMost(LONG)
			.until(() -> this.redis.master(ClusterRedis.slotOfQueue(queue))
				.info("stats")
				.get("tracking_total_keys")
				.equals(String.valueOf(keys)));
	}

	private static void awaitNoThreads() {
		await().atMost(LONG)
			.until(() -> Thread.getAllStackTraces()
				.keySet()
				.stream()
				.map(Thread::getName)
				.noneMatch((name) -> name.startsWith("asynq-arrival")));
	}

	/** Returns how many connections watch or subscribe, by node. */
	private Map<String, Long> watching() {
		return this.redis.nodes()
			.stream()
			.collect(Collectors.toMap(RedisNode::address, FollowedQueuesIT::watching, Long::sum, TreeMap::new))
			.entrySet()
			.stream()
			.filter((node) -> node.getValue() > 0)
			.collect(Collectors.toMap(Map.Entry::getKey, Map.Entry::getValue));
	}

	private static long watching(RedisNode node) {
		return node.<String>call((jedis) -> jedis.clientList())
			.lines()
			.filter((line) -> line.contains(" flags=t ") || line.contains(" flags=P "))
			.count();
	}

	private RedisClusterConfiguration configuration() {
		return new RedisClusterConfiguration(this.redis.nodes().stream().map(RedisNode::address).toList());
	}

	private RedisConnectionFactory connect(Driver driver) {
		return connect(driver, configuration());
	}

	private RedisConnectionFactory connect(Driver driver, RedisClusterConfiguration configuration) {
		if (driver == Driver.JEDIS) {
			JedisConnectionFactory jedis = new JedisConnectionFactory(configuration);
			jedis.afterPropertiesSet();
			jedis.start();
			this.factories.add(jedis);
			return jedis;
		}
		LettuceConnectionFactory lettuce = new LettuceConnectionFactory(configuration,
				LettuceClientConfiguration.builder().commandTimeout(TIMEOUT).build());
		lettuce.afterPropertiesSet();
		lettuce.start();
		this.factories.add(lettuce);
		return lettuce;
	}

}
