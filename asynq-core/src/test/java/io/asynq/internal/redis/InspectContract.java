package io.asynq.internal.redis;

import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

import io.asynq.BrokerException;
import io.asynq.TaskInfo;
import io.asynq.TaskState;
import io.asynq.inspect.DailyStats;
import io.asynq.inspect.GroupInfo;
import io.asynq.inspect.QueueStats;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.springframework.data.redis.connection.RedisConnectionFactory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * How tasks are listed and queues are read.
 */
@OnDrivers
class InspectContract extends BrokerContract {

	InspectContract(RedisConnectionFactory factory) {
		super(factory);
	}

	@Test
	void listsPendingTasksNextFirst() {
		this.state.seedPending(messages(7));
		assertThat(ids(TaskState.PENDING, 0, 3)).containsExactly("t0", "t1", "t2");
		assertThat(ids(TaskState.PENDING, 3, 3)).containsExactly("t3", "t4", "t5");
		assertThat(ids(TaskState.PENDING, 6, 3)).containsExactly("t6");
		assertThat(ids(TaskState.PENDING, 9, 3)).isEmpty();
		assertThat(this.broker.tasks().list(QUEUE, TaskState.PENDING, 0, 1)).singleElement()
			.satisfies((info) -> assertThat(info.nextProcessAt()).isEqualTo(this.clock.instant()));
	}

	@Test
	void listsActiveTasksLongestRunningFirstWithExpiredLeases() {
		this.state.seedActive(in(1), message("a1").build());
		this.state.seedActive(in(0), message("a2").build());
		this.state.seedActive(null, message("a3").build());
		List<TaskInfo> active = this.broker.tasks().list(QUEUE, TaskState.ACTIVE, 0, 30);
		assertThat(active).extracting(TaskInfo::id).containsExactly("a1", "a2", "a3");
		assertThat(active).extracting(TaskInfo::orphaned).containsExactly(false, true, false);
		assertThat(active).extracting(TaskInfo::nextProcessAt).containsOnlyNulls();
	}

	@ParameterizedTest
	@EnumSource(names = { "SCHEDULED", "RETRY", "ARCHIVED", "COMPLETED" })
	void listsSortedTasksByLowestScore(TaskState state) {
		for (int i : new int[] { 3, 1, 5, 2, 4 }) {
			seed(state, in(i), message("t" + i).build());
		}
		assertThat(ids(state, 0, 2)).containsExactly("t1", "t2");
		assertThat(ids(state, 4, 2)).containsExactly("t5");
		assertThat(ids(state, 5, 2)).isEmpty();
		Instant due = this.broker.tasks().list(QUEUE, state, 0, 1).get(0).nextProcessAt();
		boolean waits = state == TaskState.SCHEDULED || state == TaskState.RETRY;
		assertThat(due).isEqualTo(waits ? Instant.ofEpochSecond(nowSeconds() + 1) : null);
	}

	@Test
	void listsTasksOfGroupByJoinTime() {
		this.state.seedGrouped(in(2), message("late").group("g 1").build());
		this.state.seedGrouped(in(1), message("early").group("g 1").build());
		this.state.seedGrouped(in(0), message("other").group("g").build());
		assertThat(this.broker.tasks().listGroup(QUEUE, "g 1", 0, 30)).extracting(TaskInfo::id)
			.containsExactly("early", "late");
		assertThat(this.broker.tasks().listGroup(QUEUE, "g 1", 1, 30)).extracting(TaskInfo::state)
			.containsExactly(TaskState.AGGREGATING);
		assertThat(this.broker.tasks().listGroup(QUEUE, "nobody", 0, 30)).isEmpty();
	}

	@Test
	void listedTaskHasAllStoredFields() {
		this.state.seedCompleted(in(60),
				message("t1").retried(2)
					.errorMessage("boom")
					.completedAtSeconds(1_700_000_000)
					.retentionSeconds(7)
					.headers(Map.of("trace", "abc"))
					.build());
		this.state.seedField(QUEUE, "t1", "result", utf8("42"));
		TaskInfo listed = this.broker.tasks().list(QUEUE, TaskState.COMPLETED, 0, 30).get(0);
		assertThat(listed).usingRecursiveComparison().isEqualTo(this.broker.tasks().find(QUEUE, "t1").orElseThrow());
		assertThat(listed.result()).isEqualTo(utf8("42"));
		assertThat(listed.headers()).containsEntry("trace", "abc");
	}

