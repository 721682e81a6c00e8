package io.asynq.internal.redis;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

import io.asynq.TaskInfo;
import io.asynq.TaskState;
import io.asynq.internal.inspect.TaskMove;
import io.asynq.internal.worker.LeasedTask;
import io.asynq.internal.worker.Outcome;
import io.asynq.internal.worker.OutcomeResult.Status;
import org.junit.jupiter.api.Test;
import org.springframework.data.redis.connection.RedisConnectionFactory;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * What becomes of tasks whose attempts end.
 */
@OnDrivers
class EndedAttemptsContract extends StoresContract {

	private static final Duration MAX_AGE = Duration.ofDays(7);

	EndedAttemptsContract(RedisConnectionFactory factory) {
		super(factory);
	}

	@Test
	void doneTaskIsDeletedAndCounted() {
		assertThat(report(new Outcome.Done(active(message("t1").build())))).containsExactly(Status.APPLIED);
		assertThat(state("t1")).isEmpty();
		assertThat(counted()).isEqualTo(new Counted(1, 0));
	}

	@Test
	void completedTaskIsKeptForItsRetentionWithItsResult() {
		LeasedTask task = active(message("t1").retentionSeconds(60).build());
		assertThat(report(new Outcome.Completed(task, utf8("42")))).containsExactly(Status.APPLIED);
		TaskInfo info = info("t1");
		assertThat(info.state()).isEqualTo(TaskState.COMPLETED);
		assertThat(text(info.result())).isEqualTo("42");
		assertThat(info.completedAt()).isEqualTo(second(0));
		assertThat(info.retention()).isEqualTo(Duration.ofSeconds(60));
		assertThat(counted()).isEqualTo(new Counted(1, 0));
		this.clock.advance(Duration.ofSeconds(59));
		assertThat(this.broker.upkeep().deleteExpired(QUEUE, 10)).isZero();
		this.clock.advance(Duration.ofSeconds(1));
		assertThat(this.broker.upkeep().deleteExpired(QUEUE, 10)).isEqualTo(1);
		assertThat(state("t1")).isEmpty();
	}

	@Test
	void deletesAsManyExpiredTasksAsAskedFor() {
		for (String id : List.of("a", "b", "c")) {
			report(new Outcome.Completed(active(message(id).retentionSeconds(1).build()), null));
			this.clock.advance(Duration.ofSeconds(1));
		}
		assertThat(this.broker.upkeep().deleteExpired(QUEUE, 2)).isEqualTo(2);
		assertThat(ids(TaskState.COMPLETED)).containsExactly("c");
	}

	@Test
	void resultThatTheHandlerHasWrittenIsKeptUnlessItReturnsAnother() {
		for (String returned : new String[] { null, "returned" }) {
			LeasedTask task = active(message("t-" + returned).retentionSeconds(60).build());
			assertThat(this.broker.completer().writeResult(task.lease(), utf8("first"))).isTrue();
			assertThat(this.broker.completer().writeResult(task.lease(), utf8("written"))).isTrue();
			report(new Outcome.Completed(task, (returned != null) ? utf8(returned) : null));
			assertThat(text(info("t-" + returned).result())).isEqualTo((returned != null) ? returned : "written");
		}
	}

	@Test
	void failedTaskIsRetriedAndCounted() {
		LeasedTask task = active(message("t1").retried(2).headers(Map.of("tenant", "acme")).build());
		assertThat(report(new Outcome.Retry(task, "no mail server", due(60), true))).containsExactly(Status.APPLIED);
		TaskInfo info = info("t1");
		assertThat(info.state()).isEqualTo(TaskState.RETRY);
		assertThat(info.retried()).isEqualTo(3);
		assertThat(info.lastError()).isEqualTo("no mail server");
		assertThat(info.lastFailedAt()).isEqualTo(second(0));
		assertThat(info.nextProcessAt()).isEqualTo(second(60));
		assertThat(info.headers()).containsEntry("tenant", "acme");
		assertThat(counted()).isEqualTo(new Counted(1, 1));
	}

	@Test
	void whatIsNoFailureIsRetriedAndNotCounted() {
		report(new Outcome.Retry(active(message("t1").build()), "not yet", due(60), false));
		assertThat(info("t1").retried()).isZero();
		assertThat(info("t1").lastError()).isEqualTo("not yet");
		assertThat(counted()).isEqualTo(new Counted(0, 0));
	}

