package io.asynq.server.work;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Objects;

import io.asynq.broker.message.LeasedTask;
import io.asynq.broker.message.TaskMessage;
import io.asynq.server.TestMessages;
import io.asynq.server.attempt.Attempt;
import io.asynq.server.lane.Lanes;
import io.asynq.server.limit.Limiter;
import io.asynq.test.FakeCompleter;
import io.asynq.test.MutableClock;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.mockito.Mockito.mock;

class TakenTasksTests {

	private static final Duration HELD = Duration.ofMinutes(10);

	private final MutableClock clock = MutableClock.create();

	@Test
	void timeoutOfHeldTaskBeginsWhenItStarts() {
		Attempt attempt = startAfterHeld(TestMessages.message("t1").timeoutSeconds(60).build());
		assertThat(attempt.times().startedAt()).isEqualTo(this.clock.instant());
		assertThat(attempt.deadline()).isEqualTo(Instant.ofEpochSecond(this.clock.instant().getEpochSecond() + 60));
		assertThat(left(attempt)).isBetween(Duration.ofSeconds(30), Duration.ofSeconds(60));
	}

	@Test
	void deadlineThatPassesWhileTaskIsHeldLeavesNoTimeForItsHandler() {
		long deadline = this.clock.instant().plus(HELD).getEpochSecond() - 1;
		Attempt attempt = startAfterHeld(TestMessages.message("t1").deadlineSeconds(deadline).build());
		assertThat(left(attempt)).isLessThanOrEqualTo(Duration.ZERO);
	}

	private static Duration left(Attempt attempt) {
		return attempt.times().left(System.nanoTime());
	}

	private Attempt startAfterHeld(TaskMessage message) {
		List<LeasedTask> held = List.of(TestMessages.leased(message));
		TakenTasks taken = new TakenTasks(new FakeCompleter(), TestHeldTasks.of(held), mock(Unfinished.class),
				Lanes.single(), mock(Limiter.class), this.clock);
		this.clock.advance(HELD);
		return Objects.requireNonNull(taken.next());
	}

}
