package io.asynq.cli;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;

import io.asynq.cli.TestShell.Ran;
import io.asynq.test.RedisExtension;
import io.asynq.test.TestRedis;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.data.redis.connection.RedisConnectionFactory;
import org.springframework.data.redis.core.StringRedisTemplate;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * What the program can do beyond Go's.
 */
@ExtendWith(RedisExtension.class)
class CommandsIT {

	private TestShell shell;

	private StringRedisTemplate redis;

	@BeforeEach
	void setUp(TestRedis server, RedisConnectionFactory connections) {
		this.shell = new TestShell(getClass(), server);
		this.redis = new StringRedisTemplate(connections);
	}

	@Test
	void listsAsJson() {
		enqueue("a", "mail", "one");
		enqueue("b", "mail", "two");
		JsonNode tasks = json("task", "list", "-q", "low", "-s", "pending", "-o", "json");
		assertThat(tasks.size()).isEqualTo(2);
		assertThat(tasks.at("/0/id").asString()).isEqualTo("a");
		assertThat(tasks.at("/0/payload").asString()).isEqualTo("b25l");
		assertThat(json("queue", "ls", "-o", "json").at("/0").asString()).isEqualTo("low");
		assertThat(json("queue", "inspect", "low", "-o", "json").at("/0/sizes/pending").asInt()).isEqualTo(2);
		assertThat(json("queue", "history", "low", "-o", "json").size()).isEqualTo(10);
		assertThat(json("stats", "-o", "json").at("/queues/0/Pending").asInt()).isEqualTo(2);
		assertThat(json("server", "ls", "-o", "json").size()).isZero();
		assertThat(json("cron", "ls", "-o", "json").size()).isZero();
		assertThat(json("cron", "history", "x", "-o", "json").at("/0/entry").asString()).isEqualTo("x");
		assertThat(json("group", "ls", "-q", "low", "-o", "json").size()).isZero();
		assertThat(json("task", "run", "-q", "low", "-i", "a", "-o", "json").isMissingNode()).isTrue();
		assertThat(json("task", "archive", "-q", "low", "-i", "a", "-o", "json").at("/done").asString())
			.isEqualTo("archived");
		assertThat(json("doctor", "-o", "json").at("/0/found").isEmpty()).isTrue();
		assertThat(json("version", "-o", "json").has("version")).isTrue();
	}

	@Test
	void listsOneEntryPerLine() {
		enqueue("a", "mail", "one");
		enqueue("b", "mail", "two");
		assertThat(ok("task", "list", "-q", "low", "-s", "pending", "-o", "jsonl").lines()).hasSize(2)
			.allMatch((line) -> line.startsWith("{\"id\":") && line.endsWith("}"));
	}

	@Test
	void printsStatsAsGoDoes() {
		enqueue("a", "mail", "one");
		JsonNode stats = json("stats", "--json");
		assertThat(stats.at("/aggregate/pending").asInt()).isEqualTo(1);
		assertThat(stats.at("/queues/0/Queue").asString()).isEqualTo("low");
		assertThat(stats.at("/queues/0/Latency").asLong()).isNotNegative();
		assertThat(stats.at("/queues/0/MemoryUsage").asLong()).isPositive();
		assertThat(stats.at("/redis/redis_version").asString()).isNotEmpty();
		assertThat(ok("stats", "--json").lines()).hasSize(1);
	}

	@Test
	void inspectsPayloadAndHeaders() {
		ok("task", "enqueue", "-t", "mail", "-l", "{\"to\":\"Zoë\"}", "--queue", "low", "--id", "a", "--header",
				"tenant=acme", "--timeout", "90s", "--deadline", "2040-01-02T03:04:05Z", "--retention", "1h",
				"--unique", "10s");
		assertThat(ok("task", "inspect", "-q", "low", "-i", "a")).contains("Payload (13 bytes)\n{\"to\":\"Zoë\"}\n")
			.contains("Header:    tenant = acme\n")
			.contains("Timeout:   1m30s\n")
			.contains("Deadline:  Mon Jan  2 03:04:05 UTC 2040\n")
			.contains("Retention: 1h0m0s\n");
	}

