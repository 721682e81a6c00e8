package io.asynq.internal.worker;

import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.RejectedExecutionException;

import io.asynq.BrokerUnavailableException;
import io.asynq.internal.lane.Lanes;
import io.asynq.internal.redis.TaskMessage;
import io.asynq.server.TestMessages;
import io.asynq.test.FakeCompleter;
import io.asynq.test.MutableClock;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.mockito.Mockito.mock;

class TakenTasksTests {

	private static final Duration HELD = Duration.ofMinutes(10);

	private final MutableClock clock = MutableClock.create();

	@Test
	void timeoutOfHeldTaskBeginsWhenItStarts() {
		Attempt attempt = startAfterHeld(TestMessages.message("t1").timeoutSeconds(60).build());
		assertThat(attempt.snapshot().startedAt()).isEqualTo(this.clock.instant());
		assertThat(attempt.deadline()).isEqualTo(this.clock.instant().plusSeconds(60));
		assertThat(left(attempt)).isBetween(Duration.ofSeconds(30), Duration.ofSeconds(60));
	}

	@Test
	void deadlineThatPassesWhileTaskIsHeldLeavesNoTimeForItsHandler() {
		long deadline = this.clock.instant().plus(HELD).getEpochSecond() - 1;
		Attempt attempt = startAfterHeld(TestMessages.message("t1").deadlineSeconds(deadline).build());
		assertThat(left(attempt)).isLessThanOrEqualTo(Duration.ZERO);
	}

	/**
	 * As for a held task that is cancelled, for one that is next to start, and for tasks
	 * that go back.
	 */
	@ParameterizedTest
	@MethodSource("errors")
	void taskWhoseLeaseHasEndedKeepsNoOtherFromStartingWhateverRedisSays(Throwable error) {
		LeasedTask late = new LeasedTask(TestMessages.message("late").build(),
				new Lease("default", "late", "f", System.nanoTime()));
		LeasedTask good = TestMessages.leased(TestMessages.message("good").build());
		ActiveTasks active = new ActiveTasks();
		active.taken(List.of(late, good));
		TaskCompleter failing = new FakeCompleter((outcomes) -> {
			assertThat(outcomes).extracting((outcome) -> outcome.task()).containsExactly(late);
			if (error instanceof Error fatal) {
				throw fatal;
			}
			throw (RuntimeException) error;
		});
		PrefetchBuffer held = TestPrefetchBuffer.of(List.of(late, good));
		TakenTasks taken = new TakenTasks(failing, held, active, mock(Requeuer.class), Lanes.single(),
				mock(LimitGate.class), this.clock);
		assertThat(taken.attempts(List.of(late, good))).extracting(Attempt::leased).containsExactly(good);
		assertThat(Objects.requireNonNull(taken.next()).leased()).isEqualTo(good);
		taken.putBackTasks(List.of(late));
		assertThat(active.taken()).as("to be put back later").contains(late);
	}

	static List<Throwable> errors() {
		return List.of(new BrokerUnavailableException("away", null), new IllegalStateException("planted"),
				new OutOfMemoryError("planted"), new RejectedExecutionException("planted"));
	}

	private static Duration left(Attempt attempt) {
		return attempt.remaining();
	}

	private Attempt startAfterHeld(TaskMessage message) {
		List<LeasedTask> held = List.of(TestMessages.leased(message));
		TakenTasks taken = new TakenTasks(new FakeCompleter(), TestPrefetchBuffer.of(held), new ActiveTasks(),
				mock(Requeuer.class), Lanes.single(), mock(LimitGate.class), this.clock);
		this.clock.advance(HELD);
		return Objects.requireNonNull(taken.next());
	}

}
