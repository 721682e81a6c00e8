package io.asynq.operations.preflight;

import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.function.Consumer;

import io.asynq.BrokerException;
import io.asynq.internal.broker.RedisBroker;
import io.asynq.internal.redis.Subscription;
import io.asynq.test.AclRule;
import io.asynq.test.RedisExtension;
import io.asynq.test.TestRedis;
import io.asynq.test.TestRedisCluster;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.springframework.data.redis.connection.RedisClusterConfiguration;
import org.springframework.data.redis.connection.RedisConnection;
import org.springframework.data.redis.connection.RedisConnectionFactory;
import org.springframework.data.redis.connection.RedisStandaloneConfiguration;
import org.springframework.data.redis.connection.jedis.JedisConnectionFactory;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

/**
 * What the check at the start finds in Redis. The Redis of tests stores nothing on disk.
 */
class StoreCheckIT {

	private static TestRedis redis;

	private static JedisConnectionFactory admin;

	@BeforeAll
	static void start() {
		redis = TestRedis.startOwn();
		admin = RedisExtension.connectionFactory(redis);
	}

	@AfterAll
	static void stop() {
		admin.destroy();
		redis.stop();
	}

	@AfterEach
	void reset() {
		config("save", "");
		config("appendonly", "no");
		config("maxmemory-policy", "noeviction");
	}

	@Test
	void findsNothingInSafeRedis() {
		config("appendonly", "yes");
		assertThat(check(admin)).isEqualTo(new StoreReport(List.of(), List.of()));
		config("appendonly", "no");
		config("save", "3600 1");
		assertThat(check(admin)).as("snapshots only").isEqualTo(new StoreReport(List.of(), List.of()));
	}

	@Test
	void findsMissingPersistence() {
		assertThat(onlyFinding(check(admin)).problem()).startsWith("Redis stores nothing on disk");
	}

	@Test
	void findsEviction() {
		config("save", "3600 1");
		config("maxmemory-policy", "allkeys-lru");
		Finding finding = onlyFinding(check(admin));
		assertThat(finding.problem()).contains("deletes keys", "allkeys-lru");
		assertThat(finding.fix()).contains("maxmemory-policy noeviction");
	}

	@Test
	void findsClockThatIsApart() {
		config("save", "3600 1");
		for (int seconds : List.of(2, -2)) {
			// The time that the answer takes is not counted: any of them, on a busy
			// machine
			await().untilAsserted(() -> {
				Finding finding = onlyFinding(
						check(admin, Clock.offset(Clock.systemUTC(), Duration.ofSeconds(seconds))));
				assertThat(finding.problem()).contains("apart", "2.0 s");
			});
		}
		assertThat(check(admin, Clock.offset(Clock.systemUTC(), Duration.ofMillis(500))).findings()).isEmpty();
	}

	@Test
	void findsReplica() {
		TestRedis replica = TestRedis.startOwn("replicaof " + redis.host() + " " + redis.port());
		JedisConnectionFactory factory = RedisExtension.connectionFactory(replica);
		try {
			assertThat(check(factory).findings()).extracting(Finding::problem)
				.anyMatch((problem) -> problem.contains("is a replica"));
		}
		finally {
			factory.destroy();
			replica.stop();
		}
	}

	@Test
	void whatTheDocumentedRuleForbidsIsNotChecked() {
		AclRule.grant(admin, AclRule.documented());
		JedisConnectionFactory user = user();
		try {
			StoreReport report = check(user);
			assertThat(report.findings()).isEmpty();
			assertThat(report.notChecked())
				.containsExactly("eviction, persistence and role: the Redis user may not ask");
		}
		finally {
			user.destroy();
		}
	}