	@Test
	void showsPayloadsThatAreNoText(@TempDir Path directory) throws IOException {
		Path file = Files.write(directory.resolve("payload"), new byte[] { (byte) 0xC3, 0x28, 0, 'x' });
		ok("task", "enqueue", "-t", "mail", "--payload_file", file.toString(), "--queue", "low", "--id", "a");
		assertThat(ok("task", "list", "-q", "low", "-s", "pending")).contains("a   mail  non-printable bytes");
		assertThat(ok("task", "inspect", "-q", "low", "-i", "a"))
			.containsPattern("00000000  c3 28 00 78 +\\.\\(\\.x\n");
	}

	@Test
	void finds() {
		enqueue("a", "mail:send", "one");
		enqueue("b", "mail:bounce", "two");
		enqueue("c", "report", "three");
		assertThat(ids("--type", "mail:*")).containsExactly("a", "b");
		assertThat(ids("--type", "mail:send")).containsExactly("a");
		assertThat(ids("--contains", "thr")).containsExactly("c");
		assertThat(ids("--filter", "type:mail:* payload:two")).containsExactly("b");
		assertThat(ids("--type", "mail:*", "--page", "2", "--size", "1")).containsExactly("b");
		assertThat(ids("--older", "1h")).isEmpty();
		assertThat(ids("--newer", "1h")).containsExactly("a", "b", "c");
		assertThat(ids("--error", "none")).isEmpty();
		assertThat(ok("task", "ls", "-q", "low", "-s", "pending", "--type", "x"))
			.isEqualTo("No pending tasks in \"low\" queue\n");
	}

	@Test
	void actsOnThoseThatPassFilter() {
		enqueue("a", "mail", "one");
		enqueue("b", "mail", "two");
		enqueue("c", "report", "three");
		assertThat(ok("task", "archiveall", "-q", "low", "-s", "pending", "--type", "mail", "--yes"))
			.isEqualTo("2 tasks archived\n");
		assertThat(ok("task", "runall", "-q", "low", "-s", "archived", "--contains", "two", "--yes"))
			.isEqualTo("1 tasks are now pending\n");
		assertThat(ok("task", "deleteall", "-q", "low", "-s", "archived", "--type", "report", "--yes"))
			.isEqualTo("0 tasks deleted\n");
		assertThat(ids()).containsExactly("c", "b");
	}

	@Test
	void givesRetriesBack() {
		enqueue("a", "mail", "one");
		ok("task", "archive", "-q", "low", "-i", "a");
		assertThat(ok("task", "run", "-q", "low", "-i", "a", "--fresh")).isEqualTo("task is now pending\n");
		ok("task", "archive", "-q", "low", "-i", "a");
		assertThat(ok("task", "runall", "-q", "low", "-s", "archived", "--fresh", "--yes"))
			.isEqualTo("1 tasks are now pending\n");
	}

	@Test
	void updatesPayloadOfScheduledTask() {
		ok("task", "enqueue", "-t", "mail", "-l", "old", "--queue", "low", "--id", "a", "--process_in", "1h");
		assertThat(ok("task", "update-payload", "-q", "low", "-i", "a", "-l", "new"))
			.isEqualTo("task payload updated\n");
		assertThat(ok("task", "inspect", "-q", "low", "-i", "a")).contains("(3 bytes)\nnew\n");
		enqueue("b", "mail", "x");
		Ran refused = this.shell.run("task", "update-payload", "-q", "low", "-i", "b", "-l", "new");
		assertThat(refused.code()).isEqualTo(1);
		assertThat(refused.err()).startsWith("could not update payload: Task 'b'");
	}

	@Test
	void cancels() {
		enqueue("a", "mail", "one");
		enqueue("b", "mail", "one");
		Ran waiting = this.shell.run("task", "cancel", "a", "b");
		assertThat(waiting.out()).isEqualTo("Sent cancelation signal for task a\nSent cancelation signal for task b\n");
		assertThat(waiting.err()).startsWith("warning: task \"a\" of queue \"low\" is pending, so no server")
			.hasLineCount(2);
		assertThat(waiting.code()).isZero();
		assertThat(ok("task", "cancel", "-q", "low", "--mode", "archive", "a")).isEqualTo("Archived task a\n");
		assertThat(ok("task", "cancel", "-q", "low", "--mode", "delete", "b")).isEqualTo("Deleted task b\n");
		assertThat(this.shell.run("task", "cancel", "-q", "low", "--mode", "delete", "b").code()).isEqualTo(1);
	}