	@Test
	void retriesAreOrderedByTheirTimeAndBecomePendingThen() {
		report(new Outcome.Retry(active(message("late").build()), "x", due(60), true));
		report(new Outcome.Retry(active(message("soon").build()), "x", due(5), true));
		assertThat(ids(TaskState.RETRY)).containsExactly("soon", "late");
		this.clock.advance(Duration.ofSeconds(5));
		assertThat(this.broker.upkeep().forward(QUEUE).nextDue()).isEqualTo(second(55));
		LeasedTask again = take();
		assertThat(again.message().id()).isEqualTo("soon");
		assertThat(again.message().retried()).isEqualTo(1);
		assertThat(again.message().errorMessage()).isEqualTo("x");
	}

	@Test
	void retryTimeIsCutAndPostponementRoundedUpToWholeSeconds() {
		// Now is 123 ms after a whole second
		Duration delay = Duration.ofMillis(1500);
		report(new Outcome.Retry(active(message("retried").build()), "x", due(delay), true),
				new Outcome.Postpone(active(message("postponed").build()), due(delay)));
		assertThat(info("retried").nextProcessAt()).isEqualTo(second(1));
		assertThat(info("postponed").nextProcessAt()).isEqualTo(second(2));
	}

	@Test
	void postponedTaskStaysAsItIs() {
		report(new Outcome.Postpone(active(message("t1").retried(2).errorMessage("before").build()), due(60)));
		TaskInfo info = info("t1");
		assertThat(info.state()).isEqualTo(TaskState.RETRY);
		assertThat(info.retried()).isEqualTo(2);
		assertThat(info.lastError()).isEqualTo("before");
		assertThat(info.lastFailedAt()).isNull();
		assertThat(counted()).isEqualTo(new Counted(0, 0));
	}

	@Test
	void taskWithoutHandlerWaitsAndNothingIsCounted() {
		assertThat(report(unhandled(active(message("t1").retried(2).build())))).containsExactly(Status.APPLIED);
		TaskInfo info = info("t1");
		assertThat(info.state()).isEqualTo(TaskState.RETRY);
		assertThat(info.retried()).isEqualTo(2);
		assertThat(info.lastError()).isEqualTo("no handler");
		assertThat(info.nextProcessAt()).isEqualTo(second(1));
		assertThat(counted()).isEqualTo(new Counted(0, 0));
	}

	@Test
	void taskWithoutHandlerWaitsAsLongAsItHasWaitedUpToALimit() {
		List<Long> waits = new ArrayList<>();
		pending("t1");
		for (int i = 0; i < 9; i++) {
			report(unhandled(take()));
			long wait = Duration.between(second(0), info("t1").nextProcessAt()).toSeconds();
			waits.add(wait);
			this.clock.advance(Duration.ofSeconds(wait));
			this.broker.upkeep().forward(QUEUE);
		}
		assertThat(waits).containsExactly(1L, 1L, 2L, 4L, 8L, 16L, 32L, 60L, 60L);
	}

	@Test
	void taskThatHasWaitedForAHandlerTooLongIsLeftToBeArchived() {
		report(unhandled(active(message("t1").build())));
		this.clock.advance(MAX_AGE);
		this.broker.upkeep().forward(QUEUE);
		LeasedTask again = take();
		assertThat(report(unhandled(again))).containsExactly(Status.OVERDUE);
		assertThat(state("t1")).contains(TaskState.ACTIVE);
		assertThat(report(new Outcome.Archive(again, "at last"))).containsExactly(Status.APPLIED);
		assertThat(state("t1")).contains(TaskState.ARCHIVED);
	}

	@Test
	void archivedTaskKeepsItsRetriesAndItsError() {
		report(new Outcome.Archive(active(message("t1").retried(25).build()), "at last"));
		TaskInfo info = info("t1");
		assertThat(info.state()).isEqualTo(TaskState.ARCHIVED);
		assertThat(info.retried()).isEqualTo(25);
		assertThat(info.lastError()).isEqualTo("at last");
		assertThat(info.lastFailedAt()).isEqualTo(second(0));
		assertThat(counted()).isEqualTo(new Counted(1, 1));
	}

