package io.asynq.internal.redis;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

import io.asynq.CancelMode;
import io.asynq.TaskNotFoundException;
import io.asynq.TaskState;
import io.asynq.TaskStateException;
import io.asynq.event.ArchiveReason;
import io.asynq.inspect.AsynqInspector;
import io.asynq.inspect.CancelResult;
import io.asynq.internal.fleet.ServerSnapshot;
import io.asynq.internal.inspect.TaskMove;
import io.asynq.internal.worker.Due;
import io.asynq.internal.worker.EndedLease;
import io.asynq.internal.worker.Lease;
import io.asynq.internal.worker.LeasedTask;
import io.asynq.internal.worker.Outcome;
import io.asynq.internal.worker.OutcomeResult;
import io.asynq.server.QueueWeights;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.core.task.SimpleAsyncTaskExecutor;
import org.springframework.data.redis.connection.RedisConnectionFactory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * What becomes of cancelled tasks, whatever state they are in and whoever has them.
 */
@OnDrivers
class CancelTaskContract extends ByHandContract {

	private static final String CANCELLED = "asynqj:{default}:cancelled";

	private final AsynqInspector inspector = AsynqInspector.create(this.broker, this.clock);

	/** Of the task that was taken first. */
	private Lease other;

	CancelTaskContract(RedisConnectionFactory factory) {
		super(factory);
	}

	@ParameterizedTest
	@EnumSource(names = { "PENDING", "SCHEDULED", "RETRY", "AGGREGATING" })
	void waitingTaskIsArchivedAtOnce(TaskState from) {
		seed(from, message("t1").group("g").uniqueKey(LOCK).build());
		this.state.seedLock(LOCK, "t1");
		assertThat(cancel("t1", CancelMode.ARCHIVE)).isEqualTo(CancelResult.ARCHIVED);
		this.state.assertArchived(QUEUE, "t1");
		assertThat(this.state.fields(QUEUE, "t1")).doesNotContainKeys("pending_since", "x-cancel");
		assertThat(this.state.exists(LOCK)).isTrue();
		assertNothingIn("pending", "scheduled", "retry", "groups", "g:g", "processed", "failed");
	}

	@ParameterizedTest
	@EnumSource(names = { "PENDING", "SCHEDULED", "RETRY", "AGGREGATING" })
	void waitingTaskIsDeletedAtOnceWithItsLock(TaskState from) {
		seed(from, message("t1").group("g").uniqueKey(LOCK).build());
		this.state.seedLock(LOCK, "t1");
		assertThat(cancel("t1", CancelMode.DELETE)).isEqualTo(CancelResult.DELETED);
		assertThat(this.state.dump(QUEUE)).isEmpty();
	}

	@ParameterizedTest
	@CsvSource({ "ARCHIVED, ARCHIVE", "COMPLETED, DELETE", "ARCHIVED, RETRY", "PENDING, RETRY", "SCHEDULED, RETRY" })
	void taskThatHasEndedOrHasNothingToRetryIsRefused(TaskState from, CancelMode mode) {
		seed(from, message("t1").build());
		Map<String, Object> before = this.state.dump(QUEUE);
		assertThatExceptionOfType(TaskStateException.class).isThrownBy(() -> cancel("t1", mode))
			.withMessageContaining("t1")
			.withMessageContaining("cannot be cancelled");
		assertThat(this.state.dump(QUEUE)).isEqualTo(before);
	}

	@Test
	void unknownTaskIsNamed() {
		seed(TaskState.PENDING, message("t1").build());
		this.state.redis().opsForSet().add("asynq:queues", QUEUE);
		assertThatExceptionOfType(TaskNotFoundException.class).isThrownBy(() -> cancel("t2", CancelMode.DELETE))
			.withMessageContaining("t2");
	}

	@Test
	void activeTaskWithoutJavaServerOfItsQueueGetsTheSignalOnly() {
		serve("other");
		seed(TaskState.ACTIVE, message("t1").build());
		assertThat(cancel("t1", CancelMode.ARCHIVE)).isEqualTo(CancelResult.SIGNAL_SENT);
		assertThat(this.state.fields(QUEUE, "t1")).doesNotContainKey("x-cancel");
		assertThat(this.state.exists(CANCELLED)).isFalse();
	}

	@ParameterizedTest
	@CsvSource({ "ARCHIVE, RECORDED", "DELETE, RECORDED", "RETRY, SIGNAL_SENT" })
	void wishIsRecordedForATaskOfAJavaServerWithoutAskingWhichServersThereAre(CancelMode mode, CancelResult answer) {
		this.state.seedPending(message("t1").build());
		this.broker.dequeuer().dequeue(QUEUE, 1);
		assertThat(cancel("t1", mode)).isEqualTo(answer);
		assertThat(this.state.fields(QUEUE, "t1").containsKey("x-cancel")).isEqualTo(mode != CancelMode.RETRY);
		assertThat(this.state.exists(CANCELLED)).isEqualTo(mode != CancelMode.RETRY);
	}