	@ParameterizedTest
	@ValueSource(strings = { "cancel nope", "cancel -q low nope", "cancel -q low --mode delete nope",
			"cancel -q low --mode archive nope", "archive -q low -i nope", "run -q low -i nope",
			"run -q low -i nope --fresh", "delete -q low -i nope", "update-payload -q low -i nope -l x",
			"inspect -q low -i nope" })
	void failsIfThereIsNoSuchTask(String command) {
		enqueue("a", "mail", "one");
		Ran ran = this.shell.run(("task " + command).split(" "));
		assertThat(ran.code()).isEqualTo(1);
		assertThat(ran.out()).isEmpty();
		assertThat(ran.err()).contains("could not ", ": asynq: task not found\n").containsPattern("[tT]ask .nope.");
	}

	@ParameterizedTest
	@ValueSource(strings = { "cancel -q nope", "cancel -q nope --mode delete", "archive -q nope -i", "run -q nope -i",
			"delete -q nope -i", "inspect -q nope -i" })
	void failsIfThereIsNoSuchQueue(String command) {
		enqueue("a", "mail", "one");
		Ran ran = this.shell.run(("task " + command + " a").split(" "));
		assertThat(ran.code()).isEqualTo(1);
		assertThat(ran.out()).isEmpty();
		assertThat(ran.err()).contains("could not ").containsPattern("asynq: (queue|task) not found\n.*'nope'");
	}

	@Test
	void oneTaskThatIsNotThereKeepsNoOtherFromBeingCancelled() {
		enqueue("a", "mail", "one");
		Ran ran = this.shell.run("task", "cancel", "nope", "a");
		assertThat(ran.code()).isEqualTo(1);
		assertThat(ran.out()).isEqualTo("Sent cancelation signal for task a\n");
	}

	@ParameterizedTest
	@CsvSource(delimiter = ';', textBlock = """
			pending;                      1 task (1 pending)
			pending archived;             2 tasks (1 pending, 1 archived)
			scheduled;                    1 task (1 scheduled)
			aggregating;                  1 task (1 aggregating)
			archived scheduled archived;  3 tasks (1 scheduled, 2 archived)
			""")
	void saysWhatIsInAQueueThatIsNotRemoved(String states, String contents) {
		int number = 0;
		for (String state : states.split(" ")) {
			String id = "id-" + number++;
			enqueue(id, "mail", "x", switch (state) {
				case "scheduled" -> List.of("--process_in", "1h");
				case "aggregating" -> List.of("--group", "g");
				default -> List.of();
			});
			if (state.equals("archived")) {
				ok("task", "archive", "-q", "low", "-i", id);
			}
		}
		Ran ran = this.shell.run("queue", "rm", "low");
		assertThat(ran.err()).isEqualTo("error: queue \"low\" is not empty: it has " + contents
				+ "\nIf you are sure you want to delete it with its tasks, run 'asynq queue rm --force low'\n");
		assertThat(ran.code()).isEqualTo(1);
		assertThat(ok("queue", "ls")).isEqualTo("low\n");
	}

	@Test
	void asksBeforeAnythingForAll() {
		enqueue("a", "mail", "one");
		Ran no = this.shell.person("n\n").run("task", "deleteall", "-q", "low", "-s", "pending");
		assertThat(no.code()).isEqualTo(1);
		assertThat(no.err()).isEqualTo("Delete all 1 pending tasks of queue \"low\"? [y/N] Nothing was done\n");
		assertThat(ids()).containsExactly("a");
		assertThat(this.shell.person("").run("queue", "rm", "--force", "low").code()).isEqualTo(1);
		assertThat(ids()).containsExactly("a");
		Ran yes = this.shell.person("yes\n").run("task", "deleteall", "-q", "low", "-s", "pending");
		assertThat(yes.out()).isEqualTo("1 tasks deleted\n");
		assertThat(yes.code()).isZero();
	}

