package io.asynq.internal.redis;

import java.nio.ByteBuffer;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import java.util.stream.Stream;

import io.asynq.internal.broker.RedisBroker;
import io.asynq.internal.worker.BrokenTaskHandler;
import io.asynq.internal.worker.CrashRecord;
import io.asynq.internal.worker.Due;
import io.asynq.internal.worker.EndedLease;
import io.asynq.internal.worker.Lease;
import io.asynq.internal.worker.LeasedTask;
import io.asynq.internal.worker.LostAttempt;
import io.asynq.internal.worker.Outcome;
import io.asynq.internal.worker.OutcomeResult;
import io.asynq.server.BrokenTask;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.springframework.data.redis.connection.RedisConnectionFactory;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * How leases are extended, how lost ones are found, and how completed tasks expire.
 */
@OnDrivers
class LeaseContract extends BrokerContract {

	private static final Duration GAP = Duration.ofSeconds(10);

	LeaseContract(RedisConnectionFactory factory) {
		super(factory);
	}

	@Test
	void extendedLeaseHasFullDurationAgain() {
		this.state.seedActive(in(3), message("t1").build());
		this.state.seedField(QUEUE, "t1", "x-attempt", utf8("present"));
		Lease lease = lease("t1", "present");
		long before = System.nanoTime();
		this.broker.upkeep().extend(QUEUE, List.of(lease));
		assertThat(this.state.scores(QUEUE, "lease")).containsEntry("t1", nowSeconds() + 30);
		assertThat(this.state.fields(QUEUE, "t1").get("x-attempt")).startsWith("present@" + (nowSeconds() + 30));
		assertThat(lease.isValidAt(before + Duration.ofMillis(29_875).toNanos())).isTrue();
		assertThat(lease.isValidAt(System.nanoTime() + Duration.ofMillis(29_877).toNanos())).isFalse();
	}

	@Test
	void leaseListedTwiceIsExtendedTwice() {
		this.state.seedActive(in(3), message("t1").build());
		this.state.seedField(QUEUE, "t1", "x-attempt", utf8("present@" + (nowSeconds() + 3)));
		List<Lease> leases = List.of(lease("t1", "present"), lease("t1", "present"));
		this.broker.upkeep().extend(QUEUE, leases);
		assertThat(leases).allMatch((lease) -> lease.isValidAt(System.nanoTime()));
	}

	@Test
	void leaseOwnedByAnotherIsLostAndNotExtended() {
		this.state.seedActive(in(3), message("java").build(), message("go").build());
		this.state.seedField(QUEUE, "java", "x-attempt", utf8("later"));
		this.state.seedField(QUEUE, "go", "x-attempt", utf8("present@" + (nowSeconds() - 60)));
		Lease java = lease("java", "present");
		Lease go = lease("go", "present");
		this.broker.upkeep().extend(QUEUE, List.of(java, go));
		assertThat(this.state.scores(QUEUE, "lease").values()).containsOnly(nowSeconds() + 3);
		assertThat(List.of(java, go)).noneMatch((lease) -> lease.isValidAt(System.nanoTime()));
	}

	@Test
	void missingLeaseIsNeitherCreatedNorExtended() {
		Lease lost = lease("gone", "present");
		Lease kept = lease("t1", "present");
		long before = System.nanoTime();
		this.state.seedActive(in(3), message("t1").build());
		this.state.seedField(QUEUE, "t1", "x-attempt", utf8("present"));
		this.broker.upkeep().extend(QUEUE, List.of(lost, kept));
		assertThat(this.state.scores(QUEUE, "lease")).containsOnlyKeys("t1");
		assertThat(List.of(lost, kept)).allMatch((lease) -> lease.isValidAt(before));
		assertThat(lost.isValidAt(before + Duration.ofSeconds(20).toNanos())).isFalse();
	}

	@Test
	void onlyTaskKnownToRedisIsExpectedToRunAgain() {
		Lease forgotten = lease("gone", "present");
		Lease leaseless = lease("t1", "present");
		Lease taken = lease("t2", "present");
		this.state.seedActive(null, message("t1").build());
		this.state.seedActive(in(3), message("t2").build());
		this.broker.upkeep().extend(QUEUE, List.of(forgotten, leaseless, taken));
		assertThat(forgotten.fate()).contains("no longer knows the task", "unless it is enqueued again");
		assertThat(leaseless.fate()).contains("will be recovered and run again");
		assertThat(taken.fate()).isEqualTo("another attempt has taken over the task");
		this.state.seedActive(in(3), message("gone").build());
		this.state.seedField(QUEUE, "gone", "x-attempt", utf8("present"));
		this.broker.upkeep().extend(QUEUE, List.of(forgotten));
		assertThat(forgotten.fate()).contains("will be recovered and run again");
	}

