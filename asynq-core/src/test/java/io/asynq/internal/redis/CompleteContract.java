package io.asynq.internal.redis;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

import io.asynq.internal.worker.LeasedTask;
import io.asynq.internal.worker.Outcome;
import io.asynq.internal.worker.OutcomeResult;
import org.junit.jupiter.api.Test;
import org.springframework.data.redis.connection.RedisConnectionFactory;

import static io.asynq.internal.worker.OutcomeResult.Status.APPLIED;
import static io.asynq.internal.worker.OutcomeResult.Status.BROKEN;
import static io.asynq.internal.worker.OutcomeResult.Status.NOT_ACTIVE;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * How active tasks end.
 */
@OnDrivers
class CompleteContract extends OutcomeContract {

	private static final String LOCK = "asynq:{default}:unique:email:send:1181f89307fa271072c095747d5813cc";

	CompleteContract(RedisConnectionFactory factory) {
		super(factory);
	}

	@Test
	void doneTaskIsDeletedCountedAndUnlocked() {
		LeasedTask unique = active(message("t1").uniqueKey(LOCK).build());
		this.state.seedLock(LOCK, "t1");
		assertThat(report(new Outcome.Done(unique))).containsExactly(APPLIED);
		this.state.assertActive(QUEUE);
		assertThat(this.state.exists("asynq:{default}:t:t1")).isFalse();
		assertThat(this.state.exists(LOCK)).isFalse();
		this.state.assertCounters(QUEUE, DAY, 1, 0);
	}

	@Test
	void postponedTaskGoesToRetryUnchangedAndUncounted() {
		LeasedTask exhausted = active(message("t1").maxRetry(0).errorMessage("before").build());
		assertThat(report(new Outcome.Postpone(exhausted, due(Duration.ofMillis(1001))))).containsExactly(APPLIED);
		this.state.assertActive(QUEUE);
		this.state.assertRetry(QUEUE, "t1");
		long rounded = this.clock.instant().plusMillis(1001).plusNanos(999_999_999).getEpochSecond();
		assertThat(this.state.scores(QUEUE, "retry")).containsEntry("t1", rounded);
		assertThat(this.state.stored(QUEUE, "t1")).usingRecursiveComparison().isEqualTo(exhausted.message());
		assertThat(this.state.fields(QUEUE, "t1")).doesNotContainKey("x-attempt");
		this.state.assertCounters(QUEUE, DAY, 0, 0);
		assertThat(report(new Outcome.Postpone(exhausted, dueIn(0)))).containsExactly(NOT_ACTIVE);
	}

	@Test
	void lockHeldByAnotherTaskStays() {
		LeasedTask unique = active(message("t1").uniqueKey(LOCK).build());
		this.state.seedLock(LOCK, "other");
		report(new Outcome.Done(unique));
		assertThat(this.state.redis().opsForValue().get(LOCK)).isEqualTo("other");
	}

	@Test
	void completedTaskKeepsResultUntilRetentionEnds() {
		LeasedTask kept = active(message("t1").retentionSeconds(3600).uniqueKey(LOCK).build());
		this.state.seedLock(LOCK, "t1");
		assertThat(report(new Outcome.Completed(kept, utf8("42")))).containsExactly(APPLIED);
		this.state.assertActive(QUEUE);
		this.state.assertCompleted(QUEUE, "t1");
		assertThat(this.state.scores(QUEUE, "completed")).containsEntry("t1", nowSeconds() + 3600);
		assertThat(this.state.fields(QUEUE, "t1")).containsEntry("result", "42");
		assertThat(this.state.stored(QUEUE, "t1").completedAtSeconds()).isEqualTo(nowSeconds());
		assertThat(this.state.exists(LOCK)).isFalse();
		this.state.assertCounters(QUEUE, DAY, 1, 0);
	}

	@Test
	void unlimitedRetentionDoesNotEndAtOnce() {
		report(new Outcome.Completed(active(message("t1").retentionSeconds(Long.MAX_VALUE).build()), null));
		assertThat(this.state.scores(QUEUE, "completed").get("t1")).isGreaterThan(nowSeconds());
	}

	@Test
	void completionWithoutResultKeepsResultWrittenByHandler() {
		LeasedTask kept = active(message("t1").retentionSeconds(3600).build());
		this.broker.completer().writeResult(kept.lease(), utf8("written"));
		report(new Outcome.Completed(kept, null));
		assertThat(this.state.fields(QUEUE, "t1")).containsEntry("result", "written");
	}