	@ParameterizedTest
	@ValueSource(strings = { "task deleteall -q low -s pending", "task archiveall -q low -s pending --type mail",
			"task runall -q low -s archived", "queue remove --force low" })
	void refusesWithoutAnybodyToAsk(String command) {
		enqueue("a", "mail", "one");
		enqueue("b", "mail", "one");
		ok("task", "archive", "-q", "low", "-i", "b");
		Ran refused = this.shell.run(command.split(" "));
		assertThat(refused.code()).isEqualTo(2);
		assertThat(refused.err()).contains("say --yes, or set ASYNQ_YES=true");
		assertThat(ids()).containsExactly("a");
		assertThat(this.shell.variable("ASYNQ_YES", "true").run(command.split(" ")).code()).isZero();
	}

	@Test
	void isBoldForPeopleUnlessTheyDoNotWantIt() {
		enqueue("a", "mail", "one");
		assertThat(ok("queue", "inspect", "low")).startsWith("Queue Info\n");
		assertThat(this.shell.person("").run("queue", "inspect", "low").out())
			.startsWith("\u001b[1mQueue Info\u001b[0m\n");
		assertThat(this.shell.variable("NO_COLOR", "1").run("queue", "inspect", "low").out())
			.startsWith("Queue Info\n");
	}

	@ParameterizedTest
	@ValueSource(strings = { "a/b#c%d?e", "<b>\"x\"</b>", "it's", "=1+1", "@file", "--queue", "-i", "$(id)",
			"${sys:user.home}", "a,b", "ключ", "\uD83D\uDE80", "a b", "asynq:{low}:pending", "@|red x|@", "%s%n" })
	void takesAnyId(String id) {
		ok("task", "enqueue", "-t=" + id, "-l=" + id, "--queue=" + id, "--id=" + id);
		assertThat(ok("queue", "ls")).isEqualTo(id + "\n");
		assertThat(ok("task", "list", "-q=" + id, "-s", "pending"))
			.containsPattern("\n(" + Pattern.quote(id) + " *){3}\n");
		assertThat(ok("task", "inspect", "-q=" + id, "-i=" + id)).contains("ID:      " + id + "\n");
		assertThat(ok("queue", "inspect", "--", id)).contains("Name:   " + id + "\n");
		assertThat(ok("task", "delete", "-q=" + id, "-i=" + id)).isEqualTo("task deleted\n");
		assertThat(ok("queue", "rm", "--", id)).contains("Successfully removed queue");
	}

	@Test
	void controlCharactersDoNotReachTheTerminal() {
		String id = "a\nb\u001b[31m\u0007";
		ok("task", "enqueue", "-t=" + id, "-l=" + id, "--queue=" + id, "--id=" + id);
		String shown = ok("queue", "ls") + ok("task", "list", "-q=" + id, "-s", "pending")
				+ ok("task", "inspect", "-q=" + id, "-i=" + id) + ok("stats");
		assertThat(shown).contains("\"a\\nb\\x1b[31m\\a\"").doesNotContain("\u001b", "\u0007");
		assertThat(json("task", "inspect", "-q=" + id, "-i=" + id, "-o", "json").at("/id").asString()).isEqualTo(id);
	}

	@Test
	void takesIdsOfOneKilobyte() {
		String id = "x".repeat(1024);
		enqueue(id, "mail", "one");
		assertThat(ok("task", "inspect", "-q", "low", "-i", id)).contains(id);
	}

	@ParameterizedTest
	@CsvSource(delimiter = ';', textBlock = """
			queue ls --nosuch;                              unknown flag: --nosuch
			queu ls;                                        unknown command "queu" for "asynq"
			queue lst;                                      unknown command "lst" for "asynq queue"
			task list;                                      required flag(s) "queue", "state" not set
			queue inspect;                                  requires at least 1 arg(s), only received 0
			task list -q low -s nosuch;                     state="nosuch" is not supported
			task list -q low -s aggregating;                Flag --group is required for aggregating tasks
			task list -q low -s pending --page 0;           Page number must be at least 1
			task list -q low -s pending --page x;           Invalid value for option '--page'
			task list -q low -s pending --filter what:ever; A filter has no 'what:'
			task list -q low -s pending --older soon;       A filter's 'older:' must be how long ago
			task deleteall -q low -s active;                state="active" is not supported
			task enqueue -t mail;                           required flag(s) "payload" not set
			task enqueue -t mail -l x --timeout 5;          --timeout: '5' is no duration
			task enqueue -t mail -l x --process_at noon;    --process_at must be a time such as
			task enqueue -t mail -l x --unique 1ms;         could not enqueue task: Option 'unique' must be at least
			task enqueue -t mail --payload_file nosuch;     --payload_file nosuch cannot be read
			task cancel a --mode delete;                    --mode needs --queue
			task cancel a -q low --mode x;                  --mode must be retry, archive or delete
			doctor --kind nosuch;                           --kind must be one of queue-not-listed
			tail --interval 1ms;                            --interval must be at least 100ms
			queue ls -o xml;                                --output must be table, wide, json or jsonl
			queue ls --db x;                                --db must be a whole number from 0
			queue ls --cluster=maybe;                       invalid argument "maybe" for "--cluster"
			queue ls -u http://x;                           --uri begins with 'http://'
			queue ls -u redis-sentinel://x;                 --uri lacks the master's name
			queue ls --config nosuch.yaml;                  Configuration file nosuch.yaml cannot be read
			completion fish;                                Completion is there for bash and zsh
			""")
	void tellsWhatItDoesNotUnderstand(String command, String message) {
		Ran ran = this.shell.run(command.split(" "));
		assertThat(ran.err()).startsWith(message);
		assertThat(ran.out()).isEmpty();
		assertThat(ran.code()).isEqualTo(2);
	}