	@Test
	void archiveForgetsTasksAfterNinetyDays() {
		report(new Outcome.Archive(active(message("old").build()), "x"));
		this.clock.advance(Duration.ofDays(89));
		report(new Outcome.Archive(active(message("young").build()), "x"));
		this.clock.advance(Duration.ofDays(1));
		report(new Outcome.Archive(active(message("new").build()), "x"));
		assertThat(ids(TaskState.ARCHIVED)).containsExactly("young", "new");
		assertThat(state("old")).isEmpty();
	}

	@Test
	void requeuedTasksReturnToTheFrontInTheirOrder() {
		pending("t1", "t2", "t3");
		List<LeasedTask> taken = take(2);
		assertThat(report(new Outcome.Requeue(taken.get(0)), new Outcome.Requeue(taken.get(1))))
			.containsOnly(Status.APPLIED);
		assertThat(ids(TaskState.PENDING)).containsExactly("t1", "t2", "t3");
		assertThat(counted()).isEqualTo(new Counted(0, 0));
	}

	@Test
	void outcomesThatAreSentTwiceChangeNothingTheSecondTime() {
		List<Outcome> batch = oneOfEach("first");
		assertThat(report(batch.toArray(Outcome[]::new))).containsOnly(Status.APPLIED);
		Counted counted = counted();
		List<List<String>> before = everything();
		assertThat(report(batch.toArray(Outcome[]::new))).containsOnly(Status.NOT_ACTIVE);
		assertThat(everything()).isEqualTo(before);
		assertThat(counted()).isEqualTo(counted);
	}

	@Test
	void earlierAttemptCannotEndALaterOne() {
		LeasedTask earlier = active(message("t1").retentionSeconds(60).build());
		report(new Outcome.Requeue(earlier));
		LeasedTask later = take();
		assertThat(report(new Outcome.Done(earlier), new Outcome.Completed(earlier, null),
				new Outcome.Retry(earlier, "x", due(1), true), new Outcome.Postpone(earlier, due(1)),
				unhandled(earlier), new Outcome.Archive(earlier, "x"), new Outcome.Requeue(earlier)))
			.containsOnly(Status.NOT_ACTIVE);
		assertThat(this.broker.completer().writeResult(earlier.lease(), utf8("late"))).isFalse();
		assertThat(state("t1")).contains(TaskState.ACTIVE);
		assertThat(report(new Outcome.Done(later))).containsExactly(Status.APPLIED);
	}

	@Test
	void retriedTaskOfAGroupGoesBackToItsGroup() {
		inState(TaskState.AGGREGATING, "t1");
		this.broker.tasks().moveGroup(QUEUE, TaskMove.RUN, "g");
		report(new Outcome.Retry(take(), "x", due(1), true));
		this.clock.advance(Duration.ofSeconds(2));
		this.broker.upkeep().forward(QUEUE);
		assertThat(state("t1")).contains(TaskState.AGGREGATING);
	}

	@Test
	void longErrorIsCutAndHalfCharactersAreReplaced() {
		report(new Outcome.Retry(active(message("long").build()), "x".repeat(20_000), due(9), true),
				new Outcome.Archive(active(message("half").build()), "half \uD83D pair"));
		assertThat(info("long").lastError()).hasSize(10_000).endsWith("x…");
		assertThat(info("half").lastError()).isEqualTo("half \uFFFD pair");
	}

	private static Outcome unhandled(LeasedTask task) {
		return new Outcome.Unhandled(task, "no handler", Duration.ofMinutes(1), MAX_AGE);
	}

	private List<Outcome> oneOfEach(String prefix) {
		TaskMessage kept = message(prefix + "-completed").retentionSeconds(60).build();
		return List.of(new Outcome.Done(active(message(prefix + "-done").build())),
				new Outcome.Completed(active(kept), null),
				new Outcome.Retry(active(message(prefix + "-retry").build()), "x", due(9), true),
				new Outcome.Postpone(active(message(prefix + "-postponed").build()), due(9)),
				unhandled(active(message(prefix + "-unhandled").build())),
				new Outcome.Archive(active(message(prefix + "-archived").build()), "x"),
				new Outcome.Requeue(active(message(prefix + "-requeued").build())));
	}

	private List<List<String>> everything() {
		List<List<String>> all = new ArrayList<>();
		for (TaskState state : TaskState.stored()) {
			if (state != TaskState.AGGREGATING) {
				all.add(ids(state));
			}
		}
		return all;
	}

}
