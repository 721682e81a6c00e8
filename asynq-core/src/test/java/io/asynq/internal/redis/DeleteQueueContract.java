package io.asynq.internal.redis;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;

import io.asynq.TaskState;
import io.asynq.internal.enqueue.EnqueueRequest;
import io.asynq.internal.enqueue.Placement;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.EnumSource.Mode;
import org.springframework.data.redis.connection.RedisConnectionFactory;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * How queues are paused, resumed and deleted.
 */
@OnDrivers
class DeleteQueueContract extends ByHandContract {

	private static final String STAGED = "g:g:7e4ab9cd-1b2c-4ab1-9a30-1b2c3d4e5f60";

	DeleteQueueContract(RedisConnectionFactory factory) {
		super(factory);
	}

	@Test
	void pausesAndResumesQueueOnce() {
		assertThat(this.broker.queueKeeper().resume(QUEUE)).isFalse();
		assertThat(this.broker.queueKeeper().pause(QUEUE)).isTrue();
		assertThat(this.state.value(QUEUE, "paused")).isEqualTo(String.valueOf(nowSeconds()));
		this.clock.advance(Duration.ofSeconds(1));
		assertThat(this.broker.queueKeeper().pause(QUEUE)).isFalse();
		assertThat(this.state.value(QUEUE, "paused")).isEqualTo(String.valueOf(nowSeconds() - 1));
		assertThat(this.broker.queueKeeper().resume(QUEUE)).isTrue();
		assertThat(this.state.exists("asynq:{default}:paused")).isFalse();
	}

	@ParameterizedTest
	@EnumSource(mode = Mode.EXCLUDE, names = "DEFERRED")
	void nonEmptyQueueIsNotDeletedWithoutForce(TaskState state) {
		seed(state, message("t1").group("g").build());
		this.state.redis().opsForValue().set("asynq:{default}:paused", "1");
		SortedMap<String, Object> before = this.state.dump(QUEUE);
		assertThat(this.broker.queueKeeper().delete(QUEUE, false)).isEqualTo(Map.of(state.wireName(), 1L));
		assertThat(this.state.dump(QUEUE)).isEqualTo(before);
		assertThat(this.broker.queues().exists(QUEUE)).isTrue();
	}

	@Test
	void unlistedGroupsAndStagedSetsPreventDeletionWithoutForce() {
		this.state.seedGrouped(in(0), message("t1").group("g").build(), message("t2").group("g").build());
		this.state.redis().rename("asynq:{default}:g:g", "asynq:{default}:" + STAGED);
		this.state.redis().opsForSet().remove("asynq:{default}:groups", "g");
		this.state.seedCompleted(in(5), message("c1").build());
		SortedMap<String, Object> before = this.state.dump(QUEUE);
		assertThat(this.broker.queueKeeper().delete(QUEUE, false))
			.isEqualTo(Map.of("aggregating", 2L, "completed", 1L));
		assertThat(this.state.dump(QUEUE)).isEqualTo(before);
	}

	@Test
	void emptyQueueIsDeletedCompletely() {
		this.state.redis().opsForSet().add("asynq:queues", QUEUE, "other");
		seedRemains();
		assertThat(this.broker.queueKeeper().delete(QUEUE, false)).isEmpty();
		assertThat(this.state.dump(QUEUE)).isEmpty();
		assertThat(this.broker.queues().queues()).containsExactly("other");
	}

	@Test
	void forcedDeletionLeavesNothing() {
		for (TaskState state : TaskState.stored()) {
			if (state != TaskState.ACTIVE) {
				seed(state, message(state.wireName()).group("g").uniqueKey(LOCK + state).build());
				this.state.seedLock(LOCK + state, state.wireName());
			}
		}
		this.state.redis().opsForHash().delete("asynq:{default}:t:aggregating", "unique_key");
		this.state.seedGrouped(in(0), message("unlisted").group("unlisted").build());
		this.state.redis().opsForSet().remove("asynq:{default}:groups", "unlisted");
		this.state.seedGrouped(in(0), message("staged").group("staged").build());
		this.state.redis().rename("asynq:{default}:g:staged", "asynq:{default}:g:staged:set");
		this.state.redis().opsForZSet().add("asynq:{default}:aggregation_sets", "asynq:{default}:g:staged:set", 1);
		seedRemains();
		TaskMessage other = RedisState.message("other", "o1").uniqueKey("asynq:{other}:unique:x:").build();
		this.state.seedPending(other);
		this.state.seedLock(other.uniqueKey(), "o1");
		SortedMap<String, Object> untouched = this.state.dump("other");
		assertThat(this.broker.queueKeeper().delete(QUEUE, true)).isEmpty();
		assertThat(this.state.dump(QUEUE)).isEmpty();
		assertThat(this.state.dump("other")).isEqualTo(untouched);
		assertThat(this.broker.queues().queues()).containsExactly("other");
	}

