package io.asynq.internal.redis;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;

import io.asynq.internal.group.StagedGroup;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.data.redis.connection.RedisConnectionFactory;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * How tasks leave a staged set without being aggregated: they return to their group or
 * are archived.
 */
@OnDrivers
class GivenBackContract extends AggregationContract {

	GivenBackContract(RedisConnectionFactory factory) {
		super(factory);
	}

	@Test
	void returnedSetIsListedAsGroupAtOnce() {
		grouped("g", 20, 2);
		SortedMap<String, Object> before = this.state.dump(QUEUE);
		StagedGroup staged = stage("g", LIMITS);
		this.store.giveBack(staged);
		assertThat(this.state.dump(QUEUE)).isEqualTo(before);
		this.store.giveBack(staged);
		assertThat(this.state.dump(QUEUE)).isEqualTo(before);
	}

	@Test
	void returnedSetMergesIntoGroupWithNewTasks() {
		grouped("g", 20, 2);
		StagedGroup staged = stage("g", LIMITS);
		this.state.seedGrouped(ago(0), message("new").group("g").build());
		this.store.giveBack(staged);
		this.state.assertGrouped(QUEUE, "g", "g0", "g1", "new");
		assertThat(this.state.scores(QUEUE, "g:g")).containsEntry("g0", nowSeconds() - 20)
			.containsEntry("new", nowSeconds());
		assertThat(this.state.exists(staged.set())).isFalse();
		assertThat(this.state.exists(key(SETS))).isFalse();
	}

	@ParameterizedTest
	@CsvSource({ "600, 2", "3, 600", "600, 700" })
	void returnedSetMergesWhateverTheSizes(int staged, int joined) {
		grouped("g", 20, staged);
		StagedGroup set = stage("g", ALL);
		Map<String, Long> all = new HashMap<>(scores(set));
		for (int i = 0; i < joined; i++) {
			this.state.seedGrouped(ago(5), message("new" + i).group("g").build());
		}
		all.putAll(this.state.scores(QUEUE, "g:g"));
		this.store.giveBack(set);
		assertThat(this.state.scores(QUEUE, "g:g")).hasSize(staged + joined).isEqualTo(all);
		assertThat(this.state.exists(set.set())).isFalse();
		assertThat(this.state.exists(key(SETS))).isFalse();
	}

	@ParameterizedTest
	@CsvSource({ "1, 600", "600, 1", "600, 600" })
	void idInSetAndGroupKeepsEarlierTime(int staged, int joined) {
		grouped("g", 20, staged);
		StagedGroup set = stage("g", ALL);
		grouped("g", 5, joined);
		this.store.giveBack(set);
		assertThat(this.state.scores(QUEUE, "g:g")).hasSize(Math.max(staged, joined))
			.containsEntry("g0", nowSeconds() - 20);
	}

	@Test
	void rejectedTasksAreArchivedWithReason() {
		grouped("g", 20, 3);
		StagedGroup staged = stage("g", LIMITS);
		List<TaskMessage> members = this.store.read(staged);
		this.store.archive(staged, List.of(members.get(1)), "no use");
		this.state.assertArchived(QUEUE, "g1");
		assertThat(this.state.stored(QUEUE, "g1").errorMessage()).isEqualTo("no use");
		assertThat(this.state.stored(QUEUE, "g1").lastFailedAtSeconds()).isEqualTo(nowSeconds());
		this.state.assertCounters(QUEUE, DAY, 1, 1);
		this.store.giveBack(staged);
		this.state.assertGrouped(QUEUE, "g", "g0", "g2");
	}

	@Test
	void rejectedTaskInAnotherStateIsNotArchived() {
		grouped("g", 20, 2);
		StagedGroup staged = stage("g", LIMITS);
		List<TaskMessage> members = this.store.read(staged);
		this.state.redis()
			.opsForHash()
			.putAll(key("t:" + members.get(0).id()),
					Map.of("state", "pending", "pending_since", "1234567890123456789"));
		this.state.redis().opsForList().leftPush(key("pending"), members.get(0).id());
		this.store.archive(staged, members, "rejected");
		assertThat(scores(staged)).isEmpty();
		this.state.assertPending(QUEUE, members.get(0).id());
		assertThat(this.state.scores(QUEUE, "archived")).containsOnlyKeys(members.get(1).id());
	}

}