	@Test
	void undecodableTasksAreLeftOut() {
		this.state.seedPending(message("p1").build(), message("bad").build(), message("p2").build());
		this.state.seedField(QUEUE, "bad", "msg", new byte[] { (byte) 0xFF });
		this.state.redis().opsForList().leftPush("asynq:{default}:pending", "gone");
		this.state.redis().opsForValue().set("asynq:{default}:t:text", "no hash");
		this.state.redis().opsForList().leftPush("asynq:{default}:pending", "text");
		assertThat(ids(TaskState.PENDING, 0, 30)).containsExactly("p1", "p2");
		assertThat(ids(TaskState.PENDING, 0, 2)).containsExactly("p1");
		assertThat(ids(TaskState.PENDING, 2, 2)).containsExactly("p2");
	}

	@Test
	void readsPagesLargerThanOneStep() {
		this.state.seedPending(messages(600));
		assertThat(ids(TaskState.PENDING, 0, 1000)).hasSize(600).startsWith("t0", "t1").endsWith("t599");
		assertThat(ids(TaskState.PENDING, 100, 300)).hasSize(300).startsWith("t100").endsWith("t399");
		byte[] large = new byte[3 * 1024 * 1024];
		this.state.seedScheduled(in(1), message("s1").payload(large).build(), message("s2").payload(large).build(),
				message("s3").payload(large).build());
		assertThat(ids(TaskState.SCHEDULED, 0, 30)).containsExactly("s1", "s2", "s3");
	}

	@Test
	void pagesBeyondTheEndAreEmpty() {
		this.state.seedPending(messages(2));
		this.state.seedScheduled(in(1), message("s1").build());
		for (long offset : new long[] { Integer.MAX_VALUE, 1L << 40, Long.MAX_VALUE }) {
			assertThat(ids(TaskState.PENDING, offset, Integer.MAX_VALUE)).isEmpty();
			assertThat(ids(TaskState.SCHEDULED, offset, Integer.MAX_VALUE)).isEmpty();
		}
	}

	@Test
	void namesContainerOfWrongType() {
		this.state.redis().opsForSet().add("asynq:{default}:retry", "x");
		assertThatExceptionOfType(BrokerException.class).isThrownBy(() -> ids(TaskState.RETRY, 0, 30))
			.withMessageContaining("asynq:{default}:retry");
	}

	@Test
	void readsCountersOfLastDays() {
		this.state.redis().opsForValue().set("asynq:{default}:processed:2096-03-04", "5");
		this.state.redis().opsForValue().set("asynq:{default}:failed:2096-03-04", "2");
		this.state.redis().opsForValue().set("asynq:{default}:processed:2096-02-29", "7");
		this.state.redis().opsForValue().set("asynq:{default}:failed:2096-03-03", "garbage");
		this.state.redis().opsForSet().add("asynq:{default}:failed:2096-03-02", "no text");
		List<DailyStats> days = this.broker.queues().history(QUEUE, LocalDate.parse("2096-03-04"), 366);
		assertThat(days).hasSize(366);
		assertThat(days.subList(0, 6)).containsExactly(day("2096-03-04", 5, 2), day("2096-03-03", 0, 0),
				day("2096-03-02", 0, 0), day("2096-03-01", 0, 0), day("2096-02-29", 7, 0), day("2096-02-28", 0, 0));
	}

	@Test
	void listsGroupsWithSizes() {
		assertThat(this.broker.queues().groups(QUEUE)).isEmpty();
		this.state.seedGrouped(in(0), message("1").group("b").build(), message("2").group("a:x").build(),
				message("3").group("b").build());
		this.state.redis().opsForSet().add("asynq:{default}:groups", "empty");
		assertThat(this.broker.queues().groups(QUEUE)).containsExactly(new GroupInfo("a:x", 1), new GroupInfo("b", 2),
				new GroupInfo("empty", 0));
	}