	@Test
	void completedIdCanBeCompletedAgain() {
		LeasedTask kept = active(message("t1").retentionSeconds(3600).build());
		this.state.redis().opsForZSet().add("asynq:{default}:completed", "t1", 1);
		assertThat(report(new Outcome.Completed(kept, null))).containsExactly(APPLIED);
		this.state.assertCompleted(QUEUE, "t1");
		assertThat(this.state.scores(QUEUE, "completed")).containsEntry("t1", nowSeconds() + 3600);
	}

	@Test
	void failureIsRetriedWithErrorAndCounted() {
		LeasedTask failed = active(message("t1").retried(2).build());
		assertThat(report(new Outcome.Retry(failed, "boom", dueIn(90), true))).containsExactly(APPLIED);
		this.state.assertActive(QUEUE);
		this.state.assertRetry(QUEUE, "t1");
		assertThat(this.state.scores(QUEUE, "retry")).containsEntry("t1", nowSeconds() + 90);
		TaskMessage stored = this.state.stored(QUEUE, "t1");
		assertThat(stored.retried()).isEqualTo(3);
		assertThat(stored.errorMessage()).isEqualTo("boom");
		assertThat(stored.lastFailedAtSeconds()).isEqualTo(nowSeconds());
		this.state.assertCounters(QUEUE, DAY, 1, 1);
	}

	@Test
	void errorThatIsNoFailureChangesNeitherRetriesNorCounters() {
		LeasedTask limited = active(message("t1").retried(2).build());
		report(new Outcome.Retry(limited, "not now", dueIn(5), false));
		this.state.assertRetry(QUEUE, "t1");
		assertThat(this.state.stored(QUEUE, "t1").retried()).isEqualTo(2);
		assertThat(this.state.stored(QUEUE, "t1").errorMessage()).isEqualTo("not now");
		assertThat(this.state.exists("asynq:{default}:processed")).isFalse();
		assertThat(this.state.exists("asynq:{default}:processed:" + DAY)).isFalse();
	}

	@Test
	void archivedTaskKeepsRetriesAndIsCounted() {
		LeasedTask failed = active(message("t1").retried(25).build());
		assertThat(report(new Outcome.Archive(failed, "boom"))).containsExactly(APPLIED);
		this.state.assertActive(QUEUE);
		this.state.assertArchived(QUEUE, "t1");
		assertThat(this.state.stored(QUEUE, "t1").retried()).isEqualTo(25);
		this.state.assertCounters(QUEUE, DAY, 1, 1);
	}

	@Test
	void requeuedTasksReturnToFrontInOriginalOrder() {
		this.state.seedPending(message("p1").build());
		List<Outcome> outcomes = new ArrayList<>();
		for (int i = 0; i < 600; i++) {
			outcomes.add(new Outcome.Requeue(active(message("t" + i).build())));
		}
		assertThat(this.broker.completer().report(outcomes)).extracting(OutcomeResult::status).containsOnly(APPLIED);
		assertThat(this.state.pending(QUEUE)).hasSize(601).startsWith("t0", "t1", "t2").endsWith("t599", "p1");
		assertThat(this.state.fields(QUEUE, "t0")).containsKey("pending_since").containsEntry("state", "pending");
		assertThat(this.state.exists("asynq:{default}:processed")).isFalse();
	}

	@Test
	void taskWithoutLeaseCanBeCompleted() {
		LeasedTask lost = attempt(message("t1").retentionSeconds(60).build(), "present");
		for (Outcome outcome : List.of(new Outcome.Done(lost), new Outcome.Completed(lost, null),
				new Outcome.Retry(lost, "x", dueIn(1), true), new Outcome.Archive(lost, "x"),
				new Outcome.Requeue(lost))) {
			this.state.redis().execute((connection) -> {
				connection.keyCommands().del(utf8("asynq:{default}:t:t1"));
				return true;
			}, true);
			active(lost.message());
			this.state.redis().delete("asynq:{default}:lease");
			assertThat(report(outcome)).as("%s", outcome).containsExactly(APPLIED);
			assertThat(this.state.active(QUEUE)).isEmpty();
		}
	}

	@Test
	void taskMissingFromActiveListIsCompletedByItsAttempt() {
		LeasedTask lost = active(message("t1").build());
		this.state.redis().delete("asynq:{default}:active");
		assertThat(report(new Outcome.Retry(lost, "x", dueIn(60), true))).containsExactly(APPLIED);
		this.state.assertRetry(QUEUE, "t1");
		assertThat(report(new Outcome.Retry(lost, "x", dueIn(60), true))).containsExactly(NOT_ACTIVE);
	}

