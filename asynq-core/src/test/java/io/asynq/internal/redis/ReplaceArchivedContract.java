package io.asynq.internal.redis;

import java.time.Duration;
import java.time.Instant;
import java.util.List;

import io.asynq.BrokerException;
import io.asynq.DuplicateTaskException;
import io.asynq.TaskIdConflictException;
import io.asynq.internal.enqueue.EnqueueRequest;
import io.asynq.internal.enqueue.Placement;
import io.asynq.internal.schedule.Fire;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.data.redis.connection.RedisConnectionFactory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * How a new task takes the place of an archived one with its id.
 */
@OnDrivers
class ReplaceArchivedContract extends BrokerContract {

	private static final Placement NOW = new Placement.Pending();

	private static final String LOCK = "asynq:{default}:unique:report:=nightly";

	private static final String OLD_LOCK = "asynq:{default}:unique:report:old";

	ReplaceArchivedContract(RedisConnectionFactory factory) {
		super(factory);
	}

	@Test
	void archivedTaskIsReplacedWithAllItHad() {
		seedArchived("t1", OLD_LOCK);
		this.state.seedField(QUEUE, "t1", "result", utf8("old"));
		enqueue(request("t1", NOW, null));
		this.state.assertArchived(QUEUE);
		this.state.assertPending(QUEUE, "t1");
		assertThat(this.state.fields(QUEUE, "t1")).containsOnlyKeys("state", "pending_since");
		assertThat(this.state.stored(QUEUE, "t1").type()).isEqualTo("report");
		assertThat(this.state.stored(QUEUE, "t1").errorMessage()).isEmpty();
		assertThat(this.state.exists(OLD_LOCK)).isFalse();
		assertThat(this.state.exists("asynq:{default}:processed")).isFalse();
	}

	@Test
	void replacementMayBeScheduledOrGrouped() {
		seedArchived("t1", "");
		seedArchived("t2", "");
		Instant at = this.clock.instant().plusSeconds(60);
		enqueue(request("t1", new Placement.Scheduled(at), null));
		this.state.assertScheduled(QUEUE, "t1");
		enqueue(new EnqueueRequest(message("t2").toBuilder().group("g").build(), new Placement.Grouped(), null, null,
				true));
		this.state.assertGrouped(QUEUE, "g", "t2");
		this.state.assertArchived(QUEUE);
	}

	@Test
	void freeIdIsStoredAsUsual() {
		enqueue(request("t1", NOW, Duration.ofMinutes(5)));
		this.state.assertPending(QUEUE, "t1");
		assertThat(this.state.redis().opsForValue().get(LOCK)).isEqualTo("t1");
	}

	@ParameterizedTest
	@ValueSource(strings = { "pending", "scheduled", "retry", "active", "completed" })
	void taskInAnyOtherStateIsKept(String state) {
		switch (state) {
			case "pending" -> this.state.seedPending(old("t1", ""));
			case "scheduled" -> this.state.seedScheduled(this.clock.instant(), old("t1", ""));
			case "retry" -> this.state.seedRetry(this.clock.instant(), old("t1", ""));
			case "active" -> this.state.seedActive(this.clock.instant(), old("t1", ""));
			default -> this.state.seedCompleted(this.clock.instant(), old("t1", ""));
		}
		assertRefused(TaskIdConflictException.class, request("t1", NOW, Duration.ofMinutes(5)));
	}

	@Test
	void taskThatOnlySaysThatItIsArchivedIsKept() {
		this.state.seedPending(old("t1", ""));
		this.state.seedField(QUEUE, "t1", "state", utf8("archived"));
		assertRefused(TaskIdConflictException.class, request("t1", NOW, null));
	}

	@Test
	void lockOfTheArchivedTaskPassesToItsReplacement() {
		seedArchived("t1", LOCK);
		enqueue(request("t1", NOW, Duration.ofMinutes(5)));
		assertThat(this.state.redis().opsForValue().get(LOCK)).isEqualTo("t1");
		assertThat(this.state.redis().getExpire(LOCK)).isBetween(295L, 300L);
		this.state.assertPending(QUEUE, "t1");
		this.state.assertArchived(QUEUE);
	}