	@Test
	void suggestsWhatMayBeMeant() {
		assertThat(this.shell.run("task", "lits").err()).contains("Did you mean this?\n").contains("\tlist\n");
	}

	@ParameterizedTest
	@CsvSource(delimiter = ';', textBlock = """
			--help;           Usage: asynq
			help;             Usage: asynq
			queue;            Usage: asynq queue
			help task list;   Usage: asynq task list
			task list -h;     Usage: asynq task list
			--version;        asynq version
			-v;               asynq version
			version;          asynq version
			completion;       #!/usr/bin/env bash
			completion zsh;   #!/usr/bin/env bash
			""")
	void helps(String command, String begin) {
		assertThat(ok(command.split(" "))).startsWith(begin);
	}

	@Test
	void hasNoMigrate() {
		assertThat(this.shell.run("migrate").code()).isEqualTo(2);
	}

	@Test
	void findsAndRepairs() {
		enqueue("a", "mail", "one");
		this.redis.opsForList().remove("asynq:{low}:pending", 1, "a");
		Ran found = this.shell.run("doctor");
		assertThat(found.code()).isEqualTo(1);
		assertThat(found.out()).containsPattern("low +task-without-container +1 +a: ")
			.endsWith("Repair it with: asynq doctor --apply\n");
		assertThat(this.shell.run("doctor", "--kind", "double-entry").code()).isZero();
		assertThat(this.shell.run("doctor", "low", "--apply").out()).containsPattern("low +task-without-container +1");
		assertThat(ids()).containsExactly("a");
		found = this.shell.run("doctor");
		assertThat(found.code()).as("nobody takes the task").isEqualTo(1);
		assertThat(found.out()).contains("error queue-without-consumer: low: ")
			.doesNotContain("Nothing is wrong", "Repair it");
		assertThat(ok("doctor", "--kind", "double-entry")).isEqualTo("Nothing is wrong in 1 queue\n");
	}

	@Test
	void findsTypesWithoutAHandler() {
		enqueue("a", "mail", "one");
		this.redis.opsForZSet().add("asynqj:{low}:unhandled", "mail", 0);
		this.redis.opsForZSet().add("asynqj:{low}:unhandled:mail", "a", 1);
		Ran found = this.shell.run("doctor");
		assertThat(found.code()).isEqualTo(1);
		assertThat(found.out()).containsPattern("low +mail +1 ")
			.doesNotContain("Nothing is wrong", "--apply")
			.contains("No live server of the queue has a handler for these types");
		assertThat(json("doctor", "-o", "json").at("/0/unhandled/mail").asInt()).isEqualTo(1);
		assertThat(this.shell.run("doctor", "--kind", "double-entry").code()).isZero();
	}

	@Test
	void tailsForAWhile() {
		enqueue("a", "mail", "one");
		assertThat(ok("tail", "--for", "0s")).isEmpty();
		assertThat(ok("tail", "low", "--for", "200ms", "--interval", "100ms")).isEmpty();
	}

