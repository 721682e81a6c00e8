package io.asynq.inspect;

import java.time.Duration;
import java.time.Instant;
import java.util.EnumMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;

import io.asynq.AsynqException;
import io.asynq.QueueNotFoundException;
import io.asynq.Task;
import io.asynq.TaskInfo;
import io.asynq.TaskNotFoundException;
import io.asynq.TaskState;
import io.asynq.test.FakeBroker;
import io.asynq.test.FakeQueueKeeper;
import io.asynq.test.MutableClock;
import org.jspecify.annotations.Nullable;
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
	void diagnosisCountsAllAndShowsTheFirst() {
		this.broker.queueKeeper = new BrokenQueue(2500, 100);
		this.inspector = inspector();
		Diagnosis diagnosis = this.inspector.diagnose("low");
		assertThat(diagnosis.counts()).isEqualTo(Map.of(Inconsistency.Kind.WRONG_STATE, 2500L));
		assertThat(diagnosis.inconsistencies()).hasSize(1000).first().extracting(Inconsistency::id).isEqualTo("t0");
		assertThat(diagnosis.next()).isNull();
		assertThat(diagnosis.isClean()).isFalse();
	}

	@Test
	void diagnosisAndRepairGoOnWhereTheLastPartHasEnded() {
		this.broker.queueKeeper = new BrokenQueue(25, 0);
		this.inspector = inspector();
		Diagnosis first = this.inspector.diagnose("low", null, 20);
		assertThat(first.inconsistencies()).hasSize(20);
		Diagnosis last = this.inspector.diagnose("low", first.next(), 20);
		assertThat(last.inconsistencies()).extracting(Inconsistency::id)
			.containsExactly("t20", "t21", "t22", "t23", "t24");
		assertThat(last.next()).isNull();
		Set<Inconsistency.Kind> kinds = Set.of(Inconsistency.Kind.WRONG_STATE);
		RepairReport some = this.inspector.repair("low", kinds, true, null, 20);
		assertThat(some.repaired()).isEqualTo(Map.of(Inconsistency.Kind.WRONG_STATE, 20L));
		assertThat(this.inspector.repair("low", kinds, false, some.next(), 20).repaired())
			.isEqualTo(Map.of(Inconsistency.Kind.WRONG_STATE, 5L));
		assertThat(this.inspector.diagnose("low").counts()).isEqualTo(Map.of(Inconsistency.Kind.WRONG_STATE, 20L));
	}

	@Test
	void consistentQueueIsClean() {
		assertThat(this.inspector.diagnose("low").isClean()).isTrue();
	}

	@Test
	void repairFixesNamedKindsAndReportsFailures() {
		BrokenQueue broken = new BrokenQueue(1500, 100);
		this.broker.queueKeeper = broken;
		this.inspector = inspector();
		RepairReport report = this.inspector.repair("low", Set.of(Inconsistency.Kind.WRONG_STATE), false);
		assertThat(report.repaired()).isEqualTo(Map.of(Inconsistency.Kind.WRONG_STATE, 1400L));
		assertThat(report.examples()).hasSize(1000);
		assertThat(report.left()).isEqualTo(100);
		assertThat(this.inspector.repair("low", Set.of(Inconsistency.Kind.UNDECODABLE), false).repaired()).isEmpty();
	}

	@Test
	void dryRunChangesNothing() {
		BrokenQueue broken = new BrokenQueue(3, 0);
		this.broker.queueKeeper = broken;
		this.inspector = inspector();
		RepairReport report = this.inspector.repair("low", Set.of(Inconsistency.Kind.WRONG_STATE), true);
		assertThat(report.repaired()).isEqualTo(Map.of(Inconsistency.Kind.WRONG_STATE, 3L));
		assertThat(report.dryRun()).isTrue();
		assertThat(broken.left).hasSize(3);
	}

	@Test
	void rejectsEmptyRepairAndLimitsBelowOne() {
		assertThatExceptionOfType(AsynqException.class).isThrownBy(() -> this.inspector.repair("low", Set.of(), false))
			.withMessageContaining("'kinds'");
		assertThatExceptionOfType(AsynqException.class).isThrownBy(() -> this.inspector.diagnose("low", null, 0))
			.withMessageContaining("'limit'");
		assertThatExceptionOfType(AsynqException.class)
			.isThrownBy(() -> this.inspector.repair("low", Set.of(Inconsistency.Kind.WRONG_STATE), true, null, 0))
			.withMessageContaining("'limit'");
		assertThatExceptionOfType(AsynqException.class).isThrownBy(() -> this.inspector.groups("low", null, 0))
			.withMessageContaining("'size'");
		assertThatExceptionOfType(AsynqException.class).isThrownBy(() -> this.inspector.groups("low", "x", 1))
			.withMessageContaining("'cursor'");
	}

	/**
	 * A queue of tasks in a wrong state, the last of which cannot be repaired.
	 */
	private static final class BrokenQueue extends FakeQueueKeeper {

		private final Set<String> left = new LinkedHashSet<>();

		private final int mendable;

		BrokenQueue(int size, int hopeless) {
			for (int i = 0; i < size; i++) {
				this.left.add("t" + i);
			}
			this.mendable = size - hopeless;
		}

		@Override
		public @Nullable String check(String queue, @Nullable String cursor, int limit, Consumer<Inconsistency> found) {
			List<String> from = List.copyOf(this.left)
				.subList((cursor != null) ? Integer.parseInt(cursor) : 0, this.left.size());
			from.stream()
				.limit(limit)
				.forEach((id) -> found.accept(new Inconsistency(Inconsistency.Kind.WRONG_STATE, queue, id, "", "")));
			return (from.size() > limit) ? String.valueOf(limit) : null;
		}

		@Override
		public boolean repair(Inconsistency inconsistency) {
			return Integer.parseInt(inconsistency.id().substring(1)) < this.mendable
					&& this.left.remove(inconsistency.id());
		}

	}

}
