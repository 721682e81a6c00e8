package io.asynq.internal.redis;

import java.time.Duration;
import java.time.Instant;
import java.util.SortedMap;
import java.util.stream.IntStream;

import io.asynq.BrokerException;
import io.asynq.internal.worker.TaskUpkeep.Forwarded;
import io.asynq.server.BrokenTask;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.data.redis.connection.RedisConnectionFactory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * How due tasks become pending.
 */
@OnDrivers
class ForwardContract extends BrokerContract {

	ForwardContract(RedisConnectionFactory factory) {
		super(factory);
	}

	@Test
	void dueTasksOfScheduledAndRetryBecomePendingEarliestFirst() {
		this.state.seedPending(message("p1").build());
		this.state.seedScheduled(in(-5), message("s2").build());
		this.state.seedScheduled(in(-9), message("s1").build());
		this.state.seedRetry(in(0), message("r1").build());
		this.state.seedScheduled(in(7), message("later").build());
		this.state.seedRetry(in(4), message("soon").build());
		assertThat(forward())
			.isEqualTo(new Forwarded(3, false, Instant.ofEpochSecond(nowSeconds() + 4), this.clock.instant()));
		this.state.assertPending(QUEUE, "p1", "s1", "s2", "r1");
		this.state.assertScheduled(QUEUE, "later");
		this.state.assertRetry(QUEUE, "soon");
	}

	@Test
	void nothingMovesWhenNothingIsDue() {
		assertThat(forward()).isEqualTo(new Forwarded(0, false, null, this.clock.instant()));
	}

	@Test
	void movesHundredOfEachPerCallAndReportsWhetherMoreAreDue() {
		this.state.seedScheduled(in(-5),
				IntStream.range(0, 150).mapToObj((i) -> message("s" + i).build()).toArray(TaskMessage[]::new));
		Forwarded first = forward();
		assertThat(first.moved()).isEqualTo(100);
		assertThat(first.more()).isTrue();
		assertThat(forward()).isEqualTo(new Forwarded(50, false, null, this.clock.instant()));
	}

	@Test
	void dueGroupedTaskJoinsItsListedGroup() {
		this.state.seedScheduled(in(-5), message("t1").group("mails").build());
		this.state.seedField(QUEUE, "t1", "group", utf8("mails"));
		assertThat(forward().moved()).isEqualTo(1);
		this.state.assertGrouped(QUEUE, "mails", "t1");
		assertThat(this.state.scores(QUEUE, "g:mails")).containsEntry("t1", nowSeconds());
		this.state.assertPending(QUEUE);
	}

	@Test
	void delayedGroupedTaskJoinsItsGroupWhenDue() {
		this.state.seedScheduled(in(-5), message("t1").group("mails").build());
		this.state.seedField(QUEUE, "t1", "x-group", utf8("mails"));
		assertThat(forward().moved()).isEqualTo(1);
		this.state.assertGrouped(QUEUE, "mails", "t1");
		assertThat(this.state.fields(QUEUE, "t1")).containsKey("x-arrived").doesNotContainKey("x-group");
		this.state.assertPending(QUEUE);
	}

	@Test
	void groupedTaskMadePendingByGoRunsAloneEvenWhenRetried() {
		this.state.seedRetry(in(-5), message("t1").group("mails").build());
		this.state.seedField(QUEUE, "t1", "x-group", utf8("mails"));
		assertThat(forward().moved()).isEqualTo(1);
		this.state.assertPending(QUEUE, "t1");
	}

	@Test
	void taskWhoseGroupHasWrongTypeBecomesPending() {
		this.state.redis().opsForValue().set("asynq:{default}:g:mails", "text");
		this.state.seedScheduled(in(-5), message("t1").group("mails").build());
		this.state.seedField(QUEUE, "t1", "x-group", utf8("mails"));
		assertThat(forward().moved()).isEqualTo(1);
		this.state.assertPending(QUEUE, "t1");
	}

	@Test
	void forwardedTaskGetsFreshPendingSince() {
		this.state.seedScheduled(in(-5), message("t1").build());
		forward();
		assertThat(this.state.fields(QUEUE, "t1")).containsEntry("pending_since", nowSeconds() + "123456789");
	}

