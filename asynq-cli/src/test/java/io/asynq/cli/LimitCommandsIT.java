package io.asynq.cli;

import java.time.Clock;
import java.time.Instant;

import io.asynq.cli.TestShell.Ran;
import io.asynq.internal.broker.RedisBroker;
import io.asynq.internal.redis.LimitSeeds;
import io.asynq.internal.redis.RedisState;
import io.asynq.test.RedisExtension;
import io.asynq.test.TestRedis;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.data.redis.connection.RedisConnectionFactory;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Limits, and the tasks that wait for them.
 */
@ExtendWith(RedisExtension.class)
class LimitCommandsIT {

	private TestShell shell;

	private TestRedis server;

	private RedisConnectionFactory connections;

	private RedisBroker broker;

	@BeforeEach
	void setUp(TestRedis server, RedisConnectionFactory connections) {
		this.server = server;
		this.connections = connections;
		this.shell = new TestShell(getClass(), server);
		this.broker = new RedisBroker(connections, Clock.systemUTC(), RedisBroker.DEFAULT_LEASE_DURATION, (broken) -> {
		});
	}

	@AfterEach
	void close() {
		this.broker.close();
	}

	@Test
	void listsLimits() {
		seed();
		assertThat(ok("limit", "ls")).startsWith("Limit ")
			.containsPattern("\nbank +0 +- +10/s +0 +0 ")
			.containsPattern("\npdf +1 +1 +- +2 +1 ")
			.containsPattern("\ntenant +1 +2 +- +1 +1 ");
		JsonNode all = new JsonMapper().readTree(ok("limit", "list", "-o", "json"));
		assertThat(all.at("/1/name").asString()).isEqualTo("pdf");
		assertThat(all.at("/1/waiting").asInt()).isEqualTo(2);
		assertThat(ok("limit", "ls", "-o", "jsonl").lines()).hasSize(3);
	}

	@Test
	void listsKeysOfLimit() {
		seed();
		assertThat(ok("limit", "inspect", "tenant")).containsPattern("\nacme +1 +1 ");
		assertThat(ok("limit", "inspect", "pdf")).as("it has none").containsPattern("\n- +1 +2 ");
		assertThat(ok("limit", "inspect", "bank"))
			.isEqualTo("No key of limit \"bank\" is in use, and no task waits for a free token\n");
		Ran unknown = this.shell.run("limit", "inspect", "nosuch");
		assertThat(unknown.code()).isEqualTo(1);
		assertThat(unknown.err()).contains("limit \"nosuch\" does not exist");
		assertThat(this.shell.run("limit", "inspect", "pdf", "--size", "0").code()).isEqualTo(2);
	}

	@Test
	void saysIfThereAreNone() {
		assertThat(ok("limit", "ls")).isEqualTo("No server has announced a limit\n");
	}

	@Test
	void taskThatWaitsHasNotFailed() {
		seed();
		assertThat(ok("task", "ls", "-q", "low", "-s", "retry"))
			.containsPattern("b .* - +waits for limit pdf, tenant:acme ")
			.containsPattern("c .* - +waits for limit pdf ");
		assertThat(ok("task", "inspect", "-q", "low", "-i", "b"))
			.contains("Next process time: n/a\nWaits for limit:   pdf, tenant:acme\n");
	}

	@Test
	void tasksThatWaitAreCountedApartWhereAPersonLooks() {
		seed();
		new RedisState(this.connections).seedRetry(Instant.now().plusSeconds(60),
				RedisState.message("low", "r").build());
		String told = "\n2 in retry wait for a limit and have not failed\n";
		for (String[] words : new String[][] { { "stats" }, { "queue", "inspect", "low" } }) {
			assertThat(ok(words)).as("scripts read what Go prints").doesNotContain("limit");
			assertThat(new TestShell(getClass(), this.server).person("").run(words).out()).contains(told);
		}
		assertThat(
				new JsonMapper().readTree(ok("queue", "inspect", "low", "-o", "json")).at("/0/waitingForLimit").asInt())
			.isEqualTo(2);
	}

	@Test
	void doctorTellsForWhichLimitsTasksWait() {
		seed();
		assertThat(this.shell.run("doctor").out()).doesNotContain("Repair it")
			.containsPattern("\nlow +2 ")
			.containsPattern("\npdf +1 +1 +- +2 ")
			.doesNotContain("bank");
		JsonNode checked = new JsonMapper().readTree(this.shell.run("doctor", "-o", "json").out());
		assertThat(checked.at("/0/limited").asInt()).isEqualTo(2);
		assertThat(ok("doctor", "--kind", "double-entry")).isEqualTo("Nothing is wrong in 1 queue\n");
	}

	private void seed() {
		new LimitSeeds(this.broker).tenPerSecond("bank")
			.concurrent("pdf", 1)
			.concurrent("tenant", 2)
			.hold("low", "a", "pdf", "tenant:acme")
			.park("low", "b", "pdf", "tenant:acme")
			.park("low", "c", "pdf");
	}

	private String ok(String... words) {
		Ran ran = this.shell.run(words);
		assertThat(ran.err()).isEmpty();
		assertThat(ran.code()).isZero();
		return ran.out();
	}

}