	@Test
	void findsMissingRightsAndPrintsTheRule() {
		for (String right : List.of("+zrange", "+hdel", "+evalsha", "~asynq:*", "~asynqj:*", "+publish", "+subscribe",
				"+client|id", "+client|tracking", "&asynq:*", "&asynqj:*", "&__redis__:invalidate")) {
			List<String> rights = new ArrayList<>(AclRule.documented());
			rights.remove(right);
			AclRule.grant(admin, rights);
			JedisConnectionFactory user = user();
			try {
				Finding finding = onlyFinding(check(user));
				assertThat(finding.problem()).as(right).contains("does not let its user");
				assertThat(finding.fix()).contains("ACL SETUSER", RedisUserRuleTests.documented());
			}
			finally {
				user.destroy();
			}
		}
	}

	@Test
	void triesToListenOverLettuce() {
		List<String> rights = new ArrayList<>(AclRule.documented());
		rights.add("+unsubscribe");
		AclRule.grant(admin, rights);
		assertThat(checkOverLettuce().findings()).isEmpty();
		rights.remove("+subscribe");
		AclRule.grant(admin, rights);
		assertThat(onlyFinding(checkOverLettuce()).problem()).contains("does not let its user listen", "NOPERM");
	}

	@Test
	void namesTheNodesOfCluster() {
		List<String> nodes = TestRedisCluster.shared().nodes();
		JedisConnectionFactory cluster = started(new JedisConnectionFactory(new RedisClusterConfiguration(nodes)));
		try {
			StoreReport report = check(cluster);
			assertThat(report.notChecked()).isEmpty();
			assertThat(onlyFinding(report).problem()).startsWith("Redis at ")
				.contains(", ")
				.contains("stores nothing on disk");
		}
		finally {
			cluster.destroy();
		}
	}

	@Test
	void namesTheMastersThatLackARight() {
		assertThat(findingIfOneMasterLacks("+publish", "+zrange"))
			.isEqualTo("does not let its user run PUBLISH, ZRANGE");
		assertThat(findingIfOneMasterLacks("+subscribe")).startsWith("does not let its user listen (")
			.contains("NOPERM");
	}

	/**
	 * Returns what is found in a cluster, without the address of the master that it is
	 * about.
	 */
	private static String findingIfOneMasterLacks(String... rights) {
		List<String> nodes = TestRedisCluster.shared().nodes();
		List<String> some = new ArrayList<>(AclRule.documented());
		some.removeAll(List.of(rights));
		nodes.forEach((node) -> grant(node, node.equals(nodes.get(1)) ? some : AclRule.documented()));
		RedisClusterConfiguration configuration = new RedisClusterConfiguration(nodes);
		configuration.setUsername(AclRule.USER);
		configuration.setPassword(AclRule.PASSWORD);
		JedisConnectionFactory cluster = started(new JedisConnectionFactory(configuration));
		try {
			String subject = "Redis at " + nodes.get(1) + " ";
			assertThat(onlyFinding(check(cluster)).problem()).startsWith(subject);
			return onlyFinding(check(cluster)).problem().substring(subject.length());
		}
		finally {
			cluster.destroy();
			nodes.forEach(StoreCheckIT::revoke);
		}
	}

	@Test
	@Tag("full")
	void masterThatHangsIsNamedAndTheOthersAreChecked() throws Exception {
		List<String> nodes = TestRedisCluster.shared().nodes();
		JedisConnectionFactory cluster = started(new JedisConnectionFactory(new RedisClusterConfiguration(nodes)));
		try (AutoCloseable pause = TestRedisCluster.shared().pause(nodes.get(2))) {
			// Any of them: the driver may ask the one that hangs about the others, which
			// on a
			// busy machine are late as well then
			await().atMost(Duration.ofMinutes(4))
				.untilAsserted(() -> assertThat(check(cluster).findings()).extracting(Finding::problem)
					.anyMatch((problem) -> problem.startsWith("Redis at " + nodes.get(2) + " ")
							&& problem.endsWith(", so that it was not checked"))
					.anyMatch((problem) -> problem.contains(nodes.get(0)) && problem.contains(nodes.get(1))
							&& problem.contains("stores nothing on disk")));
		}
		finally {
			cluster.destroy();
		}
	}

