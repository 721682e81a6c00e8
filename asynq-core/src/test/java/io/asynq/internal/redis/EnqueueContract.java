package io.asynq.internal.redis;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

import io.asynq.AsynqException;
import io.asynq.BrokerException;
import io.asynq.DuplicateTaskException;
import io.asynq.TaskIdConflictException;
import io.asynq.internal.enqueue.EnqueueRequest;
import io.asynq.internal.enqueue.Placement;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.springframework.data.redis.connection.RedisConnectionFactory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * How tasks are stored.
 */
@OnDrivers
class EnqueueContract extends BrokerContract {

	private static final String ENQUEUED = "enqueued";

	private static final String DUPLICATE = DuplicateTaskException.class.getSimpleName();

	private static final String ID_CONFLICT = TaskIdConflictException.class.getSimpleName();

	private static final String BROKEN = BrokerException.class.getSimpleName();

	private static final Placement NOW = new Placement.Pending();

	private static final String LOCK = "asynq:{default}:unique:email:send:1181f89307fa271072c095747d5813cc";

	EnqueueContract(RedisConnectionFactory factory) {
		super(factory);
	}

	@Test
	void pendingTaskHasExactlyTheFieldsOfGo() {
		assertThat(enqueue("t1", NOW, null)).isEqualTo(ENQUEUED);
		this.state.assertPending(QUEUE, "t1");
		assertThat(this.state.fields(QUEUE, "t1").keySet()).containsExactly("pending_since", "state");
		assertThat(this.state.fields(QUEUE, "t1").get("pending_since")).isEqualTo(nowSeconds() + "123456789");
		assertThat(this.state.redis().opsForSet().members("asynq:queues")).containsExactly(QUEUE);
	}

	@Test
	void tasksAreDequeuedInEnqueueOrder() {
		enqueue("t1", NOW, null);
		enqueue("t2", NOW, null);
		enqueueAll(request("t3", NOW, null), request("t4", NOW, null));
		this.state.assertPending(QUEUE, "t1", "t2", "t3", "t4");
	}

	@Test
	void takenIdChangesNothing() {
		enqueue("t1", NOW, null);
		var before = this.state.dump(QUEUE);
		assertThat(enqueue("t1", later(10), null)).isEqualTo(ID_CONFLICT);
		assertThat(enqueue("t1", NOW, null)).isEqualTo(ID_CONFLICT);
		assertThat(this.state.dump(QUEUE)).isEqualTo(before);
	}

	@Test
	void uniqueTaskHoldsLockForGivenTime() {
		assertThat(enqueue("t1", NOW, Duration.ofSeconds(90))).isEqualTo(ENQUEUED);
		assertThat(this.state.redis().opsForValue().get(LOCK)).isEqualTo("t1");
		assertThat(this.state.redis().getExpire(LOCK)).isBetween(85L, 90L);
		assertThat(this.state.stored(QUEUE, "t1").uniqueKey()).isEqualTo(LOCK);
		assertThat(this.state.fields(QUEUE, "t1")).containsEntry("unique_key", LOCK);
		assertThat(enqueue("t2", NOW, Duration.ofSeconds(90))).isEqualTo(DUPLICATE);
		assertThat(enqueue("t3", later(10), Duration.ofSeconds(90))).isEqualTo(DUPLICATE);
		this.state.assertPending(QUEUE, "t1");
	}

	@Test
	void duplicateTakesPrecedenceOverIdConflict() {
		enqueue("t1", NOW, Duration.ofSeconds(90));
		assertThat(enqueue("t1", NOW, Duration.ofSeconds(90))).isEqualTo(DUPLICATE);
	}

	@Test
	void idConflictLeavesNoLock() {
		enqueue("t1", NOW, null);
		assertThat(enqueue("t1", NOW, Duration.ofSeconds(90))).isEqualTo(ID_CONFLICT);
		assertThat(enqueue("t1", later(5), Duration.ofSeconds(90))).isEqualTo(ID_CONFLICT);
		assertThat(enqueueAll(request("t1", NOW, Duration.ofSeconds(90)))).containsExactly(ID_CONFLICT);
		assertThat(this.state.exists(LOCK)).isFalse();
	}

