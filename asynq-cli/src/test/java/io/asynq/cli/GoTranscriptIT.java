package io.asynq.cli;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import io.asynq.Task;
import io.asynq.TaskOptions;
import io.asynq.cli.TestShell.Ran;
import io.asynq.test.RedisExtension;
import io.asynq.test.SameDay;
import io.asynq.test.TestRedis;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.data.redis.connection.RedisConnectionFactory;
import org.springframework.data.redis.core.StringRedisTemplate;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Says what Go's program has said: {@code go.txt} is what a run of it printed, without
 * what depends on the machine. Ours may say more behind it, and ends with 2 instead of 1
 * if it does not understand a command.
 */
@ExtendWith(RedisExtension.class)
class GoTranscriptIT {

	private static final Pattern WORD = Pattern.compile("'([^']*)'|\"([^\"]*)\"|(\\S+)");

	@Test
	void saysWhatGoHasSaid(TestRedis redis, RedisConnectionFactory connections) throws IOException {
		StringRedisTemplate template = new StringRedisTemplate(connections);
		TestShell shell = new TestShell(getClass(), redis).variable("ASYNQ_YES", "true");
		asAfterTheSample(template, redis);
		List<String> differences = new ArrayList<>();
		for (String block : blocks()) {
			String command = block.substring("$ asynq ".length(), block.indexOf('\n'));
			String[] said = block.substring(block.indexOf('\n') + 1).split("\\[exit ");
			Ran ran = shell.run(words(command));
			String expected = normal(command, said[0]);
			boolean failed = !said[1].startsWith("0");
			if (!normal(command, ran.all()).startsWith(expected.stripTrailing()) || failed != (ran.code() != 0)) {
				differences.add("$ asynq " + command + "\nGo:\n" + block + "\nhere:\n" + ran.all() + ran.code());
			}
		}
		assertThat(differences).isEmpty();
	}

	/** What Go's program found: 620 attempts in four queues, 400 tasks are left. */
	private static void asAfterTheSample(StringRedisTemplate redis, TestRedis server) {
		String today = SameDay.begin().toString();
		counters(redis, "low", today, 200, 0);
		counters(redis, "default", today, 200, 0);
		counters(redis, "critical", today, 220, 20);
		redis.opsForSet().add("asynq:queues", "low", "default", "critical");
		Settings settings = new Settings(Map.of("uri", server.uri().toString()), Map.of(), Map.of());
		try (Session session = Session.open(settings, Clock.systemUTC())) {
			List<Task> tasks = Collections.nCopies(200, Task.of("t", "x"));
			session.client().enqueueAll(tasks, TaskOptions.of((options) -> options.queue("reports").group("sales")));
			session.client().enqueueAll(tasks, TaskOptions.of((options) -> options.queue("low")));
		}
		for (String id : Objects.requireNonNull(redis.opsForList().range("asynq:{low}:pending", 0, -1))) {
			redis.opsForZSet().add("asynq:{low}:completed", id, 4_000_000_000L);
			redis.opsForHash().put("asynq:{low}:t:" + id, "state", "completed");
		}
		redis.delete("asynq:{low}:pending");
	}

	private static void counters(StringRedisTemplate redis, String queue, String day, int processed, int failed) {
		redis.opsForValue().set("asynq:{" + queue + "}:processed:" + day, String.valueOf(processed));
		redis.opsForValue().set("asynq:{" + queue + "}:processed", String.valueOf(processed));
		redis.opsForValue().set("asynq:{" + queue + "}:failed:" + day, String.valueOf(failed));
		redis.opsForValue().set("asynq:{" + queue + "}:failed", String.valueOf(failed));
	}

	private static List<String> blocks() throws IOException {
		try (InputStream in = Objects.requireNonNull(GoTranscriptIT.class.getResourceAsStream("go.txt"))) {
			String text = new String(in.readAllBytes(), StandardCharsets.UTF_8);
			return Stream.of(text.split("\n(?=\\$ asynq )")).map(String::strip).toList();
		}
	}

	private static String[] words(String command) {
		return WORD.matcher(command)
			.results()
			.map((word) -> Stream.of(1, 2, 3).map(word::group).filter(Objects::nonNull).findFirst().orElseThrow())
			.toArray(String[]::new);
	}

	private static String normal(String command, String text) {
		String normal = text.replaceAll("\\d{4}-\\d\\d-\\d\\d", "<day>")
			.replaceAll("(?m)^\\S+ +\\d+ days +.*$", "<redis>")
			.replaceAll("[A-Z][a-z]{2} [A-Z][a-z]{2} +\\d+ [0-9:]{8} UTC \\d{4}", "<time>")
			.replaceAll("\\bin (?:\\d+h)?\\d+m\\d+s *", "in <time>");
		if (command.equals("queue list")) {
			// A set has no order; here it is sorted
			return normal.lines().sorted().collect(Collectors.joining("\n"));
		}
		return command.equals("stats") ? sortedColumns(normal) : normal;
	}

	private static String sortedColumns(String text) {
		List<String> lines = new ArrayList<>(text.lines().toList());
		int table = lines.indexOf("Task Count by Queue");
		for (int line = table + 1; line <= table + 3; line++) {
			String[] cells = lines.get(line).strip().split(" {2,}");
			Arrays.sort(cells);
			lines.set(line, String.join("  ", cells));
		}
		return String.join("\n", lines);
	}

}