	@Test
	void checkCancelsNothing() {
		List<String> cancelled = new CopyOnWriteArrayList<>();
		CountDownLatch listening = new CountDownLatch(1);
		RedisBroker peer = broker(admin, Clock.systemUTC());
		try (Subscription subscription = peer.cancellations().subscribe(listening::countDown, cancelled::add)) {
			Thread thread = new Thread(subscription::listen);
			thread.start();
			await().until(() -> listening.getCount() == 0);
			check(admin);
			peer.cancellations().cancel("last");
			await().until(() -> cancelled.contains("last"));
			assertThat(cancelled).as("no id that a task has").containsExactly("asynqj:{14}:check", "last");
		}
	}

	@Test
	void redisThatRefusesEverythingIsNoFinding() {
		RedisStandaloneConfiguration configuration = new RedisStandaloneConfiguration(redis.host(), redis.port());
		configuration.setPassword("guess");
		JedisConnectionFactory stranger = started(configuration);
		try {
			assertThatExceptionOfType(BrokerException.class).isThrownBy(() -> check(stranger))
				.withMessageContaining("spring.data.redis.password");
		}
		finally {
			stranger.destroy();
		}
	}

	private static StoreReport check(RedisConnectionFactory factory) {
		return check(factory, Clock.systemUTC());
	}

	private static StoreReport check(RedisConnectionFactory factory, Clock clock) {
		return new StoreCheck(broker(factory, clock), clock).check();
	}

	private static StoreReport checkOverLettuce() {
		RedisStandaloneConfiguration configuration = new RedisStandaloneConfiguration(redis.host(), redis.port());
		configuration.setUsername(AclRule.USER);
		configuration.setPassword(AclRule.PASSWORD);
		LettuceConnectionFactory factory = new LettuceConnectionFactory(configuration);
		factory.afterPropertiesSet();
		factory.start();
		try {
			return check(factory);
		}
		finally {
			factory.destroy();
		}
	}

	private static RedisBroker broker(RedisConnectionFactory factory, Clock clock) {
		return new RedisBroker(factory, clock, RedisBroker.DEFAULT_LEASE_DURATION, (broken) -> {
		});
	}

	private static void grant(String node, List<String> rights) {
		List<String> words = new ArrayList<>(rights);
		words.addAll(List.of("+cluster|slots", "+cluster|shards", "+cluster|nodes"));
		onNode(node, (factory) -> AclRule.grant(factory, words));
	}

	private static void revoke(String node) {
		onNode(node, (factory) -> {
			try (RedisConnection connection = factory.getConnection()) {
				connection.execute("ACL", "DELUSER".getBytes(), AclRule.USER.getBytes());
			}
		});
	}

	private static void onNode(String node, Consumer<JedisConnectionFactory> action) {
		String[] address = node.split(":");
		JedisConnectionFactory factory = started(
				new RedisStandaloneConfiguration(address[0], Integer.parseInt(address[1])));
		try {
			action.accept(factory);
		}
		finally {
			factory.destroy();
		}
	}

	private static Finding onlyFinding(StoreReport report) {
		assertThat(report.findings()).as(report.toString()).hasSize(1);
		return report.findings().get(0);
	}

	private static void config(String name, String value) {
		try (RedisConnection connection = admin.getConnection()) {
			connection.serverCommands().setConfig(name, value);
		}
	}

	private static JedisConnectionFactory user() {
		RedisStandaloneConfiguration configuration = new RedisStandaloneConfiguration(redis.host(), redis.port());
		configuration.setUsername(AclRule.USER);
		configuration.setPassword(AclRule.PASSWORD);
		return started(configuration);
	}

	private static JedisConnectionFactory started(RedisStandaloneConfiguration configuration) {
		return started(new JedisConnectionFactory(configuration));
	}

	private static JedisConnectionFactory started(JedisConnectionFactory factory) {
		factory.afterPropertiesSet();
		factory.start();
		return factory;
	}

}
