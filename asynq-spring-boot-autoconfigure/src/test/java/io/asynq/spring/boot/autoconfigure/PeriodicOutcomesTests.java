package io.asynq.spring.boot.autoconfigure;

import java.time.Clock;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;

import io.asynq.BrokerUnavailableException;
import io.asynq.Task;
import io.asynq.TaskInfo;
import io.asynq.TaskState;
import io.asynq.inspect.EnqueueEvent;
import io.asynq.internal.fleet.FleetReader;
import io.asynq.internal.inspect.TaskKeeper;
import io.asynq.schedule.PeriodicTaskInfo;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.mockito.ArgumentMatchers.any;
import static org.mockito.ArgumentMatchers.anyInt;
import static org.mockito.ArgumentMatchers.anyLong;
import static org.mockito.BDDMockito.given;
import static org.mockito.Mockito.clearInvocations;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.times;
import static org.mockito.Mockito.verify;
import static org.mockito.Mockito.verifyNoInteractions;

class PeriodicOutcomesTests {

	private static final Instant FIRST = Instant.parse("2026-01-02T03:00:00Z");

	private static final Instant SECOND = FIRST.plusSeconds(3600);

	private final List<PeriodicTaskInfo> entries = new ArrayList<>();

	private final FleetReader fleet = mock();

	private final TaskKeeper tasks = mock();

	private final PeriodicOutcomes outcomes = outcomesAt(SECOND.plusSeconds(10));

	@ParameterizedTest
	@CsvSource({ "COMPLETED, false, 1", "ARCHIVED, true, 0", "RETRY, true, 0", "ACTIVE, true, 0", "PENDING, true, 0",
			"ACTIVE, false, NaN", "PENDING, false, NaN", "RETRY, false, NaN", "ARCHIVED, false, NaN" })
	void stateOfTheLastTaskTellsTheOutcome(TaskState state, boolean hasFailed, double outcome) {
		entry("report", FIRST);
		enqueued("report", "t1", FIRST);
		task("t1", state, hasFailed);
		this.outcomes.read();
		assertThat(this.outcomes.value("report")).isEqualTo(Double.valueOf(outcome));
		assertThat(this.outcomes.known()).hasSize(Double.isNaN(outcome) ? 0 : 1);
	}

	@Test
	void taskThatIsGoneHasSucceededAndIsNotAskedForAgain() {
		entry("report", FIRST);
		enqueued("report", "t1", FIRST);
		this.outcomes.read();
		assertThat(this.outcomes.value("report")).isOne();
		clearInvocations(this.fleet, this.tasks);
		this.outcomes.read();
		verifyNoInteractions(this.fleet, this.tasks);
	}

	@Test
	void outcomeStaysUntilTheTaskOfTheNextFireHasEnded() {
		entry("report", FIRST);
		enqueued("report", "t1", FIRST);
		task("t1", TaskState.ARCHIVED, true);
		this.outcomes.read();
		entry("report", SECOND);
		this.outcomes.read();
		assertThat(this.outcomes.value("report")).as("not recorded yet").isZero();
		enqueued("report", "t2", SECOND);
		task("t2", TaskState.ACTIVE, false);
		this.outcomes.read();
		assertThat(this.outcomes.value("report")).as("it goes on").isZero();
		given(this.tasks.find("low", "t2")).willReturn(Optional.empty());
		this.outcomes.read();
		assertThat(this.outcomes.value("report")).isOne();
	}

	@Test
	void archivedTaskThatIsGoneIsUnknown() {
		entry("report", FIRST);
		enqueued("report", "t1", FIRST);
		task("t1", TaskState.ARCHIVED, true);
		this.outcomes.read();
		given(this.tasks.find("low", "t1")).willReturn(Optional.empty());
		this.outcomes.read();
		assertThat(this.outcomes.value("report")).isNaN();
	}

	@Test
	void fireThatEnqueuedNothingIsLookedForOneMinute() {
		entry("report", FIRST);
		enqueued("report", "t1", FIRST);
		this.outcomes.read();
		entry("report", SECOND);
		this.outcomes.read();
		PeriodicOutcomes later = outcomesAt(SECOND.plusSeconds(61));
		later.read();
		assertThat(later.value("report")).as("of the fire before").isOne();
		clearInvocations(this.fleet);
		later.read();
		verifyNoInteractions(this.fleet);
		this.outcomes.read();
		verify(this.fleet).enqueueEvents("report", 0, 1);
	}

	@Test
	void fireThatFailedIsAFailureUntilOneEnqueuesATask() {
		entry("report", FIRST);
		this.outcomes.notEnqueued("report");
		this.outcomes.read();
		assertThat(this.outcomes.value("report")).isZero();
		assertThat(this.outcomes.known()).containsExactly("report");
		entry("report", SECOND);
		enqueued("report", "t2", SECOND);
		this.outcomes.read();
		assertThat(this.outcomes.value("report")).as("another scheduler has enqueued it").isOne();
		this.outcomes.notEnqueued("report");
		this.outcomes.enqueued("report", "low");
		assertThat(this.outcomes.value("report")).isOne();
	}

	@Test
	void taskIsLookedForInTheQueueItWasStoredIn() {
		entry("report", FIRST);
		enqueued("report", "t1", FIRST);
		this.outcomes.enqueued("report", "other");
		this.outcomes.read();
		verify(this.tasks).find("other", "t1");
	}

	@Test
	void manyEntriesTakeTurns() {
		IntStream.range(0, 45).forEach((i) -> entry("e" + i, FIRST));
		for (int i = 0; i < 3; i++) {
			clearInvocations(this.fleet);
			this.outcomes.read();
			verify(this.fleet, times((i < 2) ? 20 : 5)).enqueueEvents(any(), anyLong(), anyInt());
		}
	}

	@Test
	void entriesThatAreGoneAndIdsThatAreTooLongHaveNone() {
		entry("report", FIRST);
		enqueued("report", "t1", FIRST);
		String endless = "x".repeat(1025);
		entry(endless, FIRST);
		enqueued(endless, "t2", FIRST);
		this.outcomes.read();
		assertThat(this.outcomes.known()).containsExactly("report");
		this.entries.clear();
		this.outcomes.read();
		assertThat(this.outcomes.known()).isEmpty();
	}

	@Test
	void outageKeepsWhatIsKnown() {
		entry("report", FIRST);
		enqueued("report", "t1", FIRST);
		this.outcomes.read();
		entry("report", SECOND);
		given(this.fleet.enqueueEvents("report", 0, 1))
			.willThrow(new BrokerUnavailableException("Redis is away", null));
		this.outcomes.read();
		assertThat(this.outcomes.value("report")).isOne();
	}

	private PeriodicOutcomes outcomesAt(Instant now) {
		return new PeriodicOutcomes(() -> this.entries, this.fleet, this.tasks, Clock.fixed(now, ZoneOffset.UTC));
	}

	private void entry(String id, @Nullable Instant fire) {
		this.entries.removeIf((entry) -> entry.id().equals(id));
		this.entries.add(new PeriodicTaskInfo(id, "@hourly", "report", "low", null, fire));
	}

	private void enqueued(String entry, String task, Instant at) {
		given(this.fleet.enqueueEvents(entry, 0, 1)).willReturn(List.of(new EnqueueEvent(task, at)));
	}

	private void task(String id, TaskState state, boolean hasFailed) {
		TaskInfo.Builder task = TaskInfo.builder(id, "low", Task.of("report", ""), state);
		given(this.tasks.find("low", id))
			.willReturn(Optional.of((hasFailed ? task.lastFailedAt(FIRST) : task).build()));
	}

}
