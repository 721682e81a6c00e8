package io.asynq.internal.redis.driver;

import java.lang.ref.WeakReference;
import java.nio.charset.StandardCharsets;
import java.time.Duration;

import io.asynq.test.TestRedis;
import io.lettuce.core.ReadFrom;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.springframework.data.redis.connection.RedisConnection;
import org.springframework.data.redis.connection.RedisStaticMasterReplicaConfiguration;
import org.springframework.data.redis.connection.ReturnType;
import org.springframework.data.redis.connection.lettuce.LettuceClientConfiguration;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;
import redis.clients.jedis.Jedis;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * An application that reads from a replica.
 */
class LettuceCallsIT {

	private static final byte[] SCRIPT = utf8("return 1");

	private final TestRedis master = TestRedis.startOwn();

	private final TestRedis replica = TestRedis.startOwn("replicaof " + this.master.host() + " " + this.master.port());

	private LettuceConnectionFactory factory;

	@BeforeEach
	void connect() {
		Awaitility.await().until(() -> info(this.replica, "replication").contains("master_link_status:up"));
		RedisStaticMasterReplicaConfiguration nodes = new RedisStaticMasterReplicaConfiguration(this.master.host(),
				this.master.port());
		nodes.addNode(this.replica.host(), this.replica.port());
		this.factory = new LettuceConnectionFactory(nodes,
				LettuceClientConfiguration.builder().readFrom(ReadFrom.REPLICA).build());
		this.factory.afterPropertiesSet();
		this.factory.start();
	}

	@AfterEach
	void stop() {
		this.factory.destroy();
		this.replica.stop();
		this.master.stop();
	}

	@Test
	@Tag("slow")
	void scriptRunsOnConnectionCheckedBefore() {
		assertThat(run(new LettuceCalls())).isEqualTo(1L);
		assertThat(info(this.master, "commandstats")).contains("cmdstat_memory|usage:calls=1,",
				"cmdstat_eval:calls=1,");
		assertThat(info(this.replica, "commandstats")).doesNotContain("cmdstat_memory", "cmdstat_exists",
				"cmdstat_eval");
	}

	@Test
	@Tag("slow")
	void busyConnectionIsNotCheckedAfterGarbageCollection() {
		LettuceCalls calls = new LettuceCalls(Duration.ofDays(1));
		run(calls);
		WeakReference<?> garbage = new WeakReference<>(new Object());
		Awaitility.await().until(() -> {
			System.gc();
			return garbage.refersTo(null);
		});
		run(calls);
		assertThat(info(this.master, "commandstats")).contains("cmdstat_memory|usage:calls=1,",
				"cmdstat_eval:calls=2,");
	}

	private Object run(LettuceCalls calls) {
		try (RedisConnection connection = this.factory.getConnection()) {
			return calls.eval(connection, SCRIPT, ReturnType.INTEGER, 1, utf8("key"));
		}
	}

	private static String info(TestRedis redis, String section) {
		try (Jedis admin = redis.node().connect()) {
			return admin.info(section);
		}
	}

	private static byte[] utf8(String text) {
		return text.getBytes(StandardCharsets.UTF_8);
	}

}