	@ParameterizedTest
	@EnumSource(names = { "ARCHIVE", "DELETE" })
	void taskThatGoHasTakenOverIsNoneOfAJavaServer(CancelMode mode) {
		this.state.seedPending(message("t1").build());
		this.broker.dequeuer().dequeue(QUEUE, 1);
		// Go writes another end of the lease, and leaves the fields of others alone
		this.state.redis().opsForZSet().add("asynq:{default}:lease", "t1", in(77).getEpochSecond());
		assertThat(cancel("t1", mode)).isEqualTo(CancelResult.SIGNAL_SENT);
		assertThat(this.state.fields(QUEUE, "t1")).doesNotContainKey("x-cancel");
		assertThat(this.state.exists(CANCELLED)).isFalse();
	}

	@ParameterizedTest
	@EnumSource
	void serversAreToldOnceOnTheChannelOfGo(CancelMode mode) throws Exception {
		serve(QUEUE);
		String own = "-" + mode;
		seed(TaskState.ACTIVE, message("task" + own).build());
		CountDownLatch ready = new CountDownLatch(1);
		BlockingQueue<String> heard = new LinkedBlockingQueue<>();
		Subscription subscription = this.broker.cancellations().subscribe(ready::countDown, (id) -> {
			// A node may still pass on what another test has told
			if (id.endsWith(own)) {
				heard.add(id);
			}
		});
		new SimpleAsyncTaskExecutor("listening-").execute(subscription::listen);
		try {
			assertThat(ready.await(60, TimeUnit.SECONDS)).isTrue();
			cancel("task" + own, mode);
			this.inspector.cancelTask("last" + own);
			// On a cluster two nodes tell them
			assertThat(Stream.of(next(heard), next(heard))).containsExactlyInAnyOrder("task" + own, "last" + own);
			this.inspector.cancelTask("end" + own);
			assertThat(next(heard)).isEqualTo("end" + own);
		}
		finally {
			subscription.close();
		}
	}

	private static String next(BlockingQueue<String> heard) throws InterruptedException {
		return Objects.requireNonNull(heard.poll(60, TimeUnit.SECONDS), "Nothing was told");
	}

	@Test
	void serverThatTellsNoTypesIsNoneOfOurs() {
		serve(QUEUE);
		assertThat(this.broker.fleet().hasJavaServer(QUEUE)).isTrue();
		assertThat(this.broker.fleet().hasJavaServer("other")).isFalse();
		this.state.redis().delete("asynqj:types:{host:7:uuid}");
		assertThat(this.broker.fleet().hasJavaServer(QUEUE)).isFalse();
	}

	@ParameterizedTest
	@ValueSource(strings = { "retry", "postpone", "requeue", "unhandled" })
	void outcomeThatWouldWaitArchivesCancelledTask(String kind) {
		LeasedTask task = takenAndCancelled(CancelMode.ARCHIVE);
		OutcomeResult result = this.broker.completer().report(List.of(outcome(kind, task))).get(0);
		assertThat(result.instead()).isInstanceOfSatisfying(Outcome.Archive.class,
				(archive) -> assertThat(archive.reason()).isEqualTo(ArchiveReason.CANCELLED));
		this.state.assertArchived(QUEUE, "t1");
		this.state.assertActive(QUEUE);
		this.state.assertCounters(QUEUE, DAY, 1, 1);
		assertThat(this.state.fields(QUEUE, "t1")).containsOnlyKeys("state", "unique_key");
		assertThat(this.state.stored(QUEUE, "t1").retried()).isZero();
		assertThat(this.state.stored(QUEUE, "t1").errorMessage())
			.isEqualTo(kind.equals("retry") ? "context canceled" : "cancelled");
		assertNothingIn("retry", "pending");
		this.broker.upkeep().forward(QUEUE);
		assertThat(this.state.exists(CANCELLED)).isFalse();
	}

	@ParameterizedTest
	@ValueSource(strings = { "retry", "postpone", "requeue", "unhandled", "archive" })
	void outcomeThatWouldKeepItDeletesCancelledTaskAndReleasesItsLock(String kind) {
		LeasedTask task = takenAndCancelled(CancelMode.DELETE);
		assertThat(this.broker.completer().report(List.of(outcome(kind, task))).get(0).instead())
			.isInstanceOf(Outcome.Done.class);
		this.broker.upkeep().forward(QUEUE);
		assertThat(this.state.dump(QUEUE)).containsOnlyKeys("asynq:{default}:processed",
				"asynq:{default}:processed:" + DAY);
		this.state.assertCounters(QUEUE, DAY, 1, 0);
	}

