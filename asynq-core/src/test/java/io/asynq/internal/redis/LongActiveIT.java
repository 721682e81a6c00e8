package io.asynq.internal.redis;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Properties;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import io.asynq.internal.worker.Due;
import io.asynq.internal.worker.EndedLease;
import io.asynq.internal.worker.LeasedTask;
import io.asynq.internal.worker.Outcome;
import io.asynq.internal.worker.OutcomeResult;
import io.asynq.test.RedisExtension;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.data.redis.connection.RedisConnection;
import org.springframework.data.redis.connection.RedisConnectionFactory;
import org.springframework.data.redis.core.script.RedisScript;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * No script examines many entries and no outcome is lost, however many tasks are active
 * and however long a queue is. Redis examines some 50 entries per microsecond, so 200,000
 * take about 5 ms.
 */
@Tag("slow")
@ExtendWith(RedisExtension.class)
class LongActiveIT extends OutcomeContract {

	private static final int OTHERS = 50_000;

	/** The size of one batch. */
	private static final int OUTCOMES = 256;

	/** The largest cost of a search in the middle of the list, removal included. */
	private static final int ROUNDS_OF_THE_WORST = OUTCOMES / 2;

	LongActiveIT(RedisConnectionFactory factory) {
		super(factory);
	}

	static Stream<Integer> whereTheTasksStand() {
		return Stream.of(0, OTHERS - 300, OTHERS);
	}

	@ParameterizedTest
	@MethodSource("whereTheTasksStand")
	void tasksNearEndOfListCompleteInFewSteps(int older) {
		List<LeasedTask> tasks = between(older, OTHERS - older);
		assertThat(steps(() -> reportAll(tasks))).isLessThanOrEqualTo(3);
		assertThat(this.state.redis().opsForList().size("asynq:{default}:active")).isEqualTo(OTHERS);
		assertThat(this.state.scores(QUEUE, "retry")).hasSize(OUTCOMES);
	}

	@Test
	void tasksInMiddleOfListCompleteInMoreSteps() {
		List<LeasedTask> tasks = between(OTHERS / 2, OTHERS / 2);
		assertThat(steps(() -> reportAll(tasks))).isBetween(30L, (long) ROUNDS_OF_THE_WORST);
		assertThat(this.state.redis().opsForList().size("asynq:{default}:active")).isEqualTo(OTHERS);
		assertThat(this.state.scores(QUEUE, "retry")).hasSize(OUTCOMES);
	}

	@Test
	void remainingBatchIsNotResentWholeWithEachStep() {
		List<LeasedTask> oneStep = between(0, 0);
		long once = bytes(() -> reportAll(oneStep));
		this.state.redis().delete(List.of("asynq:{default}:retry", "asynq:{default}:active"));
		List<LeasedTask> manySteps = between(OTHERS / 2, OTHERS / 2);
		assertThat(bytes(() -> reportAll(manySteps))).isLessThan(4 * once);
	}

	@Test
	void requeuedTasksKeepOrderOverManySteps() {
		List<LeasedTask> tasks = between(OTHERS / 2, OTHERS / 2);
		List<Outcome> outcomes = tasks.stream().<Outcome>map(Outcome.Requeue::new).toList();
		assertThat(steps(() -> this.broker.completer().report(outcomes))).isGreaterThan(1);
		assertThat(this.state.pending(QUEUE)).containsExactlyElementsOf(ids(tasks));
	}

	@Test
	void tasksOwnedByAnotherAreNotSearchedFor() {
		List<LeasedTask> tasks = between(OTHERS / 2, OTHERS / 2).stream()
			.map((task) -> attempt(task.message(), "another"))
			.toList();
		long before = calls("lpos") + calls("lrem");
		assertThat(steps(() -> report(tasks))).isOne();
		assertThat(calls("lpos") + calls("lrem") - before).isZero();
	}

	@Test
	void expiredLeasesAreClaimedWithoutScanningList() {
		List<LeasedTask> tasks = between(OTHERS / 2, OTHERS / 2);
		tasks.forEach((task) -> this.state.redis()
			.opsForZSet()
			.add("asynq:{default}:lease", task.message().id(), nowSeconds() - 60));
		long before = calls("lpos") + calls("lrem");
		List<EndedLease> ended = this.broker.upkeep()
			.ending(QUEUE, Duration.ofSeconds(-30), Duration.ofSeconds(10), 0, OUTCOMES)
			.leases();
		assertThat(this.broker.upkeep().claim(QUEUE, ended)).hasSize(OUTCOMES);
		assertThat(calls("lpos") + calls("lrem") - before).isZero();
	}