	@Test
	void scheduledTimeIsInWholeSeconds() {
		assertThat(enqueue("t1", later(10), null)).isEqualTo(ENQUEUED);
		this.state.assertScheduled(QUEUE, "t1");
		assertThat(this.state.scores(QUEUE, "scheduled")).containsEntry("t1", nowSeconds() + 10);
		assertThat(this.state.fields(QUEUE, "t1").keySet()).containsExactly("state");
	}

	@Test
	void scheduledTaskStoresGroupInFieldUnknownToGo() {
		EnqueueRequest request = new EnqueueRequest(message("t1").group("mails").build(), later(10), null);
		this.broker.enqueuer().enqueue(request);
		this.broker.enqueuer()
			.enqueueAll(List
				.of(new EnqueueRequest(message("t2").group("mails").build(), later(10), Duration.ofSeconds(5))));
		this.broker.enqueuer()
			.enqueue(new EnqueueRequest(message("t3").group("mails").payload(new byte[0]).build(), later(10),
					Duration.ofSeconds(5)));
		for (String id : List.of("t1", "t2", "t3")) {
			assertThat(this.state.fields(QUEUE, id)).containsEntry("x-group", "mails")
				.containsEntry("state", "scheduled")
				.doesNotContainKey("group");
		}
		assertThat(this.state.exists("asynqj:{default}:groups")).as("no Java server cleans up here").isFalse();
	}

	@Test
	void groupedTaskIsAddedToItsGroup() {
		EnqueueRequest request = new EnqueueRequest(message("t1").group("mails").build(), new Placement.Grouped(),
				Duration.ofSeconds(90));
		this.broker.enqueuer().enqueue(request);
		this.state.assertGrouped(QUEUE, "mails", "t1");
		assertThat(this.state.scores(QUEUE, "g:mails")).containsEntry("t1", nowSeconds());
		assertThat(this.state.redis().opsForValue().get(LOCK)).isEqualTo("t1");
	}

	@Test
	void batchReturnsResultPerTask() {
		enqueue("taken", NOW, null);
		assertThat(enqueueAll(request("a", NOW, null), request("taken", NOW, null),
				request("b", NOW, Duration.ofSeconds(60)), request("c", NOW, Duration.ofSeconds(60)),
				request("d", later(10), null)))
			.containsExactly(ENQUEUED, ID_CONFLICT, ENQUEUED, DUPLICATE, ENQUEUED);
		this.state.assertPending(QUEUE, "taken", "a", "b");
		this.state.assertScheduled(QUEUE, "d");
	}

	@Test
	void batchSentTwiceChangesNothingTheSecondTime() {
		EnqueueRequest[] batch = { request("a", NOW, null), request("b", later(9), null),
				new EnqueueRequest(message("c").group("g").build(), new Placement.Grouped(), null) };
		enqueueAll(batch);
		var before = this.state.dump(QUEUE);
		assertThat(enqueueAll(batch)).containsOnly(ID_CONFLICT);
		assertThat(this.state.dump(QUEUE)).isEqualTo(before);
	}

	@Test
	void idRepeatedInBatchIsStoredOnce() {
		assertThat(enqueueAll(request("a", NOW, null), request("a", NOW, null), request("b", NOW, null)))
			.containsExactly(ENQUEUED, ID_CONFLICT, ENQUEUED);
		this.state.assertPending(QUEUE, "a", "b");
	}

	@Test
	void keyOfWrongTypeAffectsOnlyTasksThatNeedIt() {
		this.state.redis().opsForValue().set("asynq:{default}:scheduled", "text");
		this.state.redis().opsForValue().set("asynq:{default}:g:bad", "text");
		assertThat(enqueueAll(request("a", NOW, null), request("b", later(10), null),
				new EnqueueRequest(message("c").group("bad").build(), new Placement.Grouped(), null),
				new EnqueueRequest(message("d").group("good").build(), new Placement.Grouped(), null),
				request("e", NOW, null)))
			.containsExactly(ENQUEUED, BROKEN, BROKEN, ENQUEUED, ENQUEUED);
		this.state.assertPending(QUEUE, "a", "e");
		this.state.assertGrouped(QUEUE, "good", "d");
		assertThat(this.state.fields(QUEUE, "b")).isEmpty();
		assertThat(this.state.fields(QUEUE, "c")).isEmpty();
		assertThat(enqueue("f", later(10), null)).isEqualTo(BROKEN);
	}

