package io.asynq.cli;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;

import io.asynq.cli.TestShell.Ran;
import io.asynq.internal.broker.RedisBroker;
import io.asynq.internal.fleet.ServerSnapshot;
import io.asynq.internal.redis.ServerIdentity;
import io.asynq.server.QueueWeights;
import io.asynq.test.RedisExtension;
import io.asynq.test.TestRedis;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.data.redis.connection.RedisConnectionFactory;
import org.springframework.data.redis.core.StringRedisTemplate;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * What a person sees on a terminal, and a script does not.
 */
@ExtendWith(RedisExtension.class)
class TerminalIT {

	private TestShell shell;

	private TestShell person;

	private StringRedisTemplate redis;

	@BeforeEach
	void setUp(TestRedis server, RedisConnectionFactory connections) {
		this.shell = new TestShell(getClass(), server);
		this.person = new TestShell(getClass(), server).person("").variable("NO_COLOR", "1");
		this.redis = new StringRedisTemplate(connections);
	}

	@ParameterizedTest
	@ValueSource(ints = { 30, 40, 79, 80, 130 })
	void statsFit(int columns) {
		for (int number = 1; number <= 17; number++) {
			enqueue("queue-with-a-long-name-" + number, "a", "x");
		}
		enqueue("ключ-".repeat(30), "b", "x");
		String said = seen(columns, "stats");
		assertThat(said).containsPattern("(?m)^pending +18$|active +pending")
			.containsPattern("(?m)^queue-with-a-l\\S+ +1$")
			.containsPattern("(?m)^ключ-\\S+… +1$");
	}

	@Test
	void aFewQueuesStandBesideEachOther() {
		enqueue("low", "a", "x");
		enqueue("high", "b", "x");
		assertThat(seen(80, "stats")).containsPattern("high +low\n-+ +-+\n1 +1\n").contains("active     pending");
		assertThat(seen(40, "stats")).containsPattern("aggregating +0\n").containsPattern("\nprocessed +failed +");
	}

	@ParameterizedTest
	@ValueSource(ints = { 30, 40, 80, 120 })
	void tasksFit(int columns) {
		String id = "6c1b9a2e-8f0d-4a57-9c3e-2b7d1f4a9e10";
		enqueue("low", id, "{\"text\":\"" + "漢字".repeat(100) + "\"}");
		enqueue("low", "short", "x".repeat(500));
		this.redis.opsForList().remove("asynq:{low}:pending", 0, id);
		this.redis.opsForZSet().add("asynq:{low}:retry", id, 4_000_000_000L);
		this.redis.opsForHash().put("asynq:{low}:t:" + id, "state", "retry");
		String retries = seen(columns, "task", "ls", "-q", "low", "-s", "retry");
		assertThat(retries).hasLineCount(3).contains("…");
		String pending = seen(columns, "task", "ls", "-q", "low", "-s", "pending");
		assertThat(pending).hasLineCount(3).containsPattern("short +\\S+ +x+…\n");
		if (columns == 120) {
			assertThat(retries).contains(id);
		}
		String wide = this.person.run("task", "ls", "-q", "low", "-s", "pending", "-o", "wide").out();
		assertThat(wide).contains("x".repeat(500)).doesNotContain("…");
	}

	@ParameterizedTest
	@ValueSource(strings = { "stats", "queue ls", "task ls -q low -s pending", "task inspect -q low -i a", "server ls",
			"cron ls", "group ls -q low" })
	void withoutATerminalNothingIsCut(String command) {
		enqueue("low", "a", "x".repeat(500));
		enqueue("q".repeat(100), "b", "");
		String expected = this.shell.run(command.split(" ")).out();
		String narrow = this.shell.variable("COLUMNS", "20").run(command.split(" ")).out();
		if (!command.equals("stats")) {
			assertThat(narrow).isEqualTo(expected);
		}
		assertThat(narrow).doesNotContain("…", "(empty)");
	}