	@Test
	void listsExpiredLeasesOldestFirst() {
		this.state.seedActive(in(-40), message("b").build());
		this.state.seedActive(in(-50), message("a").build());
		this.state.seedActive(in(-30), message("edge").build());
		this.state.seedActive(in(-29), message("c").build());
		assertThat(expired(10)).extracting(TaskMessage::id).containsExactly("a", "b", "edge");
		assertThat(expired(2)).extracting(TaskMessage::id).containsExactly("a", "b");
	}

	@Test
	void pagesOfExpiredLeasesReportRestAndMissingLeases() {
		this.state.seedActive(in(-40), message("a").build(), message("b").build(), message("c").build());
		assertThat(ended(0, 2)).extracting(EndedLease.Page::more, EndedLease.Page::even).containsExactly(true, true);
		EndedLease.Page second = ended(2, 2);
		assertThat(second.leases()).extracting((lease) -> lease.message().id()).containsExactly("c");
		assertThat(second.more()).isFalse();
		this.state.seedActive(null, message("d").build());
		assertThat(ended(0, 2).even()).isFalse();
	}

	@Test
	void fractionalLeaseEndBecomesWholeNumber() {
		this.state.seedActive(in(-40), message("a").build(), message("b").build());
		this.state.redis().opsForZSet().add("asynq:{default}:lease", "a", nowSeconds() - 39.5);
		this.state.redis().opsForZSet().add("asynq:{default}:lease", "b", Double.NEGATIVE_INFINITY);
		assertThat(ended(0, 10).leases()).extracting(EndedLease::endedAt)
			.containsExactly(Instant.EPOCH, Instant.ofEpochSecond(nowSeconds() - 40));
		assertThat(this.state.scores(QUEUE, "lease")).containsEntry("a", nowSeconds() - 40).containsEntry("b", 0L);
	}

	@Test
	void claimedTaskIsEndedOnlyByItsClaimerAndKeepsItsRecord() {
		LeasedTask before = dequeued("t1");
		CrashRecord record = CrashRecord.CLEAN.suspected().crashed("host:1", Instant.EPOCH);
		LeasedTask claimed = claim(record);
		assertThat(status(new Outcome.Done(before))).isEqualTo(OutcomeResult.Status.NOT_ACTIVE);
		assertThat(ended(0, 10).leases()).extracting(EndedLease::record).containsExactly(record);
		assertThat(status(new Outcome.Retry(claimed, "lost", dueIn(60), true))).isEqualTo(OutcomeResult.Status.APPLIED);
		this.state.assertRetry(QUEUE, "t1");
		this.state.assertActive(QUEUE);
		assertThat(this.state.fields(QUEUE, "t1")).containsEntry("x-crashes", "1")
			.containsEntry("x-deaths", "host:1 1970-01-01T00:00:00Z")
			.containsKey("x-suspect")
			.doesNotContainKeys("x-attempt", "x-begun");
	}

	@Test
	void dequeueReturnsCrashRecordAndNormalEndClearsIt() {
		CrashRecord record = CrashRecord.CLEAN.suspected().crashed("a:1", Instant.EPOCH).crashed("b:2", Instant.EPOCH);
		dequeued("t1");
		assertThat(status(new Outcome.Requeue(claim(record)))).isEqualTo(OutcomeResult.Status.APPLIED);
		LeasedTask again = this.broker.dequeuer().dequeue(QUEUE, 1).tasks().get(0);
		assertThat(again.record()).isEqualTo(record);
		assertThat(status(new Outcome.Retry(again, "boom", dueIn(60), true))).isEqualTo(OutcomeResult.Status.APPLIED);
		assertThat(this.state.fields(QUEUE, "t1")).containsOnlyKeys("state");
	}