	@Test
	void idsWithoutUsableTaskAreRemoved() {
		this.state.seedScheduled(in(-5), message("a").build(), message("b").build(), message("bad").build());
		this.state.redis().opsForZSet().add("asynq:{default}:scheduled", "ghost", nowSeconds() - 5);
		this.state.redis().delete("asynq:{default}:t:bad");
		this.state.redis().opsForValue().set("asynq:{default}:t:bad", "text");
		assertThat(forward()).isEqualTo(new Forwarded(2, false, null, this.clock.instant()));
		this.state.assertPending(QUEUE, "a", "b");
		assertThat(this.state.fields(QUEUE, "ghost")).isEmpty();
		assertThat(this.brokenTasks).containsExactlyInAnyOrder(new BrokenTask(QUEUE, "ghost", BrokenTask.Kind.MISSING),
				new BrokenTask(QUEUE, "bad", BrokenTask.Kind.WRONG_TYPE));
	}

	@Test
	void containerOfWrongTypeLeavesOtherAlone() {
		this.state.redis().opsForValue().set("asynq:{default}:scheduled", "text");
		this.state.seedRetry(in(-1), message("r1").build());
		assertThat(forward().moved()).isEqualTo(1);
		this.state.assertPending(QUEUE, "r1");
		assertThat(this.brokenTasks)
			.containsExactly(new BrokenTask(QUEUE, "asynq:{default}:scheduled", BrokenTask.Kind.UNUSABLE_KEY));
	}

	@Test
	void idInBothSetsIsForwardedOnce() {
		this.state.seedRetry(in(-5), message("t1").build());
		this.state.seedScheduled(in(-5), message("t1").build());
		assertThat(forward().moved()).isEqualTo(1);
		this.state.assertPending(QUEUE, "t1");
		this.state.assertRetry(QUEUE);
	}

	@ParameterizedTest
	@ValueSource(strings = { "pending", "active", "archived", "completed", "aggregating", "retry" })
	void idWhoseTaskIsElsewhereIsOnlyRemoved(String place) {
		TaskMessage task = message("t1").group("mails").build();
		switch (place) {
			case "pending" -> this.state.seedPending(task);
			case "active" -> this.state.seedActive(in(30), task);
			case "archived" -> this.state.seedArchived(in(-1), task);
			case "completed" -> this.state.seedCompleted(in(60), task);
			case "aggregating" -> this.state.seedGrouped(in(-1), task);
			default -> this.state.seedRetry(in(60), task);
		}
		SortedMap<String, Object> before = this.state.dump(QUEUE);
		this.state.redis().opsForZSet().add("asynq:{default}:scheduled", "t1", nowSeconds() - 5);
		assertThat(forward().moved()).isZero();
		assertThat(this.state.dump(QUEUE)).isEqualTo(before);
	}

	@ParameterizedTest
	@ValueSource(strings = { "pending", "active", "archived", "completed", "aggregating", "retry", "nowhere" })
	void wrongStateFieldDoesNotPreventForwarding(String state) {
		this.state.seedScheduled(in(-5), message("t1").build());
		this.state.seedField(QUEUE, "t1", "state", utf8(state));
		assertThat(forward().moved()).isEqualTo(1);
		this.state.assertPending(QUEUE, "t1");
	}

	@Test
	void pendingKeyOfWrongTypeIsNamedAndNothingMoves() {
		this.state.redis().opsForValue().set("asynq:{default}:pending", "text");
		this.state.seedRetry(in(-1), message("r1").build());
		assertThatExceptionOfType(BrokerException.class).isThrownBy(this::forward)
			.withMessageContaining("asynq:{default}:pending");
		this.state.assertRetry(QUEUE, "r1");
		assertThat(this.brokenTasks)
			.containsExactly(new BrokenTask(QUEUE, "asynq:{default}:pending", BrokenTask.Kind.UNUSABLE_KEY));
	}

	@Test
	void taskScheduledWithinThisSecondIsDueAtOnce() {
		this.state.seedScheduled(this.clock.instant().plus(Duration.ofMillis(300)), message("t1").build());
		assertThat(forward().moved()).isEqualTo(1);
	}

	@Test
	void scoreBeyondAnyTimeIsNeverDueAndBlocksNothing() {
		this.state.seedScheduled(in(-1), message("due").build());
		this.state.seedScheduled(in(60), message("never").build());
		for (double score : new double[] { Double.POSITIVE_INFINITY, 1e300, 1e17 }) {
			this.state.redis().opsForZSet().add("asynq:{default}:scheduled", "never", score);
			assertThat(forward().nextDue()).as("next due at %s", score).isEqualTo("9999-12-31T23:59:59Z");
		}
		this.state.assertPending(QUEUE, "due");
	}

	private Forwarded forward() {
		return this.broker.upkeep().forward(QUEUE);
	}

	private Instant in(int seconds) {
		return this.clock.instant().plusSeconds(seconds);
	}

	private static TaskMessage.Builder message(String id) {
		return RedisState.message(QUEUE, id);
	}

}
