package io.asynq.cli;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

import io.asynq.cli.TestShell.Ran;
import io.asynq.test.AclRule;
import io.asynq.test.RedisExtension;
import io.asynq.test.TestRedis;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.springframework.data.redis.connection.jedis.JedisConnectionFactory;
import redis.clients.jedis.Jedis;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * A Redis user who may not ask Redis about itself.
 */
class RestrictedRedisIT {

	private static final List<String> COMMANDS = List.of("queue list", "queue list -o json", "queue inspect mail",
			"queue inspect mail -o jsonl", "queue history mail", "queue pause mail", "queue resume mail",
			"group list -q mail", "task list -q mail -s pending", "task inspect -q mail -i m-1",
			"task archive -q mail -i m-1", "task run -q mail -i m-1", "task archiveall -q mail -s pending --yes",
			"task runall -q mail -s archived --yes", "task delete -q mail -i m-1", "server list", "limit list",
			"cron list", "doctor", "tail --for 0s", "task deleteall -q mail -s pending --yes",
			"queue remove mail --force --yes");

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

	@BeforeEach
	void seed() {
		redis.node().call(Jedis::flushAll);
		TestShell all = new TestShell(getClass(), redis);
		for (String id : List.of("m-1", "m-2")) {
			all.quietly("task", "enqueue", "-t", "mail", "-l", "{}", "--queue", "mail", "--id", id);
		}
	}

	@ParameterizedTest
	@MethodSource("rights")
	void statsTellsWhatCanBeKnownAndWhatRedisDoesNotTell(List<String> rights) {
		Ran table = as(rights).run("stats");
		assertThat(table.code()).as(table.all()).isZero();
		assertThat(table.out()).containsPattern("active +pending")
			.containsPattern("\n0 +2 +0 ")
			.contains("Daily Stats");
		Ran json = as(rights).run("stats", "--json");
		assertThat(json.code()).as(json.all()).isZero();
		assertThat(json.out()).contains("\"pending\":2", "\"Queue\":\"mail\"");
		if (rights.contains("-info") || rights.contains("-@all")) {
			for (Ran ran : List.of(table, json)) {
				assertThat(ran.err().lines()).singleElement()
					.asString()
					.startsWith("Redis does not tell its user about itself (INFO): ");
			}
			assertThat(table.out()).doesNotContain("Redis Info");
			assertThat(json.out()).contains("\"redis\":{}");
		}
		if (rights.contains("-memory")) {
			assertThat(json.out()).contains("\"MemoryUsage\":null");
		}
		else {
			assertThat(json.out()).containsPattern("\"MemoryUsage\":[1-9]");
		}
	}

	@ParameterizedTest
	@MethodSource("rights")
	void everyCommandWorks(List<String> rights) {
		TestShell shell = as(rights);
		List<String> failed = new ArrayList<>();
		for (String command : COMMANDS) {
			Ran ran = shell.run(command.split(" "));
			// It finds tasks without a server
			boolean found = command.equals("doctor") && ran.code() == 1 && ran.err().isEmpty();
			if (ran.code() != 0 && !found) {
				failed.add(command + ": " + ran.all());
			}
		}
		assertThat(failed).isEmpty();
	}

	static Stream<List<String>> rights() {
		List<String> all = List.of("~*", "&*", "+@all");
		return Stream.concat(Stream.of(AclRule.documented()),
				Stream
					.of(List.of("-info"), List.of("-memory"), List.of("-client"), List.of("-config"),
							List.of("-info", "-memory", "-client", "-config"))
					.map((refused) -> Stream.concat(all.stream(), refused.stream()).toList()));
	}

	private TestShell as(List<String> rights) {
		AclRule.grant(admin, rights);
		return new TestShell(getClass(), redis).variable("ASYNQ_URI",
				"redis://" + AclRule.USER + ":" + AclRule.PASSWORD + "@" + redis.host() + ":" + redis.port());
	}

}
