package io.asynq.cli;

import java.util.Map;
import java.util.stream.Collectors;

import io.asynq.cli.TestShell.Ran;
import io.asynq.test.TestRedis;
import io.asynq.test.TestRedisCluster;
import io.asynq.test.redis.SentinelRedis;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Works with a cluster and behind Sentinel.
 */
@Tag("full")
class OtherRedisIT {

	private static final String[] ENQUEUE = { "task", "enqueue", "-t", "mail", "-l", "x", "--queue", "low", "--id",
			"a" };

	@Test
	void worksOnCluster() {
		TestRedisCluster cluster = TestRedisCluster.startOwn();
		try {
			String nodes = String.join(",", cluster.nodes());
			TestShell shell = new TestShell(getClass(), TestRedis.shared()).variable("ASYNQ_URI",
					"redis-cluster://" + nodes);
			assertThat(shell.run(ENQUEUE).out()).isEqualTo("Enqueued task a to queue low\n");
			assertThat(shell.run("queue", "ls").out()).startsWith("Queue  Cluster KeySlot  Cluster Nodes")
				.containsPattern("\nlow +\\d+ +\\[[0-9a-f]{40} [0-9.]+:\\d+");
			assertThat(shell.run("stats").out()).contains("Redis Cluster Info\nState  Known Nodes  Cluster Size  \n")
				.containsPattern("\nOK +\\d+ +3 +\n");
			assertThat(shell.run("task", "deleteall", "-q", "low", "-s", "pending", "--yes").out())
				.isEqualTo("1 tasks deleted\n");
			Ran asInGo = new TestShell(getClass(), TestRedis.shared()).variable("ASYNQ_URI", "")
				.run("queue", "ls", "--cluster", "--cluster_addrs", nodes);
			assertThat(asInGo.out()).contains("\nlow ");
		}
		finally {
			cluster.stop();
		}
	}

	@Test
	void worksBehindSentinel() {
		try (SentinelRedis redis = SentinelRedis.start()) {
			String sentinels = redis.springProperties()
				.entrySet()
				.stream()
				.filter((property) -> property.getKey().endsWith("sentinel.nodes"))
				.map(Map.Entry::getValue)
				.collect(Collectors.joining());
			TestShell shell = new TestShell(getClass(), TestRedis.shared()).variable("ASYNQ_URI",
					"redis-sentinel://" + sentinels + "?master=" + SentinelRedis.MASTER);
			assertThat(shell.run(ENQUEUE).out()).isEqualTo("Enqueued task a to queue low\n");
			assertThat(shell.run("queue", "ls").out()).isEqualTo("low\n");
		}
	}

}