	@Test
	void pendingKeyOfWrongTypeRefusesTaskWithoutTrace() {
		this.state.redis().opsForValue().set("asynq:{default}:pending", "text");
		assertThat(enqueue("a", NOW, Duration.ofSeconds(60))).isEqualTo(BROKEN);
		assertThat(enqueueAll(request("a", NOW, Duration.ofSeconds(60)))).containsExactly(BROKEN);
		assertThat(this.state.exists(LOCK)).isFalse();
		assertThat(this.state.fields(QUEUE, "a")).isEmpty();
	}

	@Test
	void pendingKeyOfWrongTypeTakesPrecedenceOverHeldLock() {
		Duration lock = Duration.ofSeconds(60);
		this.state.redis().opsForValue().set("asynq:{default}:pending", "text");
		this.state.redis().opsForValue().set(LOCK, "other");
		var before = this.state.dump(QUEUE);
		assertThat(enqueue("a", NOW, lock)).isEqualTo(BROKEN);
		assertThat(enqueueAll(request("a", NOW, lock))).containsExactly(BROKEN);
		assertThat(this.state.dump(QUEUE)).isEqualTo(before);
	}

	@Test
	void containerOfWrongTypeTakesPrecedenceOverHeldLockAndTakenId() {
		Duration lock = Duration.ofSeconds(60);
		enqueue("taken", NOW, null);
		this.state.redis().opsForValue().set(LOCK, "other");
		this.state.redis().opsForValue().set("asynq:{default}:scheduled", "text");
		this.state.redis().opsForValue().set("asynq:{default}:g:bad", "text");
		var before = this.state.dump(QUEUE);
		assertThat(enqueue("a", later(10), lock)).isEqualTo(BROKEN);
		assertThat(enqueue("taken", later(10), null)).isEqualTo(BROKEN);
		assertThat(enqueue(grouped("a", "bad", lock))).isEqualTo(BROKEN);
		assertThat(enqueue(grouped("taken", "bad", null))).isEqualTo(BROKEN);
		this.state.redis().opsForValue().set("asynq:{default}:groups", "text");
		assertThat(enqueue(grouped("a", "good", lock))).isEqualTo(BROKEN);
		this.state.redis().delete("asynq:{default}:groups");
		assertThat(this.state.dump(QUEUE)).isEqualTo(before);
	}

	@Test
	void pendingKeyOfWrongTypeTakesPrecedenceOverTakenId() {
		enqueue("taken", later(10), null);
		this.state.redis().opsForValue().set("asynq:{default}:pending", "text");
		assertThat(enqueue("taken", NOW, null)).isEqualTo(BROKEN);
		assertThat(enqueueAll(request("taken", NOW, null))).containsExactly(BROKEN);
	}

	@Test
	void containerOfWrongTypeRefusesTaskWithoutTrace() {
		Duration lock = Duration.ofSeconds(60);
		this.state.redis().opsForValue().set("asynq:{default}:scheduled", "text");
		this.state.redis().opsForValue().set("asynq:{default}:g:bad", "text");
		var before = this.state.dump(QUEUE);
		assertThat(enqueue("a", later(10), lock)).isEqualTo(BROKEN);
		assertThat(enqueue(grouped("a", "bad", lock))).isEqualTo(BROKEN);
		assertThat(this.state.dump(QUEUE)).isEqualTo(before);
		this.state.redis().opsForValue().set("asynq:{default}:groups", "text");
		before = this.state.dump(QUEUE);
		assertThat(enqueue(grouped("a", "good", lock))).isEqualTo(BROKEN);
		assertThat(this.state.dump(QUEUE)).isEqualTo(before);
	}

	@Test
	void listedGroupStaysListedWhenTaskIsRefused() {
		this.state.redis().opsForSet().add("asynq:{default}:groups", "bad");
		this.state.redis().opsForValue().set("asynq:{default}:g:bad", "text");
		assertThat(enqueue(grouped("a", "bad", null))).isEqualTo(BROKEN);
		assertThat(this.state.redis().opsForSet().members("asynq:{default}:groups")).containsExactly("bad");
	}

