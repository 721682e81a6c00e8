package io.asynq.operations.survey;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;

import io.asynq.TaskInfo;
import io.asynq.TaskState;
import io.asynq.internal.inspect.RareCounts;
import io.asynq.internal.limit.LimitRule;
import io.asynq.internal.redis.BrokerContract;
import io.asynq.internal.redis.OnDrivers;
import io.asynq.internal.redis.RedisState;
import io.asynq.internal.worker.LeasedTask;
import io.asynq.internal.worker.LimitClass;
import io.asynq.internal.worker.Outcome;
import org.junit.jupiter.api.Test;
import org.springframework.data.redis.connection.RedisConnectionFactory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

/**
 * What people see of tasks in retry that wait for limits.
 */
@OnDrivers
class WaitingTasksContract extends BrokerContract {

	WaitingTasksContract(RedisConnectionFactory factory) {
		super(factory);
	}

	@Test
	void taskThatWaitsSaysForWhichLimits() {
		park("w", "pdf", LimitClass.need("tenant", "acme:1"));
		this.state.seedRetry(Instant.ofEpochSecond(nowSeconds() + 60), RedisState.message(QUEUE, "r").build());
		assertThat(find("w").waitsFor()).containsExactly("pdf", "tenant:acme:1");
		assertThat(find("r").waitsFor()).isEmpty();
		assertThat(list(TaskState.RETRY)).extracting(TaskInfo::id, TaskInfo::waitsFor)
			.containsExactlyInAnyOrder(tuple("r", List.of()), tuple("w", List.of("pdf", "tenant:acme:1")));
	}

	@Test
	void taskThatWasMovedByHandWaitsNoLonger() {
		park("w", "pdf");
		this.state.redis().opsForZSet().add("asynq:{default}:retry", "w", nowSeconds() + 5);
		assertThat(find("w").waitsFor()).as("it has another due time").isEmpty();
		assertThat(list(TaskState.RETRY)).extracting(TaskInfo::waitsFor).containsExactly(List.of());
	}

	@Test
	void tasksThatWaitAreCountedApartByQueue() {
		park("w1", "pdf");
		park("w2", "pdf", LimitClass.need("tenant", "acme"));
		park("w3", LimitClass.need("tenant", "other"));
		retry("r1");
		parkIn("low", "w4", "bank");
		this.state.seedRetry(Instant.ofEpochSecond(nowSeconds() + 60), RedisState.message("none", "r2").build());
		assertThat(this.broker.manyQueues().stats(List.of(QUEUE, "low", "none", "empty")).values())
			.extractingFromEntries(Map.Entry::getKey, (queue) -> queue.getValue().sizes().get(TaskState.RETRY),
					(queue) -> queue.getValue().waitingForLimit())
			.containsExactlyInAnyOrder(tuple(QUEUE, 4L, 3L), tuple("low", 1L, 1L), tuple("none", 1L, 0L),
					tuple("empty", 0L, 0L));
		assertThat(waiting()).isEqualTo(3);
	}

	@Test
	void tasksWaitForALimitThatWasDeletedUntilSomebodyLooks() {
		this.broker.limits().announce(Map.of("pdf", new LimitRule(1, 0, 0, null)));
		park("w", "pdf");
		this.broker.limits().change("pdf", null);
		assertThat(waiting()).isOne();
	}

	@Test
	void noMoreTasksWaitThanAreInRetry() {
		park("w1", "pdf");
		park("w2", "pdf");
		retry("r");
		this.state.redis().opsForZSet().remove("asynq:{default}:retry", "w1", "w2");
		assertThat(waiting()).as("they were moved by hand").isOne();
	}

	@Test
	void tasksThatWaitForVeryManyKeysAreCountedEveryThirtySeconds() {
		for (int i = 0; i <= RareCounts.FEW; i++) {
			this.state.redis().opsForZSet().add("asynqj:{default}:waiting", "tenant\t" + i, 0);
		}
		for (String id : List.of("w1", "w2", "w3")) {
			park(id, LimitClass.need("tenant", "7"));
		}
		assertThat(waiting()).isEqualTo(3);
		park("w4", LimitClass.need("tenant", "8"));
		this.clock.advance(Duration.ofSeconds(30));
		assertThat(waiting()).isEqualTo(3);
		this.clock.advance(Duration.ofSeconds(1));
		assertThat(waiting()).isEqualTo(4);
	}

	@Test
	void whatHasAnotherTypeWaitsForNothing() {
		this.state.redis().opsForValue().set("asynqj:{default}:waiting", "text");
		retry("r");
		assertThat(waiting()).isZero();
		assertThat(ahead()).isEqualTo(List.of(1L, 0L));
	}

	@Test
	void tasksThatWaitAreNoRetriesToCome() {
		park("w1", "pdf");
		park("w2", LimitClass.need("tenant", "acme"));
		park("w3", "pdf");
		retry("r");
		assertThat(ahead()).isEqualTo(List.of(1L, 0L));
		this.state.redis().opsForZSet().add("asynq:{default}:retry", "w3", nowSeconds() + 3000);
		assertThat(ahead()).as("somebody has moved it").isEqualTo(List.of(1L, 1L));
	}

	private List<Long> ahead() {
		return new TaskSurvey(this.broker).retriesAhead(QUEUE, Duration.ofMinutes(35), 2);
	}

	private long waiting() {
		return this.broker.queues().stats(QUEUE).orElseThrow().waitingForLimit();
	}

	private void retry(String id) {
		this.state.seedRetry(Instant.ofEpochSecond(nowSeconds() + 60), RedisState.message(QUEUE, id).build());
	}

	private void park(String id, String... needs) {
		parkIn(QUEUE, id, needs);
	}

	private void parkIn(String queue, String id, String... needs) {
		this.state.seedPending(RedisState.message(queue, id).build());
		LeasedTask task = this.broker.dequeuer().dequeue(queue, 1).tasks().get(0);
		this.broker.completer()
			.report(List.of(new Outcome.Wait(task, LimitClass.of(queue, List.of(needs)), due(Duration.ofHours(1)))));
	}

	private TaskInfo find(String id) {
		return this.broker.tasks().find(QUEUE, id).orElseThrow();
	}

	private List<TaskInfo> list(TaskState state) {
		return this.broker.tasks().list(QUEUE, state, 0, 10);
	}

}