	@Test
	void handlerThatSucceedsAllTheSameHasDoneTheTask() {
		LeasedTask task = takenAndCancelled(CancelMode.ARCHIVE);
		assertThat(this.broker.completer().report(List.of(new Outcome.Completed(task, null))))
			.containsExactly(OutcomeResult.APPLIED);
		this.state.assertCompleted(QUEUE, "t1");
		assertThat(this.state.fields(QUEUE, "t1")).doesNotContainKey("x-cancel");
	}

	@Test
	void onlyTheCancelledTaskOfABatchIsArchived() {
		this.state.seedPending(message("t0").build());
		LeasedTask task = takenAndCancelled(CancelMode.ARCHIVE);
		LeasedTask other = new LeasedTask(message("t0").build(), this.other, task.record());
		List<OutcomeResult> results = this.broker.completer()
			.report(List.of(outcome("retry", other), outcome("retry", task)));
		assertThat(results).extracting(OutcomeResult::status).containsOnly(OutcomeResult.Status.APPLIED);
		assertThat(results.get(0).instead()).isNull();
		this.state.assertRetry(QUEUE, "t0");
		this.state.assertArchived(QUEUE, "t1");
	}

	@Test
	void lostTaskIsNotRetriedByRecovery() {
		takenAndCancelled(CancelMode.ARCHIVE);
		this.clock.advance(Duration.ofSeconds(31));
		EndedLease.Page page = this.broker.upkeep().ending(QUEUE, Duration.ZERO, Duration.ofSeconds(10), 0, 10);
		LeasedTask claimed = this.broker.upkeep().claim(QUEUE, page.leases()).get(0);
		this.broker.completer().report(List.of(outcome("requeue", claimed)));
		this.state.assertArchived(QUEUE, "t1");
		assertNothingIn("retry", "pending", "active");
	}

	@ParameterizedTest
	@EnumSource(names = { "ARCHIVE", "DELETE" })
	void whatGoRetriesIsSettledBeforeItIsForwarded(CancelMode mode) {
		heldByGoAndCancelled(mode);
		goRetries(in(-1).getEpochSecond());
		assertThat(this.broker.upkeep().forward(QUEUE).moved()).isZero();
		assertSettled(mode);
	}

	@ParameterizedTest
	@EnumSource(names = { "ARCHIVE", "DELETE" })
	void whatGoHasMadePendingAgainIsNotTaken(CancelMode mode) {
		heldByGoAndCancelled(mode);
		goRequeues("t1");
		this.state.seedPending(message("t2").build());
		assertThat(this.broker.dequeuer().dequeue(QUEUE, 10).tasks()).isEmpty();
		assertSettled(mode);
		assertThat(this.broker.dequeuer().dequeue(QUEUE, 10).tasks()).extracting((task) -> task.message().id())
			.containsExactly("t2");
	}

	@Test
	void whatGoHasArchivedRunsAgainWhenRunByHand() {
		heldByGoAndCancelled(CancelMode.ARCHIVE);
		this.state.redis().opsForList().remove("asynq:{default}:active", 0, "t1");
		this.state.redis().delete("asynq:{default}:lease");
		this.state.redis().opsForZSet().add("asynq:{default}:archived", "t1", in(0).getEpochSecond());
		this.state.seedField(QUEUE, "t1", "state", utf8("archived"));
		this.broker.upkeep().forward(QUEUE);
		assertThat(this.state.fields(QUEUE, "t1")).doesNotContainKey("x-cancel");
		assertThat(this.state.exists(CANCELLED)).isFalse();
	}

	@Test
	void archivedTaskRunsAgainWhenRunByHand() {
		LeasedTask task = takenAndCancelled(CancelMode.ARCHIVE);
		this.broker.completer().report(List.of(outcome("retry", task)));
		this.inspector.runTask(QUEUE, "t1");
		LeasedTask again = this.broker.dequeuer().dequeue(QUEUE, 1).tasks().get(0);
		this.broker.completer().report(List.of(outcome("retry", again)));
		this.state.assertRetry(QUEUE, "t1");
	}

	@Test
	void runByHandForgetsTheWishOfATaskThatWaits() {
		heldByGoAndCancelled(CancelMode.ARCHIVE);
		goRetries(in(60).getEpochSecond());
		assertThat(move(TaskMove.RUN)).isEqualTo(done(TaskState.RETRY));
		assertThat(this.broker.dequeuer().dequeue(QUEUE, 1).tasks()).hasSize(1);
	}

	@Test
	void retryTakesBackAnEarlierWish() {
		LeasedTask task = takenAndCancelled(CancelMode.DELETE);
		assertThat(cancel("t1", CancelMode.RETRY)).isEqualTo(CancelResult.SIGNAL_SENT);
		this.broker.completer().report(List.of(outcome("retry", task)));
		this.state.assertRetry(QUEUE, "t1");
	}