	@Test
	void startOfAttemptIsKnownUntilNextAttempt() {
		LeasedTask first = dequeued("t1");
		assertThat(lostAttempt().beginning()).isEqualTo(LostAttempt.Beginning.UNKNOWN);
		this.broker.completer().report(List.of(new Outcome.Requeue(claim(CrashRecord.CLEAN.suspected()))));
		assertThat(this.broker.completer().begin(QUEUE, List.of(first))).isEmpty();
		LeasedTask second = this.broker.dequeuer().dequeue(QUEUE, 1).tasks().get(0);
		end("t1");
		assertThat(lostAttempt().beginning()).isEqualTo(LostAttempt.Beginning.NOT_BEGUN);
		assertThat(this.broker.completer().begin(QUEUE, List.of(second, first))).containsExactly(second);
		assertThat(lostAttempt().beginning()).isEqualTo(LostAttempt.Beginning.BEGUN);
		assertThat(lostAttempt().server()).endsWith(":" + ProcessHandle.current().pid());
		this.broker.completer().report(List.of(new Outcome.Requeue(second)));
		this.broker.dequeuer().dequeue(QUEUE, 1);
		end("t1");
		assertThat(lostAttempt().beginning()).isEqualTo(LostAttempt.Beginning.NOT_BEGUN);
	}

	@Test
	void attemptOfGoServerIsNotTakenForStarted() {
		dequeued("t1");
		this.broker.completer().report(List.of(new Outcome.Requeue(claim(CrashRecord.CLEAN.suspected()))));
		LeasedTask begun = this.broker.dequeuer().dequeue(QUEUE, 1).tasks().get(0);
		this.broker.completer().begin(QUEUE, List.of(begun));
		end("t1");
		assertThat(lostAttempt().beginning()).isEqualTo(LostAttempt.Beginning.BEGUN);
		this.state.redis().opsForZSet().add("asynq:{default}:lease", "t1", nowSeconds() - 35);
		assertThat(lostAttempt().beginning()).isEqualTo(LostAttempt.Beginning.UNKNOWN);
	}

	@Test
	void taskThatWasFetchedAheadHadNotBegunUnlessThatIsRecorded() {
		this.state.seedPending(message("t1").build(), message("t2").build());
		LeasedTask held = this.broker.dequeuer().dequeue(QUEUE, 1, 1).tasks().get(0);
		end("t1");
		assertThat(lostAttempt().beginning()).isEqualTo(LostAttempt.Beginning.NOT_BEGUN);
		this.state.redis().delete("asynq:{default}:lease");
		LeasedTask begun = this.broker.dequeuer().dequeue(QUEUE, 1, 1).tasks().get(0);
		this.broker.completer().begin(QUEUE, List.of(begun));
		end("t2");
		assertThat(held.lease().fence()).isNotEqualTo(begun.lease().fence());
		assertThat(lostAttempt().beginning()).isEqualTo(LostAttempt.Beginning.BEGUN);
	}

	@Test
	void repeatedClaimKnowsThatCrashWasCounted() {
		dequeued("t1");
		assertThat(lostAttempt().counted()).isFalse();
		claim(CrashRecord.CLEAN.suspected());
		assertThat(lostAttempt().counted()).isTrue();
		assertThat(ended(0, 10).leases().get(0).record()).isEqualTo(CrashRecord.CLEAN.suspected());
	}

	@Test
	void repeatedClaimKnowsThatHandlerHadStarted() {
		dequeued("t1");
		this.broker.completer().report(List.of(new Outcome.Requeue(claim(CrashRecord.CLEAN.suspected()))));
		LeasedTask begun = this.broker.dequeuer().dequeue(QUEUE, 1).tasks().get(0);
		this.broker.completer().begin(QUEUE, List.of(begun));
		end("t1");
		claim(ended(0, 10).leases().get(0).record());
		assertThat(lostAttempt().beginning()).isEqualTo(LostAttempt.Beginning.BEGUN);
	}

	private LeasedTask dequeued(String id) {
		this.state.seedPending(message(id).build());
		LeasedTask task = this.broker.dequeuer().dequeue(QUEUE, 1).tasks().get(0);
		end(id);
		return task;
	}

	private void end(String id) {
		this.state.redis().opsForZSet().add("asynq:{default}:lease", id, nowSeconds() - 40);
		String attempt = this.state.fields(QUEUE, id).get("x-attempt");
		this.state.seedField(QUEUE, id, "x-attempt", utf8(attempt.replaceFirst("@\\d+", "@" + (nowSeconds() - 40))));
	}

