package io.asynq.operations.repair;

import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

import io.asynq.AsynqException;
import io.asynq.inspect.GroupInfo;
import io.asynq.inspect.Listing;
import io.asynq.internal.redis.OnDrivers;
import io.asynq.operations.repair.Inconsistency.Kind;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.data.redis.connection.RedisConnectionFactory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.tuple;

/**
 * Long walks through a queue are made in parts, which together are the whole walk.
 */
@OnDrivers
class PartialCheckContract extends MendingContract {

	private static final String GROUP = "asynq:{default}:g:";

	PartialCheckContract(RedisConnectionFactory factory) {
		super(factory);
	}

	@ParameterizedTest
	@ValueSource(ints = { 1, 2, 7, 600 })
	void partsFindWhatTheWholeWalkFinds(int limit) {
		seedEverything();
		List<Inconsistency> whole = check();
		assertThat(whole).extracting(Inconsistency::kind)
			.contains(Kind.ID_WITHOUT_TASK, Kind.WRONG_STATE, Kind.DOUBLE_ENTRY, Kind.FRACTIONAL_SCORE,
					Kind.TASK_WITHOUT_CONTAINER, Kind.GROUP_NOT_LISTED, Kind.GROUP_WITHOUT_TASKS,
					Kind.STAGED_SET_FORGOTTEN, Kind.QUEUE_NOT_LISTED);
		Set<Inconsistency> parts = new LinkedHashSet<>();
		int calls = walk(limit, parts);
		assertThat(parts).containsExactlyInAnyOrderElementsOf(new HashSet<>(whole));
		assertThat(calls).isGreaterThan((limit < 600) ? 5 : 0);
	}

	@Test
	void partLooksAtAboutAsManyIdsAsItIsTold() {
		this.state.seedMany(QUEUE, "scheduled", 1000, 60);
		String cursor = this.repair.check(QUEUE, null, 400, this::fail);
		assertThat(cursor).isEqualTo("scheduled.400.0");
		assertThat(this.repair.check(QUEUE, cursor, 400, this::fail)).isEqualTo("scheduled.800.0");
	}

	@Test
	void doubleEntryIsFoundAlsoIfTheOtherOneWasInAnEarlierPart() {
		for (int i = 0; i < 5; i++) {
			this.state.seedPending(message("p" + i).build());
		}
		this.state.redis().opsForList().leftPush("asynq:{default}:pending", "p0");
		Set<Inconsistency> found = new HashSet<>();
		walk(1, found);
		assertThat(found).extracting(Inconsistency::kind, Inconsistency::id)
			.containsExactly(tuple(Kind.DOUBLE_ENTRY, "p0"));
	}

	@ParameterizedTest
	@ValueSource(strings = { "x", "pending", "pending.x.0", "nothing.0.0", "keys.0.2", "keys.0.1.x.g",
			"pending.99999999999999999999.0" })
	void cursorOfOthersIsRefused(String cursor) {
		assertThatExceptionOfType(AsynqException.class)
			.isThrownBy(() -> this.repair.check(QUEUE, cursor, 10, (found) -> {
			}))
			.withMessageContaining("'cursor'");
	}

	@Test
	void groupsAreListedInParts() {
		for (int i = 0; i < 700; i++) {
			this.state.redis().opsForSet().add("asynq:{default}:groups", "g" + i);
			this.state.redis().opsForZSet().add(GROUP + "g" + i, "t", 1);
		}
		Set<GroupInfo> groups = new HashSet<>();
		int parts = 0;
		String cursor = null;
		do {
			Listing<GroupInfo> part = this.broker.queues().groups(QUEUE, cursor, 100);
			assertThat(part.entries()).hasSizeLessThan(200);
			groups.addAll(part.entries());
			cursor = part.next();
			parts++;
			assertThat(parts).as("a walk that ends").isLessThan(50);
		}
		while (cursor != null);
		assertThat(groups).containsExactlyInAnyOrderElementsOf(this.broker.queues().groups(QUEUE)).hasSize(700);
		assertThat(parts).isGreaterThan(3);
		assertThat(this.broker.queues().groupSize(QUEUE, "g7")).isEqualTo(1);
		assertThat(this.broker.queues().groupSize(QUEUE, "none")).isZero();
	}

	private int walk(int limit, Set<Inconsistency> found) {
		int calls = 0;
		String cursor = null;
		do {
			cursor = this.repair.check(QUEUE, cursor, limit, found::add);
			calls++;
			assertThat(calls).as("a walk that ends").isLessThan(500);
		}
		while (cursor != null);
		return calls;
	}

	private void fail(Inconsistency found) {
		throw new AssertionError(found);
	}

	/** Something wrong at each stage of the walk, and much that is right. */
	private void seedEverything() {
		for (int i = 0; i < 10; i++) {
			this.state.seedPending(message("p" + i).build());
			this.state.seedScheduled(in(30), message("s" + i).build());
			this.state.seedGrouped(in(0), message("a" + i).group("a").build());
			this.state.seedGrouped(in(0), message("b" + i).group("b").build());
		}
		this.state.seedActive(in(30), message("r1").build());
		this.state.redis().opsForList().leftPush("asynq:{default}:pending", "p3");
		this.state.redis().opsForList().rightPush("asynq:{default}:active", "ghost");
		this.state.redis().opsForZSet().add("asynq:{default}:scheduled", "s5", 7.5);
		this.state.seedField(QUEUE, "s7", "state", utf8("retry"));
		this.state.seedPending(message("lost").build());
		this.state.redis().opsForList().remove("asynq:{default}:pending", 1, "lost");
		this.state.redis().opsForZSet().add(GROUP + "a", "gone", 1);
		this.state.redis().opsForSet().remove("asynq:{default}:groups", "b");
		this.state.redis().opsForSet().add("asynq:{default}:groups", "empty");
		stage("staged", null);
		this.state.redis().opsForSet().remove("asynq:queues", QUEUE);
	}

}