	@Test
	void outcomeOfTaskNoLongerActiveChangesNothing() {
		LeasedTask gone = attempt(message("t1").build(), "present");
		this.state.seedRetry(in(60), gone.message());
		var before = this.state.dump(QUEUE);
		assertThat(report(new Outcome.Done(gone), new Outcome.Completed(gone, null),
				new Outcome.Retry(gone, "x", dueIn(1), true), new Outcome.Archive(gone, "x"),
				new Outcome.Requeue(gone)))
			.containsOnly(NOT_ACTIVE);
		assertThat(this.state.dump(QUEUE)).isEqualTo(before);
	}

	@Test
	void outcomeOfEarlierAttemptDoesNotAffectLaterOne() {
		TaskMessage message = message("t1").retentionSeconds(60).uniqueKey(LOCK).build();
		active(message);
		this.state.seedLock(LOCK, "t1");
		LeasedTask earlier = attempt(message, "earlier");
		var before = this.state.dump(QUEUE);
		assertThat(report(new Outcome.Done(earlier), new Outcome.Completed(earlier, utf8("x")),
				new Outcome.Retry(earlier, "x", dueIn(1), true), new Outcome.Archive(earlier, "x"),
				new Outcome.Requeue(earlier)))
			.containsOnly(NOT_ACTIVE);
		assertThat(this.state.dump(QUEUE)).isEqualTo(before);
	}

	@Test
	void attemptOfGoServerIsNotEndedByJava() {
		this.state.seedActive(in(30), message("t1").build());
		assertThat(report(new Outcome.Done(attempt(message("t1").build(), "earlier")))).containsExactly(NOT_ACTIVE);
		this.state.assertActive(QUEUE, "t1");
	}

	@Test
	void attemptTakenOverByGoServerIsNotEndedByJava() {
		LeasedTask late = active(message("t1").retentionSeconds(60).build());
		for (long end : List.of(nowSeconds() - 90, nowSeconds() + 60)) {
			this.state.redis().opsForZSet().add("asynq:{default}:lease", "t1", end);
			var before = this.state.dump(QUEUE);
			assertThat(report(new Outcome.Done(late), new Outcome.Completed(late, utf8("x")),
					new Outcome.Retry(late, "x", dueIn(1), true), new Outcome.Postpone(late, dueIn(1)),
					new Outcome.Archive(late, "x"), new Outcome.Requeue(late)))
				.containsOnly(NOT_ACTIVE);
			assertThat(this.broker.completer().writeResult(late.lease(), utf8("x"))).isFalse();
			assertThat(this.state.dump(QUEUE)).isEqualTo(before);
		}
	}

	@Test
	void activeTaskWithoutHashIsRemoved() {
		LeasedTask done = active(message("t1").build());
		LeasedTask failed = active(message("t2").build());
		this.state.redis().delete(List.of("asynq:{default}:t:t1", "asynq:{default}:t:t2"));
		assertThat(report(new Outcome.Done(done), new Outcome.Retry(failed, "x", dueIn(1), true)))
			.containsExactly(APPLIED, APPLIED);
		this.state.assertActive(QUEUE);
		this.state.assertRetry(QUEUE, "t2");
	}

	@Test
	void attemptLeavesNoFieldsInTask() {
		this.broker.completer().report(oneOfEach());
		for (String id : List.of("completed", "retry", "archive", "requeue")) {
			assertThat(this.state.fields(QUEUE, id)).containsKey("state").doesNotContainKey("x-attempt");
		}
	}

	@Test
	void attemptWithoutMirroredLeaseEndCanBeCompleted() {
		List<Outcome> outcomes = oneOfEach();
		outcomes
			.forEach((outcome) -> this.state.seedField(QUEUE, outcome.message().id(), "x-attempt", utf8("present")));
		assertThat(this.broker.completer().report(outcomes)).extracting(OutcomeResult::status).containsOnly(APPLIED);
		this.state.assertActive(QUEUE);
	}

	@Test
	void batchSentTwiceChangesNothingTheSecondTime() {
		List<Outcome> batch = oneOfEach();
		assertThat(this.broker.completer().report(batch)).extracting(OutcomeResult::status).containsOnly(APPLIED);
		var before = this.state.dump(QUEUE);
		assertThat(this.broker.completer().report(batch)).extracting(OutcomeResult::status).containsOnly(NOT_ACTIVE);
		assertThat(this.state.dump(QUEUE)).isEqualTo(before);
		this.state.assertCounters(QUEUE, DAY, 4, 2);
	}