	private LeasedTask claim(CrashRecord record) {
		EndedLease ended = ended(0, 10).leases().get(0);
		return this.broker.upkeep().claim(QUEUE, List.of(ended.withRecord(record))).get(0);
	}

	private LostAttempt lostAttempt() {
		return ended(0, 10).leases().get(0).attempt();
	}

	@Test
	void unarchivableTaskDoesNotBlockPaging() {
		this.state.redis().opsForValue().set("asynq:{default}:archived", "text");
		for (String id : List.of("bad1", "bad2")) {
			this.state.seedActive(in(-50), message(id).build());
			this.state.seedField(QUEUE, id, "msg", new byte[] { (byte) 0xFF });
		}
		this.state.seedActive(in(-40), message("good").build());
		standStillForALease();
		EndedLease.Page first = ended(0, 2);
		assertThat(first.leases()).isEmpty();
		assertThat(first.listed()).isEqualTo(2);
		assertThat(ended(first.listed(), 2).leases()).extracting((lease) -> lease.message().id())
			.containsExactly("good");
	}

	@Test
	void serversContinueObservationsOfOthers() {
		this.state.seedActive(in(-40), message("t1").build());
		assertThat(unmoved()).isZero();
		this.clock.advance(Duration.ofSeconds(6));
		assertThat(unmoved()).hasSeconds(6);
		this.clock.advance(Duration.ofSeconds(6));
		assertThat(unmoved()).hasSeconds(12);
		this.state.redis().opsForZSet().add("asynq:{default}:lease", "t1", nowSeconds() - 39);
		assertThat(unmoved()).as("it has moved").isZero();
	}

	@Test
	void observationExpiresWithoutReadersOrWhenClockIsSet() {
		this.state.seedActive(in(-7200), message("t1").build());
		unmoved();
		this.clock.advance(Duration.ofSeconds(11));
		assertThat(unmoved()).isZero();
		this.clock.advance(Duration.ofSeconds(9));
		assertThat(unmoved()).hasSeconds(9);
		this.clock.advance(Duration.ofSeconds(-60));
		assertThat(unmoved()).isZero();
		this.clock.advance(Duration.ofSeconds(9));
		assertThat(unmoved()).hasSeconds(9);
	}

	@Test
	void leaseOfJavaFarInFutureExpiresAfterStandingStill() {
		this.state.seedPending(message("java").build());
		this.broker.dequeuer().dequeue(QUEUE, 1);
		this.state.seedActive(in(30), message("go").build());
		this.clock.advance(Duration.ofHours(-1));
		for (int second = 0; second < 30; second += 10) {
			assertThat(this.broker.upkeep().ending(QUEUE, Duration.ZERO, GAP, 0, 10).leases()).isEmpty();
			this.clock.advance(Duration.ofSeconds(10));
		}
		assertThat(this.broker.upkeep().ending(QUEUE, Duration.ZERO, GAP, 0, 10).leases())
			.extracting((lease) -> lease.message().id())
			.containsExactly("java");
		assertThat(this.state.fields(QUEUE, "java").get("x-attempt")).endsWith("@" + nowSeconds());
		assertThat(unmoved()).hasSeconds(30);
	}

	@Test
	void leaseOfJavaFarInFutureExpiresAmongManyOfGoServers() {
		this.state.seedPending(message("java").build());
		this.broker.dequeuer().dequeue(QUEUE, 1);
		for (int i = 0; i < 120; i++) {
			this.state.seedActive(in(20), message("go" + i).build());
		}
		this.clock.advance(Duration.ofHours(-1));
		List<EndedLease> ended = List.of();
		for (int second = 0; second < 3000 && ended.isEmpty(); second += 5) {
			this.clock.advance(Duration.ofSeconds(5));
			ended = this.broker.upkeep().ending(QUEUE, Duration.ZERO, GAP, 0, 10).leases();
		}
		assertThat(ended).extracting((lease) -> lease.message().id()).containsExactly("java");
	}

	@Test
	void leaseLongerThanThatOfObserverIsLeftAlone() {
		RedisBroker other = new RedisBroker(this.factory, this.clock, ScriptTime.of(this.clock), Duration.ofMinutes(10),
				(task) -> {
				});
		this.state.seedPending(message("long").build());
		other.dequeuer().dequeue(QUEUE, 1);
		long end = nowSeconds() + 600;
		for (int second = 0; second <= 180; second += 10) {
			assertThat(this.broker.upkeep().ending(QUEUE, Duration.ZERO, GAP, 0, 10).leases()).isEmpty();
			this.clock.advance(Duration.ofSeconds(10));
		}
		assertThat(this.state.scores(QUEUE, "lease")).containsEntry("long", end);
	}