	@Test
	void activeTasksPreventForcedDeletion() {
		this.state.seedActive(in(30), message("a1").build(), message("a2").build());
		this.state.seedPending(message("p1").build());
		SortedMap<String, Object> before = this.state.dump(QUEUE);
		assertThat(this.broker.queueKeeper().delete(QUEUE, true)).isEqualTo(Map.of("active", 2L));
		assertThat(this.state.dump(QUEUE)).isEqualTo(before);
	}

	@Test
	void keysOfWrongTypeAreDeletedToo() {
		this.state.redis().opsForSet().add("asynq:queues", QUEUE);
		for (String suffix : List.of("pending", "active", "groups", "aggregation_sets", "lease", "g:x", "t:x")) {
			this.state.redis().opsForValue().set("asynq:{default}:" + suffix, "text");
		}
		this.state.redis().opsForList().leftPush(LOCK, "no text");
		assertThat(this.broker.queueKeeper().delete(QUEUE, true)).isEmpty();
		assertThat(this.state.dump(QUEUE)).isEmpty();
	}

	@Test
	void manyTasksAreDeletedInSteps() {
		this.state.seedMany(QUEUE, "pending", 1200, 0);
		this.state.seedMany(QUEUE, "completed", 1100, nowSeconds());
		assertThat(this.broker.queueKeeper().delete(QUEUE, true)).isEmpty();
		assertThat(this.state.dump(QUEUE)).isEmpty();
	}

	@Test
	void largeGroupsAreDeletedInSteps() {
		this.state.seedMany(QUEUE, "g:large", 1200, nowSeconds());
		this.state.seedGrouped(in(0), message("small").group("small").uniqueKey(LOCK).build());
		this.state.seedLock(LOCK, "small");
		this.state.redis().opsForSet().add("asynq:{default}:groups", "large");
		assertThat(this.broker.queueKeeper().delete(QUEUE, true)).isEmpty();
		assertThat(this.state.dump(QUEUE)).isEmpty();
	}

	@Test
	void remainsOfEarlierDeletionAreFound() {
		this.state.seedMany(QUEUE, "pending", 3, 0);
		this.state.redis().rename("asynq:{default}:pending", "asynqj:{default}:deleted:an-id:1");
		assertThat(this.broker.queueKeeper().delete(QUEUE, false)).isEmpty();
		assertThat(this.state.dump(QUEUE)).isEmpty();
	}

	@Test
	void remainsOfInterruptedDeletionAreDeletedByJanitor() {
		beginDeletion();
		assertThat(this.broker.upkeep().deleteExpired(QUEUE, 100)).isZero();
		assertThat(this.state.dump(QUEUE)).isEmpty();
	}

	@Test
	void remainsOfInterruptedDeletionAreDeletedByNextDeletionOfAnyQueue() {
		beginDeletion();
		this.state.redis().opsForSet().add("asynq:queues", "other");
		assertThat(this.broker.queueKeeper().delete("other", false)).isEmpty();
		assertThat(this.state.dump(QUEUE)).isEmpty();
		assertThat(this.broker.queues().queues()).containsExactly(QUEUE);
	}

	@Test
	void wrongDeletionMarkerIsDiscarded() {
		this.state.seedPending(message("t1").build());
		this.state.redis().opsForSet().add("asynqj:{default}:deleted", "asynq:{default}:pending");
		this.broker.upkeep().deleteExpired(QUEUE, 100);
		this.state.assertPending(QUEUE, "t1");
		assertThat(this.state.exists("asynqj:{default}:deleted")).isFalse();
	}