	@Test
	void lockOfAnotherTaskKeepsTheArchivedOne() {
		seedArchived("t1", OLD_LOCK);
		this.state.seedLock(LOCK, "other");
		assertRefused(DuplicateTaskException.class, request("t1", NOW, Duration.ofMinutes(5)));
	}

	@Test
	void lockLifeThatRedisRefusesKeepsTheArchivedOne() {
		seedArchived("t1", LOCK);
		assertRefused(BrokerException.class, request("t1", NOW, Duration.ofSeconds(Long.MAX_VALUE)));
	}

	@Test
	void containerOfWrongTypeKeepsTheArchivedOne() {
		seedArchived("t1", LOCK);
		this.state.redis().opsForValue().set("asynq:{default}:pending", "text");
		assertRefused(BrokerException.class, request("t1", NOW, null));
	}

	@Test
	void archiveOfWrongTypeIsAnIdConflict() {
		seedArchived("t1", LOCK);
		this.state.redis().delete("asynq:{default}:archived");
		this.state.redis().opsForValue().set("asynq:{default}:archived", "text");
		assertRefused(TaskIdConflictException.class, request("t1", NOW, null));
	}

	@Test
	void tasksOfABatchReplaceEachByItself() {
		seedArchived("t1", "");
		seedArchived("t2", "");
		assertThat(this.broker.enqueuer()
			.enqueueAll(List.of(request("t1", NOW, null), request("t1", NOW, null),
					new EnqueueRequest(message("t2"), NOW, null), request("t3", NOW, null))))
			.map((error) -> error.map((ex) -> ex.getClass().getSimpleName()).orElse("enqueued"))
			.containsExactly("enqueued", "TaskIdConflictException", "TaskIdConflictException", "enqueued");
		this.state.assertPending(QUEUE, "t1", "t3");
		this.state.assertArchived(QUEUE, "t2");
	}

	@Test
	void taskOfFireReplacesToo() {
		seedArchived("t1", LOCK);
		Fire fire = new Fire("nightly", this.clock.instant(), "a", false, false);
		assertThat(this.broker.schedulers().enqueue(request("t1", NOW, Duration.ofMinutes(5)), fire)).isTrue();
		assertThat(this.broker.schedulers().enqueue(request("t1", NOW, Duration.ofMinutes(5)), fire)).as("sent again")
			.isTrue();
		this.state.assertPending(QUEUE, "t1");
		this.state.assertArchived(QUEUE);
		assertThat(this.state.redis().opsForValue().get(LOCK)).isEqualTo("t1");
	}

	private void enqueue(EnqueueRequest request) {
		this.broker.enqueuer().enqueue(request);
	}

	private void assertRefused(Class<? extends Exception> error, EnqueueRequest request) {
		var before = this.state.dump(QUEUE);
		assertThatExceptionOfType(error).isThrownBy(() -> enqueue(request));
		assertThat(this.broker.enqueuer().enqueueAll(List.of(request))).singleElement()
			.satisfies((answer) -> assertThat(answer).containsInstanceOf(error));
		assertThat(this.state.dump(QUEUE)).isEqualTo(before);
	}

	private void seedArchived(String id, String lock) {
		this.state.seedArchived(this.clock.instant(), old(id, lock));
		if (!lock.isEmpty()) {
			this.state.seedLock(lock, id);
		}
	}

	private static TaskMessage old(String id, String lock) {
		return RedisState.message(QUEUE, id).errorMessage("boom").uniqueKey(lock).build();
	}

	private static EnqueueRequest request(String id, Placement placement, @Nullable Duration lock) {
		return new EnqueueRequest(message(id), placement, lock, (lock != null) ? "nightly" : null, true);
	}

	private static TaskMessage message(String id) {
		return TaskMessage.builder("report", id, QUEUE).build();
	}

}