	@Test
	void longLeaseDurationIsForgottenForNextServer() {
		RedisBroker other = new RedisBroker(this.factory, this.clock, ScriptTime.of(this.clock), Duration.ofMinutes(10),
				(task) -> {
				});
		this.state.seedPending(message("task").build());
		other.dequeuer().dequeue(QUEUE, 1);
		assertThat(this.state.fields(QUEUE, "task").get("x-attempt")).contains("~600000@");
		this.state.redis().opsForList().rightPopAndLeftPush("asynq:{default}:active", "asynq:{default}:pending");
		this.state.seedField(QUEUE, "task", "state", utf8("pending"));
		this.broker.dequeuer().dequeue(QUEUE, 1);
		assertThat(this.state.fields(QUEUE, "task").get("x-attempt")).doesNotContain("~");
	}

	@ParameterizedTest
	@MethodSource("ends")
	void attemptMarksAreRemovedWhenExtendedAttemptEnds(Function<LeasedTask, Outcome> end) {
		for (String id : List.of("suspect", "short", "noted")) {
			this.state.seedPending(message(id).build());
		}
		this.state.seedField(QUEUE, "suspect", "x-suspect", utf8("earlier"));
		this.state.seedField(QUEUE, "suspect", "x-crashes", utf8("1"));
		this.state.seedField(QUEUE, "short", "x-cut-short", utf8("2"));
		List<LeasedTask> tasks = this.broker.dequeuer().dequeue(QUEUE, 3).tasks();
		LeasedTask noted = tasks.stream()
			.filter((task) -> task.message().id().equals("noted"))
			.findFirst()
			.orElseThrow();
		this.broker.completer().begin(QUEUE, List.of(noted));
		this.clock.advance(Duration.ofSeconds(5));
		this.broker.upkeep().extend(QUEUE, tasks.stream().map(LeasedTask::lease).toList());
		for (LeasedTask task : tasks) {
			assertThat(this.state.fields(QUEUE, task.message().id()).get("x-attempt"))
				.endsWith("@" + (nowSeconds() + 30) + "!");
		}
		assertThat(this.broker.completer().report(tasks.stream().map(end).toList())).extracting(OutcomeResult::status)
			.containsOnly(OutcomeResult.Status.APPLIED);
		for (LeasedTask task : tasks) {
			assertThat(this.state.fields(QUEUE, task.message().id()).keySet())
				.noneMatch((field) -> field.startsWith("x-"));
		}
	}

	static Stream<Function<LeasedTask, Outcome>> ends() {
		return Stream.of((task) -> new Outcome.Archive(task, "x"),
				(task) -> new Outcome.Retry(task, "x", Due.in(Duration.ofMinutes(1)), true),
				(task) -> new Outcome.Completed(task, utf8("x")));
	}

	@Test
	void extendedOrRemovedLeaseIsNotClaimed() {
		this.state.seedActive(in(-40), message("moved").build(), message("gone").build());
		List<EndedLease> ended = ended(0, 10).leases();
		this.state.redis().opsForZSet().add("asynq:{default}:lease", "moved", nowSeconds() + 30);
		this.state.seedField(QUEUE, "gone", "state", utf8("retry"));
		assertThat(this.broker.upkeep().claim(QUEUE, ended)).isEmpty();
		assertThat(this.state.fields(QUEUE, "moved")).doesNotContainKey("x-attempt");
	}

	@Test
	void undecodableMessageDoesNotHideOthers() {
		this.state.seedActive(in(-50), message("bad").build());
		this.state.seedActive(in(-40), message("a").build());
		this.state.seedField(QUEUE, "bad", "msg", new byte[] { (byte) 0xFF });
		standStillForALease();
		assertThat(expired(10)).extracting(TaskMessage::id).containsExactly("a");
		this.state.assertArchived(QUEUE, "bad");
		this.state.assertActive(QUEUE, "a");
		assertThat(this.brokenTasks).containsExactly(new BrokenTask(QUEUE, "bad", BrokenTask.Kind.UNDECODABLE));
	}

