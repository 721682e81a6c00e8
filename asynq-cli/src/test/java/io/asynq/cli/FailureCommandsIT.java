package io.asynq.cli;

import java.time.Clock;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;

import io.asynq.TaskState;
import io.asynq.cli.TestShell.Ran;
import io.asynq.inspect.AsynqInspector;
import io.asynq.internal.broker.RedisBroker;
import io.asynq.internal.redis.RedisState;
import io.asynq.internal.redis.TaskMessage;
import io.asynq.test.RedisExtension;
import io.asynq.test.TestRedis;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.data.redis.connection.RedisConnectionFactory;
import org.springframework.data.redis.core.StringRedisTemplate;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Lists why tasks fail, and acts on all that fail for the same reason.
 */
@ExtendWith(RedisExtension.class)
class FailureCommandsIT {

	private static final Instant NOW = Instant.now();

	private TestShell shell;

	private RedisState state;

	private AsynqInspector inspector;

	private StringRedisTemplate redis;

	@BeforeEach
	void setUp(TestRedis server, RedisConnectionFactory connections) {
		this.shell = new TestShell(getClass(), server);
		this.state = new RedisState(connections);
		this.redis = new StringRedisTemplate(connections);
		this.inspector = AsynqInspector
			.create(new RedisBroker(connections, Clock.systemUTC(), RedisBroker.DEFAULT_LEASE_DURATION, (broken) -> {
			}), Clock.systemUTC());
		// Three reasons: an outage in two queues, one poisoned type, one task
		for (int i = 0; i < 4; i++) {
			retry("mail", "m" + i, "mail:send", "dial tcp 10.0.0." + i + ":25: refused");
			retry("bulk", "b" + i, "mail:send", "dial tcp 10.0.1." + i + ":25: refused");
		}
		archived("mail", "m9", "mail:send", "dial tcp 10.0.2.9:25: refused");
		for (int i = 0; i < 3; i++) {
			archived("low", "p" + i, "report", "no such column");
		}
		retry("low", "one", "mail:bounce", "no way");
	}

	@Test
	void listsReasonsTheMostFrequentFirst() {
		List<String> lines = ok("failures", "ls").lines().map(String::strip).toList();
		assertThat(lines).hasSize(5);
		assertThat(lines.get(0)).matches("Failures +Type +Error +Queues +Last Failure +Key");
		assertThat(lines.get(2)).matches("9 +mail:send +dial tcp .*: refused +bulk:4 mail:5 +\\S+ ago +[0-9a-f]{24}");
		assertThat(lines.get(3)).matches("3 +report +no such column +low:3 +\\S+ ago +[0-9a-f]{24}");
		assertThat(lines.get(4)).matches("1 +mail:bounce +no way +low:1 +\\S+ ago +[0-9a-f]{24}");
	}

	@ParameterizedTest
	@CsvSource(delimiter = ';', textBlock = """
			--queue mail;                 5
			--queue low;                  3 1
			--type report;                3
			--type mail:*;                9 1
			-q low --type mail:*;         1
			--type nosuch;                ''
			""")
	void listsSomeReasons(String flags, String counts) {
		String[] command = ("failures ls -o json " + flags).split(" ");
		List<String> found = json(ok(command)).valueStream().map((group) -> group.at("/count").asString()).toList();
		assertThat(String.join(" ", found)).isEqualTo(counts);
	}

	@Test
	void tellsAllOfAReasonAsJson() {
		JsonNode group = json(ok("failures", "ls", "--type", "mail:send", "-o", "json")).at("/0");
		assertThat(group.at("/key").asString()).hasSize(24);
		assertThat(group.at("/queues/bulk").asInt()).isEqualTo(4);
		assertThat(group.at("/states/retry").asInt() + group.at("/states/RETRY").asInt()).isEqualTo(8);
		assertThat(group.at("/lastFailure").asString()).startsWith(NOW.toString().substring(0, 16));
		assertThat(ok("failures", "ls", "-o", "jsonl").lines()).hasSize(3);
	}

	@Test
	void runsAGroupOfOneQueueAgainWithoutAQuestion() {
		assertThat(ok("failures", "retry", key("report"))).isEqualTo("low: 3 tasks made pending\n");
		assertThat(size("low", TaskState.PENDING)).isEqualTo(3);
		assertThat(size("low", TaskState.RETRY)).isEqualTo(1);
		assertThat(ok("failures", "retry", key("mail:send").substring(0, 8), "--queue", "mail", "--fresh"))
			.isEqualTo("mail: 5 tasks made pending\n");
		assertThat(size("mail", TaskState.PENDING)).isEqualTo(5);
		assertThat(size("bulk", TaskState.RETRY)).isEqualTo(4);
	}

