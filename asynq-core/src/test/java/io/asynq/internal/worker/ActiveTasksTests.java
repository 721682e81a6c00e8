package io.asynq.internal.worker;

import java.util.List;

import io.asynq.server.TestMessages;
import io.asynq.test.FakeCompleter;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import static org.assertj.core.api.Assertions.assertThat;

class ActiveTasksTests {

	private final ActiveTasks active = new ActiveTasks();

	@ParameterizedTest
	@EnumSource(names = { "UNREACHABLE", "OVERDUE" })
	void taskStaysTakenWhileRedisHasTakenNoOutcome(OutcomeResult.Status status) {
		LeasedTask task = report(status);
		assertThat(this.active.taken()).containsExactly(task);
		assertThat(this.active.has("default", "t1")).isTrue();
		assertThat(this.active.has("default", "t2")).isFalse();
		assertThat(this.active.has("low", "t1")).isFalse();
	}

	@ParameterizedTest
	@EnumSource(mode = EnumSource.Mode.EXCLUDE, names = { "UNREACHABLE", "OVERDUE" })
	void taskIsTakenNoLongerOnceRedisHasTakenOrRefusedItsOutcome(OutcomeResult.Status status) {
		report(status);
		assertThat(this.active.taken()).isEmpty();
		assertThat(this.active.has("default", "t1")).isFalse();
	}

	@Test
	void taskIsAdriftUnlessItsOwnAttemptIsHeld() {
		Attempt attempt = TestMessages.attempt(TestMessages.message("t1").build());
		Attempt earlier = TestMessages.attempt(TestMessages.message("t1").build());
		assertThat(this.active.isAdrift(attempt.leased())).isFalse();
		this.active.taken(List.of(attempt.leased()));
		assertThat(this.active.isAdrift(attempt.leased())).isTrue();
		this.active.addUnsettled(earlier);
		assertThat(this.active.isAdrift(attempt.leased())).isTrue();
		this.active.addUnsettled(attempt);
		assertThat(this.active.isAdrift(attempt.leased())).isFalse();
		this.active.release(attempt);
		assertThat(this.active.isAdrift(attempt.leased())).isFalse();
		assertThat(this.active.taken()).isEmpty();
	}

	private LeasedTask report(OutcomeResult.Status status) {
		LeasedTask task = TestMessages.leased(TestMessages.message("t1").build());
		this.active.taken(List.of(task));
		OutcomeResult result = new OutcomeResult(status, null, null);
		this.active.report(new FakeCompleter((outcomes) -> List.of(result)), List.of(new Outcome.Done(task)));
		return task;
	}

}