	@Test
	void listsManyGroupsInSteps() {
		manyGroups(1200);
		assertThat(this.broker.queues().groups(QUEUE)).hasSize(1200);
	}

	@Test
	void groupCountIsCachedForThirtySecondsWithItsAge() {
		manyGroups(1001);
		this.state.redis().opsForZSet().add("asynq:{default}:g:g7", "t1", 1);
		assertThat(stats().aggregatingAge()).isZero();
		this.state.redis().opsForZSet().add("asynq:{default}:g:g8", "t2", 1);
		this.clock.advance(Duration.ofSeconds(30));
		assertThat(stats().sizes()).containsEntry(TaskState.AGGREGATING, 1L);
		assertThat(stats().aggregatingAge()).isEqualTo(Duration.ofSeconds(30));
		this.clock.advance(Duration.ofSeconds(1));
		assertThat(stats().sizes()).containsEntry(TaskState.AGGREGATING, 2L);
		assertThat(stats().aggregatingAge()).isZero();
		this.state.redis().opsForSet().remove("asynq:{default}:groups", "g1000");
		this.state.redis().opsForZSet().add("asynq:{default}:g:g9", "t3", 1);
		assertThat(stats().sizes()).containsEntry(TaskState.AGGREGATING, 3L);
	}

	@Test
	void estimatesMemoryOfQueueFromSamples() {
		assertThat(this.broker.queues().memoryUsage(QUEUE)).isZero();
		this.state.seedPending(message("p1").payload(new byte[100_000]).build());
		this.state.seedGrouped(in(0), message("g1").group("a").payload(new byte[50_000]).build());
		assertThat(this.broker.queues().memoryUsage(QUEUE)).isBetween(150_000L, 200_000L);
		this.state.redis().opsForList().leftPush("asynq:{default}:pending", "gone");
		this.state.redis().opsForValue().set("asynq:{default}:retry", "no sorted set");
		assertThat(this.broker.queues().memoryUsage(QUEUE)).isBetween(150_000L, 200_000L);
		TaskMessage[] more = IntStream.range(0, 100)
			.mapToObj((i) -> message("s" + i).payload(new byte[10_000]).build())
			.toArray(TaskMessage[]::new);
		this.state.seedScheduled(in(1), more);
		assertThat(this.broker.queues().memoryUsage(QUEUE)).isBetween(1_150_000L, 1_500_000L);
	}

	private QueueStats stats() {
		return this.broker.queues().stats(QUEUE).orElseThrow();
	}

	private void manyGroups(int count) {
		this.state.redis().opsForSet().add("asynq:queues", QUEUE);
		this.state.redis()
			.opsForSet()
			.add("asynq:{default}:groups", IntStream.range(0, count).mapToObj((i) -> "g" + i).toArray(String[]::new));
	}

	private List<String> ids(TaskState state, long offset, int limit) {
		return this.broker.tasks().list(QUEUE, state, offset, limit).stream().map(TaskInfo::id).toList();
	}

	private void seed(TaskState state, Instant at, TaskMessage message) {
		switch (state) {
			case SCHEDULED -> this.state.seedScheduled(at, message);
			case RETRY -> this.state.seedRetry(at, message);
			case ARCHIVED -> this.state.seedArchived(at, message);
			default -> this.state.seedCompleted(at, message);
		}
	}

	private Instant in(int seconds) {
		return this.clock.instant().plusSeconds(seconds);
	}

	private static DailyStats day(String date, long processed, long failed) {
		return new DailyStats(QUEUE, LocalDate.parse(date), processed, failed);
	}

	private static TaskMessage[] messages(int count) {
		List<TaskMessage> messages = new ArrayList<>();
		for (int i = 0; i < count; i++) {
			messages.add(message("t" + i).build());
		}
		return messages.toArray(TaskMessage[]::new);
	}

	private static TaskMessage.Builder message(String id) {
		return RedisState.message(QUEUE, id);
	}

}