	@Test
	void wishEndsWithTheTaskAndDoesNotHitTheNextOneOfItsId() {
		LeasedTask task = takenAndCancelled(CancelMode.DELETE);
		this.broker.completer().report(List.of(new Outcome.Done(task)));
		this.state.seedPending(message("t1").build());
		assertThat(this.broker.dequeuer().dequeue(QUEUE, 1).tasks()).hasSize(1);
		this.broker.upkeep().forward(QUEUE);
		assertThat(this.state.exists(CANCELLED)).isFalse();
	}

	@Test
	void manyCancelledTasksAreSettledTogether() {
		serve(QUEUE);
		for (int i = 0; i < 250; i++) {
			this.state.seedActive(in(30), message("t" + i).build());
			cancel("t" + i, CancelMode.DELETE);
		}
		for (int i = 0; i < 250; i++) {
			goRequeues("t" + i);
		}
		this.broker.upkeep().forward(QUEUE);
		assertThat(this.state.dump(QUEUE)).isEmpty();
	}

	private LeasedTask takenAndCancelled(CancelMode mode) {
		serve(QUEUE);
		this.state.seedPending(message("t1").uniqueKey(LOCK).retentionSeconds(60).build());
		this.state.seedLock(LOCK, "t1");
		List<LeasedTask> tasks = this.broker.dequeuer().dequeue(QUEUE, 10).tasks();
		this.other = tasks.get(0).lease();
		assertThat(cancel("t1", mode)).isEqualTo(CancelResult.RECORDED);
		return tasks.get(tasks.size() - 1);
	}

	private void heldByGoAndCancelled(CancelMode mode) {
		serve(QUEUE);
		this.state.seedActive(in(30), message("t1").uniqueKey(LOCK).build());
		this.state.seedLock(LOCK, "t1");
		assertThat(cancel("t1", mode)).isEqualTo(CancelResult.RECORDED);
		this.broker.upkeep().forward(QUEUE);
		this.state.assertActive(QUEUE, "t1");
	}

	private void goRetries(long due) {
		this.state.redis().opsForList().remove("asynq:{default}:active", 0, "t1");
		this.state.redis().opsForZSet().remove("asynq:{default}:lease", "t1");
		this.state.redis().opsForZSet().add("asynq:{default}:retry", "t1", due);
		this.state.seedField(QUEUE, "t1", "state", utf8("retry"));
	}

	private void goRequeues(String id) {
		this.state.redis().opsForList().remove("asynq:{default}:active", 0, id);
		this.state.redis().opsForZSet().remove("asynq:{default}:lease", id);
		this.state.redis().opsForList().rightPush("asynq:{default}:pending", id);
		this.state.seedField(QUEUE, id, "state", utf8("pending"));
	}

	private void assertSettled(CancelMode mode) {
		assertThat(this.state.exists(CANCELLED)).isFalse();
		assertThat(this.state.exists(LOCK)).isEqualTo(mode == CancelMode.ARCHIVE);
		assertNothingIn("retry", "processed", "failed");
		if (mode == CancelMode.ARCHIVE) {
			this.state.assertArchived(QUEUE, "t1");
			assertThat(this.state.fields(QUEUE, "t1")).doesNotContainKey("x-cancel");
		}
		else {
			assertNothingIn("archived", "t:t1");
		}
	}

	private static Outcome outcome(String kind, LeasedTask task) {
		return switch (kind) {
			case "retry" -> new Outcome.Retry(task, "context canceled", Due.in(Duration.ofSeconds(60)), true);
			case "postpone" -> new Outcome.Postpone(task, Due.in(Duration.ofSeconds(60)));
			case "archive" -> new Outcome.Archive(task, "boom");
			case "unhandled" -> new Outcome.Unhandled(task, "no handler", Duration.ofMinutes(1), Duration.ofDays(7));
			default -> new Outcome.Requeue(task);
		};
	}

	private TaskMove.Result move(TaskMove move) {
		return this.broker.tasks().move(QUEUE, move, List.of("t1")).get(0);
	}

	private void serve(String queue) {
		ServerIdentity server = new ServerIdentity("host", 7, "uuid");
		this.broker.servers().writeTypes(server, "", Duration.ofSeconds(60));
		this.broker.servers().enlist(server, Duration.ofSeconds(60));
		this.broker.servers()
			.write(new ServerSnapshot(server, 10, new QueueWeights(Map.of(queue, 1), false), "active",
					this.clock.instant(), List.of(), Map.of()), Duration.ofSeconds(60));
	}

	private CancelResult cancel(String id, CancelMode mode) {
		return this.inspector.cancelTask(QUEUE, id, mode);
	}

}
