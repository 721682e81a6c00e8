package io.asynq.inspect;

import java.time.Duration;
import java.time.Instant;
import java.util.Map;

import io.asynq.AsynqException;
import io.asynq.QueueNotEmptyException;
import io.asynq.QueueNotFoundException;
import io.asynq.QueueStateException;
import io.asynq.TaskState;
import io.asynq.test.FakeBroker;
import io.asynq.test.FakeQueueKeeper;
import io.asynq.test.MutableClock;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Tests of how {@link AsynqInspector} reads, pauses and deletes queues, on a broker
 * without a store.
 */
class QueueActionsTests {

	private static final Page FIRST = Page.first();

	private final FakeBroker broker = new FakeBroker();

	private final FakeQueueKeeper keeper = new FakeQueueKeeper();

	private final ScriptedTasks tasks = new ScriptedTasks();

	private final AsynqInspector inspector;

	QueueActionsTests() {
		this.broker.queueKeeper = this.keeper;
		this.broker.tasks = this.tasks;
		this.inspector = AsynqInspector.create(this.broker, new MutableClock(Instant.parse("2026-01-02T23:59:59Z")));
	}

	@BeforeEach
	void seed() {
		QueueStats.Counters none = new QueueStats.Counters(0, 0);
		this.broker.stats.put("low", new QueueStats(Map.of(), 0, Duration.ZERO, none, none, false));
	}

	@Test
	void pausesAndResumesAndReportsWhenNothingChanges() {
		this.inspector.pauseQueue("new");
		assertThatExceptionOfType(QueueStateException.class).isThrownBy(() -> this.inspector.pauseQueue("new"))
			.withMessage("Queue 'new' is already paused");
		this.inspector.resumeQueue("new");
		assertThatExceptionOfType(QueueStateException.class).isThrownBy(() -> this.inspector.resumeQueue("new"))
			.withMessage("Queue 'new' is not paused");
	}

	@Test
	void reportsWhatPreventsDeletionOfQueue() {
		this.keeper.inTheWay = Map.of("completed", 3L);
		assertThatExceptionOfType(QueueNotEmptyException.class)
			.isThrownBy(() -> this.inspector.deleteQueue("low", false))
			.withMessageContaining("'low'")
			.withMessageContaining("3 completed")
			.withMessageContaining("force")
			.satisfies((ex) -> assertThat(ex.contents()).containsEntry("completed", 3L));
		this.keeper.inTheWay = Map.of("active", 2L);
		assertThatExceptionOfType(QueueNotEmptyException.class)
			.isThrownBy(() -> this.inspector.deleteQueue("low", true))
			.withMessageContaining("2 active")
			.withMessageContaining("never deleted");
		this.keeper.inTheWay = Map.of();
		this.inspector.deleteQueue("low", true);
		assertThatExceptionOfType(QueueNotFoundException.class)
			.isThrownBy(() -> this.inspector.deleteQueue("high", true));
	}

	@Test
	void listsTasksOfPage() {
		this.inspector.listTasks("low", TaskState.RETRY, FIRST);
		this.inspector.listTasks("low", TaskState.RETRY, Page.of(Integer.MAX_VALUE, Integer.MAX_VALUE));
		this.inspector.listAggregatingTasks("low", "g", FIRST.next());
		assertThat(this.tasks.calls).containsExactly("low RETRY 0 30", "low RETRY 4611686011984936962 2147483647",
				"low group g 30 30");
		assertThatExceptionOfType(AsynqException.class)
			.isThrownBy(() -> this.inspector.listTasks("low", TaskState.AGGREGATING, FIRST))
			.withMessageContaining("listAggregatingTasks");
		assertThatExceptionOfType(QueueNotFoundException.class)
			.isThrownBy(() -> this.inspector.listTasks("high", TaskState.RETRY, FIRST));
		assertThatExceptionOfType(QueueNotFoundException.class)
			.isThrownBy(() -> this.inspector.listAggregatingTasks("high", "g", FIRST));
	}

	@ParameterizedTest
	@ValueSource(ints = { 0, -1, Integer.MIN_VALUE })
	void rejectsPagesAndSizesBelowOne(int number) {
		assertThatExceptionOfType(AsynqException.class).isThrownBy(() -> Page.of(number, 30))
			.withMessageContaining("at least 1")
			.withMessageContaining(String.valueOf(number));
		assertThatExceptionOfType(AsynqException.class).isThrownBy(() -> Page.of(1, number))
			.withMessageContaining("size")
			.withMessageContaining(String.valueOf(number));
	}

	@Test
	void historyStartsWithUtcDayOfClock() {
		assertThat(this.inspector.history("low", 2)).extracting(DailyStats::date)
			.map(Object::toString)
			.containsExactly("2026-01-02", "2026-01-01");
		assertThat(this.inspector.history("low", 366)).hasSize(366);
		for (int days : new int[] { 0, -1, 367 }) {
			assertThatExceptionOfType(AsynqException.class).isThrownBy(() -> this.inspector.history("low", days))
				.withMessageContaining("from 1 to 366")
				.withMessageContaining("is " + days);
		}
		assertThatExceptionOfType(QueueNotFoundException.class).isThrownBy(() -> this.inspector.history("high", 1));
		assertThatExceptionOfType(QueueNotFoundException.class).isThrownBy(() -> this.inspector.memoryUsage("high"));
	}

}