	@Test
	void idRepeatedInBatchIsCompletedAndCountedOnce() {
		LeasedTask done = active(message("t1").build());
		LeasedTask failed = active(message("t2").build());
		assertThat(report(new Outcome.Done(done), new Outcome.Done(done),
				new Outcome.Retry(failed, "x", dueIn(9), true), new Outcome.Retry(failed, "x", dueIn(9), true)))
			.containsExactly(APPLIED, NOT_ACTIVE, APPLIED, NOT_ACTIVE);
		this.state.assertCounters(QUEUE, DAY, 2, 1);
	}

	@Test
	void taskKeyOfWrongTypeDoesNotAffectOthersInBatch() {
		LeasedTask a = active(message("a").build());
		LeasedTask bad = active(message("bad").build());
		LeasedTask c = active(message("c").build());
		this.state.redis().delete("asynq:{default}:t:bad");
		this.state.redis().opsForValue().set("asynq:{default}:t:bad", "text");
		assertThat(report(new Outcome.Retry(a, "x", dueIn(9), true), new Outcome.Retry(bad, "x", dueIn(9), true),
				new Outcome.Retry(c, "x", dueIn(9), true)))
			.containsExactly(APPLIED, BROKEN, APPLIED);
		this.state.assertRetry(QUEUE, "a", "c");
		assertThat(this.state.active(QUEUE)).containsExactly("bad");
		this.state.assertCounters(QUEUE, DAY, 2, 2);
	}

	@Test
	void containerOfWrongTypeAffectsOnlyOutcomesThatNeedIt() {
		this.state.redis().opsForValue().set("asynq:{default}:retry", "text");
		List<Outcome> batch = oneOfEach();
		assertThat(this.broker.completer().report(batch)).extracting(OutcomeResult::status)
			.containsExactly(APPLIED, APPLIED, BROKEN, APPLIED, APPLIED);
		assertThat(this.state.active(QUEUE)).containsExactly("retry");
		this.state.assertCounters(QUEUE, DAY, 3, 1);
	}

	@Test
	void invalidUtf8InErrorTextIsReplaced() {
		report(new Outcome.Retry(active(message("t1").build()), "half \uD83D pair", dueIn(9), true));
		assertThat(this.state.stored(QUEUE, "t1").errorMessage()).isEqualTo("half \uFFFD pair");
	}

	@Test
	void longErrorTextIsCut() {
		report(new Outcome.Retry(active(message("t1").build()), "x".repeat(1_000_000), dueIn(9), true));
		assertThat(this.state.stored(QUEUE, "t1").errorMessage()).hasSize(10_000).endsWith("x…");
	}

	@Test
	void unknownMessageFieldsSurviveRetry() {
		byte[] future = { (byte) 0xA2, 0x06, 0x03, 'n', 'e', 'w' };
		LeasedTask message = active(message("t1").unknownFields(future).build());
		report(new Outcome.Retry(message, "x", dueIn(9), true));
		assertThat(this.state.stored(QUEUE, "t1").unknownFields()).isEqualTo(future);
	}

	@Test
	void oneCallReportsManyQueuesAndKinds() {
		List<Outcome> outcomes = new ArrayList<>();
		for (int i = 0; i < 600; i++) {
			LeasedTask message = active(RedisState.message("q" + i % 3, "t" + i).build());
			outcomes.add((i % 2 == 0) ? new Outcome.Done(message) : new Outcome.Retry(message, "x", dueIn(9), true));
		}
		assertThat(this.broker.completer().report(outcomes)).extracting(OutcomeResult::status).containsOnly(APPLIED);
		for (String queue : List.of("q0", "q1", "q2")) {
			this.state.assertActive(queue);
			this.state.assertCounters(queue, DAY, 200, 100);
		}
	}

	private List<Outcome> oneOfEach() {
		return List.of(new Outcome.Done(active(message("done").build())),
				new Outcome.Completed(active(message("completed").retentionSeconds(60).build()), null),
				new Outcome.Retry(active(message("retry").build()), "x", dueIn(9), true),
				new Outcome.Archive(active(message("archive").build()), "x"),
				new Outcome.Requeue(active(message("requeue").build())));
	}

}
