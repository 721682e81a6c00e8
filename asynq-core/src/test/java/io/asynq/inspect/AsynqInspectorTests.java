package io.asynq.inspect;

import java.time.Duration;
import java.time.Instant;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

import io.asynq.AsynqException;
import io.asynq.QueueNotFoundException;
import io.asynq.Task;
import io.asynq.TaskInfo;
import io.asynq.TaskNotFoundException;
import io.asynq.TaskState;
import io.asynq.test.FakeBroker;
import io.asynq.test.MutableClock;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Tests of {@link AsynqInspector} on a broker without a store.
 */
class AsynqInspectorTests {

	private static final Instant NOW = Instant.parse("2026-01-02T03:04:05Z");

	private final FakeBroker broker = new FakeBroker();

	private final ScriptedTasks tasks = new ScriptedTasks();

	private AsynqInspector inspector = inspector();

	private AsynqInspector inspector() {
		this.broker.tasks = this.tasks;
		return AsynqInspector.create(this.broker, new MutableClock(NOW));
	}

	@BeforeEach
	void seed() {
		Map<TaskState, Long> sizes = new EnumMap<>(TaskState.class);
		for (TaskState state : TaskState.stored()) {
			sizes.put(state, (long) state.number());
		}
		this.broker.stats.put("low", new QueueStats(sizes, 3, Duration.ofSeconds(9), new QueueStats.Counters(10, 4),
				new QueueStats.Counters(100, 40), true));
	}

	@Test
	void listsQueues() {
		assertThat(this.inspector.queues()).containsExactly("low");
	}

	@Test
	void readsAllNumbersOfQueue() {
		QueueInfo info = this.inspector.queueInfo("low");
		assertThat(info.queue()).isEqualTo("low");
		assertThat(info.sizes()).hasSize(7);
		assertThat(info.size(TaskState.ARCHIVED)).isEqualTo(5);
		assertThat(info.size()).isEqualTo(28);
		assertThat(info.groups()).isEqualTo(3);
		assertThat(info.latency()).isEqualTo(Duration.ofSeconds(9));
		assertThat(info.processed()).isEqualTo(10);
		assertThat(info.failed()).isEqualTo(4);
		assertThat(info.processedTotal()).isEqualTo(100);
		assertThat(info.failedTotal()).isEqualTo(40);
		assertThat(info.paused()).isTrue();
		assertThat(info.timestamp()).isEqualTo(NOW);
	}

	@Test
	void missingQueueIsReported() {
		assertThatExceptionOfType(QueueNotFoundException.class).isThrownBy(() -> this.inspector.queueInfo("high"))
			.withMessageContaining("'high'");
	}

	@Test
	void readsATask() {
		TaskInfo info = TaskInfo.builder("x", "low", Task.of("mail", "hi"), TaskState.RETRY).build();
		this.tasks.infos.put(List.of("low", "x"), info);
		assertThat(this.inspector.taskInfo("low", "x")).isSameAs(info);
	}

	@Test
	void missingTaskDiffersFromMissingQueue() {
		assertThatExceptionOfType(TaskNotFoundException.class).isThrownBy(() -> this.inspector.taskInfo("low", "x"))
			.withMessageContaining("'x'")
			.withMessageContaining("'low'");
		assertThatExceptionOfType(QueueNotFoundException.class).isThrownBy(() -> this.inspector.taskInfo("high", "x"))
			.withMessageContaining("'high'");
	}

	@Test
	void rejectsSizesBelowOneAndCursorsOfNobody() {
		assertThatExceptionOfType(AsynqException.class).isThrownBy(() -> this.inspector.groups("low", null, 0))
			.withMessageContaining("'size'");
		assertThatExceptionOfType(AsynqException.class).isThrownBy(() -> this.inspector.groups("low", "x", 1))
			.withMessageContaining("'cursor'");
	}

}