	@Test
	void lockDurationRefusedByRedisAffectsOnlyItsTask() {
		assertThat(enqueueAll(request("a", NOW, null), request("b", NOW, Duration.ofSeconds(Long.MAX_VALUE)),
				request("c", NOW, null)))
			.containsExactly(ENQUEUED, BROKEN, ENQUEUED);
		this.state.assertPending(QUEUE, "a", "c");
		assertThat(this.state.fields(QUEUE, "b")).isEmpty();
		EnqueueRequest grouped = new EnqueueRequest(message("d").group("g").build(), new Placement.Grouped(),
				Duration.ofSeconds(Long.MAX_VALUE));
		assertThatExceptionOfType(BrokerException.class).isThrownBy(() -> this.broker.enqueuer().enqueue(grouped));
		assertThat(this.state.fields(QUEUE, "d")).isEmpty();
	}

	@Test
	void outOfMemoryIsNotReportedAsARefusedLock() {
		enqueue("listed", NOW, null);
		maxMemory("1");
		try {
			assertThat(this.broker.enqueuer().enqueueAll(List.of(request("a", NOW, Duration.ofSeconds(60)))))
				.singleElement()
				.satisfies((error) -> assertThat(error.orElseThrow()).hasMessageContaining("maxmemory"));
		}
		finally {
			maxMemory("0");
		}
		assertThat(this.state.fields(QUEUE, "a")).isEmpty();
	}

	@Test
	void oneCallEnqueuesThousandsOfTasksToManyQueues() {
		List<EnqueueRequest> requests = new ArrayList<>();
		for (int i = 0; i < 2500; i++) {
			requests.add(new EnqueueRequest(RedisState.message("q" + i % 2, "t" + i).build(), NOW, null));
		}
		assertThat(this.broker.enqueuer().enqueueAll(requests)).containsOnly(Optional.empty());
		assertThat(this.state.pending("q0")).hasSize(1250).startsWith("t0", "t2", "t4");
		assertThat(this.state.pending("q1")).hasSize(1250).startsWith("t1", "t3", "t5");
	}

	@Test
	void nothingIsWrittenWhenQueueCannotBeListed() {
		this.state.redis().opsForValue().set("asynq:queues", "text");
		String wrong = WrongTypeException.class.getSimpleName();
		assertThat(enqueue("t1", NOW, Duration.ofSeconds(60))).isEqualTo(wrong);
		assertThat(enqueueAll(request("t2", NOW, null), request("t3", later(10), null))).containsOnly(wrong);
		assertThat(this.state.dump(QUEUE)).isEmpty();
	}

	@Test
	void deletedQueueIsListedAgainByEnqueue() {
		enqueue("t1", NOW, null);
		this.state.redis().delete("asynq:queues");
		enqueue("t2", NOW, null);
		assertThat(this.state.exists("asynq:queues")).isFalse();
		this.clock.advance(Duration.ofSeconds(10));
		enqueue("t3", NOW, null);
		assertThat(this.state.redis().opsForSet().members("asynq:queues")).containsExactly(QUEUE);
	}

	private String enqueue(String id, Placement placement, @Nullable Duration lock) {
		return enqueue(request(id, placement, lock));
	}

	private String enqueue(EnqueueRequest request) {
		try {
			this.broker.enqueuer().enqueue(request);
			return ENQUEUED;
		}
		catch (AsynqException ex) {
			return ex.getClass().getSimpleName();
		}
	}

	private List<String> enqueueAll(EnqueueRequest... requests) {
		return this.broker.enqueuer()
			.enqueueAll(List.of(requests))
			.stream()
			.map((error) -> error.map((ex) -> ex.getClass().getSimpleName()).orElse(ENQUEUED))
			.toList();
	}

	private static EnqueueRequest request(String id, Placement placement, @Nullable Duration lock) {
		return new EnqueueRequest(message(id).build(), placement, lock);
	}

	private void maxMemory(String bytes) {
		this.state.redis().execute((connection) -> {
			connection.serverCommands().setConfig("maxmemory", bytes);
			return null;
		}, true);
	}

	private static EnqueueRequest grouped(String id, String group, @Nullable Duration lock) {
		return new EnqueueRequest(message(id).group(group).build(), new Placement.Grouped(), lock);
	}

	private Placement later(int seconds) {
		Instant at = this.clock.instant().plusSeconds(seconds);
		return new Placement.Scheduled(at);
	}

	private static TaskMessage.Builder message(String id) {
		return RedisState.message(QUEUE, id);
	}

}