	@Test
	void asksIfTheTasksAreInSeveralQueues() {
		String key = key("mail:send");
		Ran nobody = this.shell.run("failures", "archive", key);
		assertThat(nobody.code()).isEqualTo(2);
		assertThat(nobody.err()).startsWith("Archive 8 tasks of 2 queues (bulk, mail)? Nobody is there");
		Ran no = this.shell.person("n\n").run("failures", "retry", key);
		assertThat(no.err()).startsWith("Run 9 tasks of 2 queues (bulk, mail)? [y/N]");
		assertThat(no.code()).isEqualTo(1);
		assertThat(size("mail", TaskState.RETRY) + size("bulk", TaskState.RETRY)).isEqualTo(8);
		assertThat(ok("failures", "archive", key, "--yes"))
			.isEqualTo("bulk: 4 tasks archived\nmail: 4 tasks archived\n");
		assertThat(size("mail", TaskState.ARCHIVED)).isEqualTo(5);
		assertThat(json(this.shell.run("failures", "retry", key, key("report"), "-y", "-o", "json").out()).valueStream()
			.map((result) -> result.at("/queue").asString() + " " + result.at("/done").asInt()))
			.containsExactly("bulk 4", "low 3", "mail 5");
	}

	@Test
	void saysWhatItWouldDo() {
		assertThat(ok("failures", "retry", key("mail:send"), key("report"), "--dry-run")).isEqualTo(
				"bulk: 4 tasks would be made pending\nlow: 3 tasks would be made pending\nmail: 5 tasks would be made pending\n");
		assertThat(ok("failures", "archive", key("mail:bounce"), "--dry-run"))
			.isEqualTo("low: 1 task would be archived\n");
		assertThat(size("mail", TaskState.PENDING) + size("low", TaskState.PENDING)).isZero();
		assertThat(size("low", TaskState.RETRY)).isEqualTo(1);
	}

	@Test
	void namesTheQueueOfATaskThatRefuses() {
		String key = key("report");
		this.redis.opsForHash().put("asynq:{low}:t:p1", "state", "active");
		Ran ran = this.shell.run("failures", "retry", key);
		assertThat(ran.code()).isEqualTo(1);
		assertThat(ran.out()).isEqualTo("low: 2 tasks made pending, 1 refused\n");
		assertThat(ran.err()).startsWith("error: queue \"low\": Task 'p1'").hasLineCount(1);
	}

	@ParameterizedTest
	@CsvSource(delimiter = ';', textBlock = """
			failures retry nope;                  1; no group of such failures has a key that begins with "nope"
			failures archive nope --yes;          1; no group of such failures has a key that begins with "nope"
			failures ls --queue nope;             1; error: NOT_FOUND: queue "nope" does not exist
			failures retry abc --queue nope;      1; error: NOT_FOUND: queue "nope" does not exist
			failures retry;                       2; requires at least 1 arg(s), only received 0
			failures delete abc;                  2; unknown command "delete" for "asynq failures"
			""")
	void saysWhatItDoesNotFind(String command, int code, String message) {
		Ran ran = this.shell.run(command.split(" "));
		assertThat(ran.err()).contains(message);
		assertThat(ran.out()).isEmpty();
		assertThat(ran.code()).isEqualTo(code);
	}

	@Test
	void asksForMoreOfAKeyThatMayMeanSeveral() {
		IntStream.range(0, 20).forEach((i) -> archived("low", "more-" + i, "type-" + i, "x"));
		List<String> keys = new ArrayList<>(json(ok("failures", "ls", "-o", "json")).valueStream()
			.map((each) -> each.at("/key").asString())
			.toList());
		// Of 23 keys, some begin with the same one of 16 digits
		String digit = keys.stream()
			.map((key) -> key.substring(0, 1))
			.filter((first) -> keys.stream().filter((key) -> key.startsWith(first)).count() > 1)
			.findFirst()
			.orElseThrow();
		Ran ran = this.shell.run("failures", "retry", digit);
		assertThat(ran.code()).isEqualTo(2);
		assertThat(ran.err()).startsWith("The key \"" + digit + "\" may mean ").contains(": write more of it");
		assertThat(size("low", TaskState.PENDING)).isZero();
	}

	@Test
	void noFailuresAreNoError() {
		this.redis.delete(List.of("asynq:{low}:retry", "asynq:{low}:archived"));
		assertThat(ok("failures", "ls", "-q", "low")).isEqualTo("No failures\n");
		assertThat(ok("failures", "ls", "-q", "low", "-o", "json").strip()).isEqualTo("[ ]");
	}

	private void retry(String queue, String id, String type, String error) {
		this.state.seedRetry(NOW.plusSeconds(600), failed(queue, id, type, error));
	}

	private void archived(String queue, String id, String type, String error) {
		this.state.seedArchived(NOW, failed(queue, id, type, error));
	}

	private static TaskMessage failed(String queue, String id, String type, String error) {
		return TaskMessage.builder(type, id, queue)
			.maxRetry(25)
			.errorMessage(error)
			.lastFailedAtSeconds(NOW.getEpochSecond())
			.build();
	}

	private String key(String type) {
		return json(ok("failures", "ls", "--type", type, "-o", "json")).at("/0/key").asString();
	}

	private long size(String queue, TaskState wanted) {
		return this.inspector.queueInfo(queue).size(wanted);
	}

	private static JsonNode json(String text) {
		return JsonMapper.shared().readTree(text);
	}

	private String ok(String... args) {
		Ran ran = this.shell.run(args);
		assertThat(ran.err()).isEmpty();
		assertThat(ran.code()).isZero();
		return ran.out();
	}

}