	@Test
	void warnsOfPausingAQueueThatIsNotThere() {
		Ran ran = this.shell.run("queue", "pause", "nosuch");
		assertThat(ran.code()).isZero();
		assertThat(ran.out()).isEqualTo("Successfully paused queue \"nosuch\"\n");
		assertThat(ran.err()).isEqualTo("warning: there is no queue \"nosuch\" yet\n");
		assertThat(this.shell.run("queue", "pause", "nosuch").err()).isEqualTo("queue \"nosuch\" is already paused\n");
		assertThat(ok("queue", "unpause", "nosuch")).isEqualTo("Successfully unpaused queue \"nosuch\"\n");
		assertThat(this.shell.run("queue", "resume", "nosuch").err()).isEqualTo("queue \"nosuch\" is not paused\n");
	}

	@Test
	void oneQueueThatFailsKeepsNoOtherFromItsTurn() {
		enqueue("a", "mail", "one");
		Ran ran = this.shell.run("queue", "inspect", "nosuch", "low");
		assertThat(ran.code()).isEqualTo(1);
		assertThat(ran.err()).isEqualTo("error: NOT_FOUND: queue \"nosuch\" does not exist\n");
		assertThat(ran.out()).contains("Name:   low\n");
		assertThat(this.shell.run("queue", "history", "nosuch", "low").out()).contains("Queue: low\n");
		Ran removal = this.shell.run("queue", "delete", "low");
		assertThat(removal.err()).contains("run 'asynq queue rm --force low'");
		assertThat(removal.code()).isEqualTo(1);
	}

	@Test
	void readsFile(@TempDir Path home, TestRedis server) throws IOException {
		enqueue("a", "mail", "one");
		Files.writeString(home.resolve(".asynq.yaml"), "uri: " + server.uri() + "\noutput: json\n");
		TestShell other = new TestShell(getClass(), server).variable("ASYNQ_URI", "").home(home);
		assertThat(other.run("queue", "ls").out().strip()).isEqualTo("[ \"low\" ]");
		assertThat(other.run("queue", "ls", "-o", "table").out()).isEqualTo("low\n");
		assertThat(other.variable("ASYNQ_OUTPUT", "jsonl").run("queue", "ls").out()).isEqualTo("\"low\"\n");
	}

	@ParameterizedTest
	@ValueSource(
			strings = { "queue ls", "queue inspect low", "stats", "task list -q low -s pending", "task run -q low -i a",
					"task enqueue -t mail -l x", "server ls", "limit ls", "cron ls", "doctor", "tail --for 1s",
					"group ls -q low", "queue pause low", "task cancel a", "task deleteall -q low -s pending" })
	void saysThatRedisIsAway(String command, TestRedis server) {
		TestShell away = new TestShell(getClass(), server).variable("ASYNQ_URI", "127.0.0.1:1");
		Ran ran = away.run(command.split(" "));
		assertThat(ran.code()).isEqualTo(1);
		assertThat(ran.out()).isEmpty();
		assertThat(ran.err()).contains("127.0.0.1:1").doesNotContain("spring.", "\tat ").hasLineCount(1);
	}

	@Test
	void saysThatThePasswordIsWrong() {
		Ran ran = this.shell.run("queue", "ls", "-p", "s3cret");
		assertThat(ran.code()).isEqualTo(1);
		assertThat(ran.err()).doesNotContain("s3cret", "spring.").contains("--password");
	}

	private void enqueue(String id, String type, String payload) {
		enqueue(id, type, payload, List.of());
	}

	private void enqueue(String id, String type, String payload, List<String> flags) {
		ok(Stream
			.concat(Stream.of("task", "enqueue", "-t", type, "-l=" + payload, "--queue", "low", "--id", id),
					flags.stream())
			.toArray(String[]::new));
	}

	private List<String> ids(String... flags) {
		String[] command = Stream
			.concat(Stream.of("task", "list", "-q", "low", "-s", "pending", "-o", "json"), Stream.of(flags))
			.toArray(String[]::new);
		return json(command).valueStream().map((task) -> task.at("/id").asString()).toList();
	}

	private JsonNode json(String... args) {
		Ran ran = this.shell.run(args);
		return ran.out().isEmpty() ? JsonMapper.shared().missingNode() : JsonMapper.shared().readTree(ran.out());
	}

	private String ok(String... args) {
		Ran ran = this.shell.run(args);
		assertThat(ran.err()).isEmpty();
		assertThat(ran.code()).isZero();
		return ran.out();
	}

}