	@Test
	void idsWithoutTaskAreRemovedInSteps() {
		seedOthers(OTHERS / 2, "older");
		String[] ghosts = IntStream.range(0, 20).mapToObj((i) -> "ghost" + i).toArray(String[]::new);
		this.state.redis().opsForList().leftPushAll("asynq:{default}:active", ghosts);
		seedOthers(OTHERS / 2, "newer");
		for (String ghost : ghosts) {
			this.state.redis().opsForZSet().add("asynq:{default}:lease", ghost, nowSeconds() - 60);
		}
		List<Integer> passedOver = new ArrayList<>();
		do {
			passedOver.add(this.broker.upkeep()
				.ending(QUEUE, Duration.ofSeconds(-30), Duration.ofSeconds(10), 0, 100)
				.listed());
		}
		while (passedOver.get(passedOver.size() - 1) > 0);
		assertThat(passedOver).hasSizeGreaterThan(4).isSortedAccordingTo((a, b) -> b - a);
		assertThat(this.brokenTasks).hasSize(20);
		assertThat(this.state.redis().opsForList().size("asynq:{default}:active")).isEqualTo(OTHERS);
	}

	@ParameterizedTest
	@ValueSource(strings = { "pending", "active" })
	void dueIdsOfActiveTasksAreForwardedWithFewScans(String state) {
		seedOthers(4 * OTHERS, "older", state);
		List<String> ids = IntStream.range(0, 100).mapToObj((i) -> "older" + i).toList();
		ids.forEach((id) -> {
			this.state.seedField(QUEUE, id, "pending_since", utf8("1700000000000000000"));
			this.state.redis().opsForZSet().add("asynq:{default}:scheduled", id, nowSeconds() - 5);
		});
		long before = calls("lpos");
		assertThat(this.broker.upkeep().forward(QUEUE).moved()).isZero();
		assertThat(calls("lpos") - before).isLessThanOrEqualTo(1);
		assertThat(this.state.exists("asynq:{default}:scheduled")).isFalse();
		assertThat(this.state.redis().opsForList().size("asynq:{default}:" + state)).isEqualTo(4L * OTHERS);
	}

	/**
	 * Adds active tasks of others, with those of this test among them.
	 */
	private List<LeasedTask> between(int older, int newer) {
		seedOthers(older, "older");
		List<TaskMessage> messages = IntStream.range(0, OUTCOMES).mapToObj((i) -> message("t" + i).build()).toList();
		messages.forEach(this::active);
		seedOthers(newer, "newer");
		return messages.stream().map((message) -> attempt(message, "present")).toList();
	}

	private void seedOthers(int count, String prefix) {
		seedOthers(count, prefix, "active");
	}

	private void seedOthers(int count, String prefix, String state) {
		RedisScript<Long> script = RedisScript.of("""
				for i = ARGV[1], ARGV[2] do
				  local id = ARGV[3] .. string.format('%.0f', i)
				  redis.call('HSET', 'asynq:{default}:t:' .. id, 'state', ARGV[4])
				  redis.call('LPUSH', KEYS[1], id)
				  if ARGV[4] == 'active' then
				    redis.call('ZADD', KEYS[2], ARGV[5], id)
				  end
				end
				return 1
				""", Long.class);
		for (int from = 0; from < count; from += 5000) {
			this.state.redis()
				.execute(script, List.of("asynq:{default}:" + state, "asynq:{default}:lease"), String.valueOf(from),
						String.valueOf(Math.min(from + 5000, count) - 1), prefix, state,
						String.valueOf(nowSeconds() + 1000));
		}
	}

	private void reportAll(List<LeasedTask> tasks) {
		List<Outcome> outcomes = tasks.stream()
			.<Outcome>map((task) -> new Outcome.Retry(task, "x", Due.in(Duration.ofMinutes(1)), true))
			.toList();
		assertThat(this.broker.completer().report(outcomes)).extracting(OutcomeResult::status)
			.containsOnly(OutcomeResult.Status.APPLIED);
	}

	private void report(List<LeasedTask> tasks) {
		assertThat(this.broker.completer().report(tasks.stream().map(Outcome.Done::new).toList()))
			.extracting(OutcomeResult::status)
			.containsOnly(OutcomeResult.Status.NOT_ACTIVE);
	}

	private static List<String> ids(List<LeasedTask> tasks) {
		return tasks.stream().map((task) -> task.message().id()).toList();
	}

	private long steps(Runnable action) {
		long before = calls("evalsha");
		action.run();
		return calls("evalsha") - before;
	}

	private long bytes(Runnable action) {
		long before = received();
		action.run();
		return received() - before;
	}

	private long received() {
		try (RedisConnection connection = this.factory.getConnection()) {
			return Long.parseLong(connection.serverCommands().info("stats").getProperty("total_net_input_bytes"));
		}
	}

	private long calls(String command) {
		try (RedisConnection connection = this.factory.getConnection()) {
			Properties statistics = connection.serverCommands().info("commandstats");
			String line = statistics.getProperty("cmdstat_" + command, "calls=0,");
			return Long.parseLong(line.substring("calls=".length(), line.indexOf(',')));
		}
	}

}