	@Test
	void undecodableTaskOwnedByAnotherIsLeftAlone() {
		List<String> ids = List.of("bad", "bare", "extended", "claimed", "taken");
		for (String id : ids) {
			this.state.seedActive(in(-40), message(id).build());
		}
		this.state.seedField(QUEUE, "bad", "x-attempt", utf8("lost@" + (nowSeconds() - 40) + "!"));
		this.state.redis().opsForZSet().add("asynq:{default}:lease", "extended", nowSeconds() + 30);
		this.broker.upkeep()
			.claim(QUEUE,
					ended(0, 10).leases().stream().filter((lease) -> lease.message().id().equals("claimed")).toList());
		assertThat(this.state.fields(QUEUE, "claimed").get("x-attempt")).endsWith("@" + (nowSeconds() - 40) + "!");
		this.state.seedField(QUEUE, "taken", "x-attempt", utf8("another@" + (nowSeconds() - 40)));
		byte[] unreadable = { (byte) 0xFF };
		List<Object> idsAndMessages = new ArrayList<>();
		ids.forEach((id) -> idsAndMessages.addAll(List.of(utf8(id), unreadable)));
		new BrokenTaskHandler(RedisState.scripts(this.factory), ScriptTime.of(this.clock), this.brokenTasks::add)
			.decode(QUEUE, idsAndMessages,
					(i) -> new BrokenTaskHandler.Hands((i == 0) ? "lost" : "", String.valueOf(Text.seconds(in(-40)))));
		this.state.assertArchived(QUEUE, "bad", "bare");
		this.state.assertActive(QUEUE, "extended", "claimed", "taken");
	}

	@Test
	void undecodableTaskIsArchivedOnlyAfterStandingStill() {
		this.state.seedActive(in(30), message("bad").build(), message("extended").build());
		for (String id : List.of("bad", "extended")) {
			this.state.seedField(QUEUE, id, "msg", new byte[] { (byte) 0xFF });
		}
		this.clock.advance(Duration.ofMinutes(2));
		standStillForALease();
		this.state.assertActive(QUEUE, "bad", "extended");
		this.state.redis().opsForZSet().add("asynq:{default}:lease", "extended", nowSeconds() - 60);
		expired(10);
		this.state.assertArchived(QUEUE, "bad");
		this.state.assertActive(QUEUE, "extended");
	}

	@Test
	void undecodableTaskIsLeftAloneWhileLeaseHolds() {
		this.state.seedActive(in(10), message("bad").build(), message("a").build());
		this.state.seedField(QUEUE, "bad", "msg", new byte[] { (byte) 0xFF });
		assertThat(this.broker.upkeep().ending(QUEUE, Duration.ofSeconds(15), GAP, 0, 10).leases())
			.extracting((lease) -> lease.message().id())
			.containsExactly("a");
		this.state.assertActive(QUEUE, "bad", "a");
		assertThat(this.brokenTasks).isEmpty();
	}

	@Test
	void leaseWithoutTaskIsRemovedEverywhere() {
		this.state.redis().opsForZSet().add("asynq:{default}:lease", "ghost", nowSeconds() - 50);
		this.state.redis().opsForList().leftPush("asynq:{default}:active", "ghost");
		assertThat(expired(10)).isEmpty();
		this.state.assertActive(QUEUE);
	}

	@Test
	void taskInStateActiveButInNoListIsRecovered() {
		this.state.seedActive(in(-50), message("t1").build());
		this.state.redis().delete("asynq:{default}:active");
		LeasedTask claimed = this.broker.upkeep().claim(QUEUE, ended(0, 10).leases()).get(0);
		assertThat(status(new Outcome.Retry(claimed, "lost", dueIn(60), true))).isEqualTo(OutcomeResult.Status.APPLIED);
		this.state.assertRetry(QUEUE, "t1");
		this.state.assertActive(QUEUE);
	}

	@Test
	void taskInActiveListWithOtherStateIsRecovered() {
		this.state.seedActive(in(-50), message("t1").build());
		this.state.seedField(QUEUE, "t1", "state", utf8("nonsense"));
		assertThat(expired(10)).extracting(TaskMessage::id).containsExactly("t1");
		this.state.assertActive(QUEUE, "t1");
	}