	@Test
	void anEmptyPayloadIsCalledEmpty() {
		enqueue("low", "a", "");
		enqueue("low", "b", "x");
		ok("task", "enqueue", "-t", "mail", "-l=", "--queue", "low", "--id", "c", "--process_in", "1h");
		ok("task", "enqueue", "-t", "mail", "--payload_file", "/dev/null", "--queue", "low", "--id", "d");
		ok("task", "archive", "-q", "low", "-i", "d");
		for (String[] task : new String[][] { { "a", "pending" }, { "c", "scheduled" }, { "d", "archived" } }) {
			String[] list = { "task", "ls", "-q", "low", "-s", task[1] };
			assertThat(this.person.run(list).out()).containsPattern("\n" + task[0] + " +mail +\\(empty\\)");
			assertThat(this.shell.run(list).out()).containsPattern("\n" + task[0] + " +mail +non-printable bytes");
			String[] inspect = { "task", "inspect", "-q", "low", "-i", task[0] };
			assertThat(this.person.run(inspect).out()).endsWith("Payload (0 bytes)\n(empty)\n");
			assertThat(this.shell.run(inspect).out()).endsWith("Payload (0 bytes)\n");
		}
		assertThat(this.person.run("task", "inspect", "-q", "low", "-i", "b").out()).doesNotContain("(empty)");
	}

	@Test
	void queuesAreListedWithThoseWhoServeThem(RedisConnectionFactory connections) {
		for (String queue : List.of("served", "paused", "twice", "alone")) {
			enqueue(queue, "a", "x");
		}
		ok("queue", "pause", "paused");
		register(connections, 1, Map.of("served", 1, "paused", 1, "twice", 2), "active");
		register(connections, 2, Map.of("twice", 1), "active");
		register(connections, 3, Map.of("alone", 1, "served", 1), "stopped");
		Ran ran = this.shell.run("queue", "ls", "-o", "wide");
		assertThat(ran.code()).isZero();
		assertThat(ran.out()).startsWith("Queue   State       Tasks  Latency  Consumers")
			.containsPattern("alone +not served +1 +\\d+s +0 ")
			.containsPattern("served +running +1 +\\d+s +1 ")
			.containsPattern("paused +paused +1 +\\d+s +1 ")
			.containsPattern("twice +running +1 +\\d+s +2 ");
		assertThat(seen(60, "queue", "ls")).startsWith("Queue   State       Tasks  Latency  Consumers\n");
		assertThat(ok("queue", "ls")).isEqualTo("alone\npaused\nserved\ntwice\n");
	}

	private static void register(RedisConnectionFactory connections, int pid, Map<String, Integer> queues,
			String status) {
		RedisBroker broker = new RedisBroker(connections, Clock.systemUTC(), RedisBroker.DEFAULT_LEASE_DURATION,
				(broken) -> {
				});
		ServerIdentity server = new ServerIdentity("far", pid, "id-" + pid);
		broker.servers().enlist(server, Duration.ofMinutes(1));
		broker.servers()
			.write(new ServerSnapshot(server, 10, new QueueWeights(queues, false), status, Instant.now(), List.of(),
					Map.of()), Duration.ofMinutes(1));
		broker.close();
	}

	/** What a terminal of this width shows, of which no line is too long. */
	private String seen(int columns, String... command) {
		Ran ran = this.person.variable("COLUMNS", String.valueOf(columns)).run(command);
		assertThat(ran.code()).isZero();
		assertThat(ran.out().lines()).allSatisfy((line) -> assertThat(width(line)).isLessThanOrEqualTo(columns));
		return ran.out();
	}

	/** Chinese characters take two columns. */
	private static int width(String line) {
		return line.codePoints().map((point) -> (point >= 0x3000) ? 2 : 1).sum();
	}

	private void enqueue(String queue, String id, String payload) {
		ok("task", "enqueue", "-t", "mail", "-l=" + payload, "--queue=" + queue, "--id", id);
	}

	private String ok(String... args) {
		Ran ran = this.shell.run(args);
		assertThat(ran.err()).isEmpty();
		assertThat(ran.code()).isZero();
		return ran.out();
	}

}