	@Test
	void deletionSkipsKeysRenamedByAnotherDeletion() {
		beginDeletion();
		SortedMap<String, Object> before = this.state.dump(QUEUE);
		Keys keys = Keys.of(QUEUE);
		String cursor = "0";
		do {
			cursor = Text.of(RedisState.scripts(this.factory)
				.runList(LuaScript.SWEEP, "queue", List.of(keys.pending()), keys.prefix(), keys.ownPrefix(), cursor,
						"asynq:{default}:*", 500, "1")
				.get(0));
		}
		while (!cursor.equals("0"));
		assertThat(this.state.dump(QUEUE)).isEqualTo(before);
	}

	@Test
	void remainsOfInterruptedDeletionDoNotBlockNewTask() {
		beginDeletion();
		this.state.seedPending(message("new").build());
		this.broker.upkeep().deleteExpired(QUEUE, 100);
		this.state.assertPending(QUEUE, "new");
		assertThat(this.state.redis().keys("asynq*{default}*")).hasSize(2);
	}

	@Test
	void queueNameThatLooksLikePatternDeletesOnlyThatQueue() {
		this.state.seedPending(RedisState.message("a*", "t1").build(), RedisState.message("ab", "t1").build());
		SortedMap<String, Object> untouched = this.state.dump("ab");
		assertThat(this.broker.queueKeeper().delete("a*", true)).isEmpty();
		assertThat(this.state.dump("ab")).isEqualTo(untouched);
		assertThat(this.state.redis().keys("asynq*{a\\*}*")).isEmpty();
	}

	@Test
	void enqueueAfterDeletionRecreatesQueue() {
		EnqueueRequest first = new EnqueueRequest(message("t1").build(), new Placement.Pending(), null);
		this.broker.enqueuer().enqueue(first);
		this.broker.queueKeeper().delete(QUEUE, true);
		this.broker.enqueuer().enqueue(first);
		this.state.assertPending(QUEUE, "t1");
		assertThat(this.broker.queues().queues()).containsExactly(QUEUE);
	}

	/** Begins a deletion as if the process died right afterwards. */
	private void beginDeletion() {
		this.state.seedPending(message("p1").uniqueKey(LOCK).build());
		this.state.seedLock(LOCK, "p1");
		this.state.seedMany(QUEUE, "completed", 1100, nowSeconds() + 60);
		Keys keys = Keys.of(QUEUE);
		RedisState.scripts(this.factory)
			.runList(LuaScript.DELETE_QUEUE, "queue",
					List.of(keys.pending(), keys.scheduled(), keys.retry(), keys.archived(), keys.completed(),
							keys.active(), keys.lease(), keys.paused(), keys.deleted()),
					"1", "asynqj:{default}:deleted:an-id:");
		assertThat(this.state.pending(QUEUE)).isEmpty();
		assertThat(this.state.fields(QUEUE, "p1")).isNotEmpty();
	}

	/** Keys that deleted tasks may leave behind. */
	private void seedRemains() {
		for (String counter : List.of("processed", "failed", "processed:" + DAY, "failed:" + DAY, "paused")) {
			this.state.redis().opsForValue().set("asynq:{default}:" + counter, "1");
		}
		this.state.seedLock(LOCK + "nobody", "nobody");
		this.state.redis().opsForZSet().add("asynq:{default}:lease", "gone", 1);
		this.state.redis().opsForSet().add("asynq:{default}:groups", "empty");
		this.state.redis().opsForZSet().add("asynq:{default}:aggregation_sets", "asynq:{default}:g:gone:set", 1);
		this.state.seedField(QUEUE, "lost", "result", utf8("42"));
		this.state.redis().opsForValue().set("asynqj:{default}:fire:x:1", "1");
		this.state.redis().opsForValue().set("asynqj:{default}:turn", "1");
		this.state.redis().opsForZSet().add("asynqj:{default}:waiting", "pdf", 1);
		this.state.redis().opsForZSet().add("asynqj:{default}:waiting:pdf", "gone", 1);
		this.state.redis().opsForZSet().add("asynqj:{default}:groups", "later", 1);
	}

}