	@Test
	void leaseOfInactiveTaskIsDropped() {
		this.state.seedRetry(in(60), message("t1").build());
		this.state.redis().opsForZSet().add("asynq:{default}:lease", "t1", nowSeconds() - 50);
		assertThat(expired(10)).isEmpty();
		this.state.assertActive(QUEUE);
		this.state.assertRetry(QUEUE, "t1");
	}

	@Test
	void findsActiveTasksWithoutLeaseAndAddsExpiredOne() {
		this.state.seedActive(null, message("lost1").build(), message("lost2").build());
		this.state.seedActive(in(30), message("held").build());
		assertThat(this.broker.upkeep().withoutLease(QUEUE)).containsExactlyInAnyOrder("lost1", "lost2");
		assertThat(this.broker.upkeep().attachLease(QUEUE, List.of("lost1", "held", "gone"), Duration.ofSeconds(-30)))
			.isEqualTo(1);
		assertThat(this.state.scores(QUEUE, "lease")).containsEntry("lost1", nowSeconds() - 30)
			.containsEntry("held", nowSeconds() + 30)
			.doesNotContainKeys("lost2", "gone");
		assertThat(expired(10)).extracting(TaskMessage::id).containsExactly("lost1");
	}

	@Test
	void activeTaskWithInvalidUtf8IdIsArchivedWithoutLease() {
		byte[] id = { 'x', (byte) 0xFF };
		byte[] key = ByteBuffer.allocate(20).put(utf8("asynq:{default}:t:")).put(id).array();
		this.state.redis().execute((connection) -> {
			connection.hashCommands().hSet(key, utf8("msg"), TaskMessageCodec.encode(message("t1").build()));
			connection.hashCommands().hSet(key, utf8("state"), utf8("active"));
			return connection.listCommands().lPush(utf8("asynq:{default}:active"), id);
		}, true);
		assertThat(this.broker.upkeep().withoutLease(QUEUE)).isEmpty();
		this.clock.advance(Duration.ofSeconds(30));
		standStillForALease();
		assertThat(expired(10)).isEmpty();
		assertThat(this.brokenTasks).extracting(BrokenTask::kind).containsExactly(BrokenTask.Kind.UNDECODABLE);
		assertThat(this.state.redis().opsForList().size("asynq:{default}:active")).isZero();
		assertThat(this.state.redis().opsForZSet().size("asynq:{default}:archived")).isEqualTo(1);
	}

	@Test
	void completedTasksAreDeletedAfterRetention() {
		this.state.seedCompleted(in(-1), message("old1").build(), message("old2").build());
		this.state.seedCompleted(in(0), message("edge").build());
		this.state.seedCompleted(in(1), message("kept").build());
		assertThat(this.broker.upkeep().deleteExpired(QUEUE, 2)).isEqualTo(2);
		assertThat(this.broker.upkeep().deleteExpired(QUEUE, 2)).isEqualTo(1);
		assertThat(this.broker.upkeep().deleteExpired(QUEUE, 2)).isZero();
		this.state.assertCompleted(QUEUE, "kept");
		assertThat(this.state.exists("asynq:{default}:t:old1")).isFalse();
	}

	/**
	 * Watches expired leases for the duration of a lease; the last look is left to the
	 * test.
	 */
	private void standStillForALease() {
		for (int second = 0; second < 30; second += 10) {
			expired(10);
			this.clock.advance(Duration.ofSeconds(10));
		}
	}

	private List<TaskMessage> expired(int limit) {
		return ended(0, limit).leases().stream().map(EndedLease::message).toList();
	}

	private EndedLease.Page ended(int offset, int limit) {
		return this.broker.upkeep().ending(QUEUE, Duration.ofSeconds(-30), GAP, offset, limit);
	}

	private OutcomeResult.Status status(Outcome outcome) {
		return this.broker.completer().report(List.of(outcome)).get(0).status();
	}

	private Duration unmoved() {
		return this.broker.upkeep().ending(QUEUE, Duration.ZERO, GAP, 0, 10).leases().get(0).unmoved();
	}

	private static Lease lease(String id, String fence) {
		return new Lease(QUEUE, id, fence, System.nanoTime() + Duration.ofSeconds(10).toNanos());
	}

	private Instant in(int seconds) {
		return this.clock.instant().plusSeconds(seconds);
	}

	private static TaskMessage.Builder message(String id) {
		return RedisState.message(QUEUE, id);
	}

}
