package io.asynq.broker.redis.check;

import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

import io.asynq.BrokerException;
import io.asynq.broker.check.Finding;
import io.asynq.broker.check.StoreReport;
import io.asynq.broker.redis.RedisBroker;
import io.asynq.test.AclRule;
import io.asynq.test.RedisExtension;
import io.asynq.test.TestRedis;
import io.asynq.test.TestRedisCluster;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

import org.springframework.data.redis.connection.RedisClusterConfiguration;
import org.springframework.data.redis.connection.RedisConnection;
import org.springframework.data.redis.connection.RedisConnectionFactory;
import org.springframework.data.redis.connection.RedisStandaloneConfiguration;
import org.springframework.data.redis.connection.jedis.JedisConnectionFactory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * What the check at the start finds in Redis. The Redis of tests stores nothing on disk.
 */
class RedisStoreCheckIT {

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
			Finding finding = onlyFinding(check(admin, Clock.offset(Clock.systemUTC(), Duration.ofSeconds(seconds))));
			assertThat(finding.problem()).contains("apart", "2.0 s");
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
		for (String right : List.of("+zrange", "+hdel", "+evalsha", "~asynq:*", "~asynqj:*")) {
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
	void namesTheNodesOfCluster() {
		List<String> nodes = TestRedisCluster.shared().nodes();
		JedisConnectionFactory cluster = new JedisConnectionFactory(new RedisClusterConfiguration(nodes));
		cluster.afterPropertiesSet();
		cluster.start();
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
		return new RedisBroker(factory, clock, RedisBroker.DEFAULT_LEASE_DURATION, (broken) -> {
		}).check().check();
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
		JedisConnectionFactory factory = new JedisConnectionFactory(configuration);
		factory.afterPropertiesSet();
		factory.start();
		return factory;
	}

}
