package io.asynq.broker.redis;

import java.time.Duration;
import java.time.Instant;
import java.util.List;

import io.asynq.TaskInfo;
import io.asynq.TaskState;
import io.asynq.broker.limit.LimitClass;
import io.asynq.broker.message.LeasedTask;
import io.asynq.broker.message.Outcome;
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

	private void park(String id, String... needs) {
		this.state.seedPending(RedisState.message(QUEUE, id).build());
		LeasedTask task = this.broker.dequeuer().dequeue(QUEUE, 1).tasks().get(0);
		this.broker.completer()
			.report(List.of(new Outcome.Wait(task, LimitClass.of(QUEUE, List.of(needs)), due(Duration.ofHours(1)))));
	}

	private TaskInfo find(String id) {
		return this.broker.tasks().find(QUEUE, id).orElseThrow();
	}

	private List<TaskInfo> list(TaskState state) {
		return this.broker.tasks().list(QUEUE, state, 0, 10);
	}

}
