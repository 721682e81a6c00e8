package io.asynq.operations.repair;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Properties;

import io.asynq.group.GroupLimits;
import io.asynq.internal.enqueue.EnqueueRequest;
import io.asynq.internal.enqueue.Placement;
import io.asynq.internal.group.GroupStore;
import io.asynq.internal.group.GroupStore.Relisted;
import io.asynq.internal.group.StagedGroup;
import io.asynq.internal.redis.OnDrivers;
import io.asynq.operations.repair.Inconsistency.Kind;
import org.junit.jupiter.api.Test;
import org.springframework.data.redis.connection.RedisConnectionFactory;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Groups that were unlisted and staged sets that were forgotten are found and repaired.
 */
@OnDrivers
class RepairGroupsContract extends MendingContract {

	RepairGroupsContract(RedisConnectionFactory factory) {
		super(factory);
	}

	@Test
	void groupedTaskInNoContainerReturnsToItsGroup() {
		this.state.seedGrouped(in(0), message("t1").group("a").build());
		this.state.redis().delete(List.of("asynq:{default}:g:a", "asynq:{default}:groups"));
		mends(Kind.TASK_WITHOUT_CONTAINER, "t1");
		this.state.assertGrouped(QUEUE, "a", "t1");
	}

	@Test
	void unlistedGroupIsListed() {
		this.state.seedGrouped(in(0), message("t1").group("a:b").build());
		this.state.redis().delete("asynq:{default}:groups");
		mends(Kind.GROUP_NOT_LISTED, "a:b");
		this.state.assertGrouped(QUEUE, "a:b", "t1");
	}

	@Test
	void emptyGroupIsUnlisted() {
		this.state.seedPending(message("p1").build());
		this.state.redis().opsForSet().add("asynq:{default}:groups", "gone");
		mends(Kind.GROUP_WITHOUT_TASKS, "gone");
		assertThat(this.state.exists("asynq:{default}:groups")).isFalse();
	}

	@Test
	void forgottenStagedSetReturnsToItsGroup() {
		this.state.seedGrouped(in(0), message("waiting").group("a").build());
		stage("staged", null);
		List<Inconsistency> found = check();
		assertThat(found).extracting(Inconsistency::kind).contains(Kind.STAGED_SET_FORGOTTEN);
		found.forEach(this.repair::mend);
		this.state.assertGrouped(QUEUE, "a", "waiting", "staged");
		assertThat(this.state.exists("asynq:{default}:" + STAGED)).isFalse();
		assertThat(check()).isEmpty();
	}

	@Test
	void groupNamedLikeStagedSetIsListedAndNotMerged() {
		String name = "user:6ba7b810-9dad-11d1-80b4-00c04fd430c8";
		this.state.seedGrouped(in(0), message("other").group("user").build(), message("t1").group(name).build());
		this.state.redis().opsForSet().remove("asynq:{default}:groups", name);
		mends(Kind.GROUP_NOT_LISTED, name);
		this.state.assertGrouped(QUEUE, name, "t1");
		this.state.assertGrouped(QUEUE, "user", "other");
	}

	@Test
	void stagedSetRegisteredMeanwhileIsLeftAlone() {
		stage("staged", null);
		List<Inconsistency> found = check();
		this.state.redis().opsForZSet().add("asynq:{default}:aggregation_sets", "asynq:{default}:" + STAGED, 1);
		found.stream()
			.filter((inconsistency) -> inconsistency.kind() == Kind.STAGED_SET_FORGOTTEN)
			.forEach((inconsistency) -> assertThat(this.repair.mend(inconsistency)).isFalse());
		assertThat(this.state.scores(QUEUE, STAGED)).containsOnlyKeys("staged");
	}

	@Test
	void taskInOneOfManyStagedSetsIsConsistent() {
		for (int i = 0; i < 150; i++) {
			this.state.redis()
				.opsForZSet()
				.add("asynq:{default}:aggregation_sets", "asynq:{default}:g:b:" + i, nowSeconds() + i);
		}
		stage("staged", in(1000));
		assertThat(check()).isEmpty();
	}

	@Test
	void idWithoutTaskIsRemovedFromGroup() {
		this.state.seedGrouped(in(0), message("t1").group("a").build());
		this.state.redis().opsForZSet().add("asynq:{default}:g:a", "ghost", 1);
		mends(Kind.ID_WITHOUT_TASK, "ghost");
		this.state.assertGrouped(QUEUE, "a", "t1");
	}

	@Test
	void groupsKeyOfWrongTypeDoesNotPreventRepair() {
		this.state.seedPending(message("t1").build());
		this.state.seedField(QUEUE, "t1", "msg", utf8("x"));
		this.state.redis().opsForValue().set("asynq:{default}:groups", "text");
		assertThat(this.repair.mend(new Inconsistency(Kind.UNDECODABLE, QUEUE, "t1", "", ""))).isTrue();
		this.state.assertArchived(QUEUE, "t1");
	}

	@Test
	void expiredStagedSetReturnsInPass() {
		stage("staged", in(-1));
		assertThat(this.broker.groups().relist(QUEUE)).isEqualTo(new Relisted(0, 1));
		this.state.assertGrouped(QUEUE, "a", "staged");
		assertThat(this.state.exists("asynq:{default}:aggregation_sets")).isFalse();
		assertThat(check()).isEmpty();
	}

	@Test
	void groupRestoredByGoIsListedInPass() {
		stage("staged", in(60));
		assertThat(this.broker.groups().relist(QUEUE)).isEqualTo(new Relisted(0, 0));
		this.clock.advance(Duration.ofSeconds(61));
		// As Go's recoverer does it
		this.state.redis().delete("asynq:{default}:aggregation_sets");
		this.state.redis().rename("asynq:{default}:" + STAGED, "asynq:{default}:g:a");
		assertThat(this.broker.groups().relist(QUEUE)).isEqualTo(new Relisted(1, 0));
		this.state.assertGrouped(QUEUE, "a", "staged");
		this.clock.advance(Duration.ofSeconds(61));
		this.broker.groups().relist(QUEUE);
		assertThat(this.state.exists("asynqj:{default}:groups")).isFalse();
	}

	@Test
	void stagedSetReturnsToEmptyGroupWithoutCopy() {
		stage("staged", in(-1));
		List<Map.Entry<Object, Object>> before = copies();
		assertThat(this.broker.groups().relist(QUEUE)).isEqualTo(new Relisted(0, 1));
		this.state.assertGrouped(QUEUE, "a", "staged");
		assertThat(copies()).isEqualTo(before);
	}

	@Test
	void stagedSetDoesNotShortenMarkerOfGroup() {
		this.state.redis().opsForZSet().add("asynqj:{default}:groups", "a", nowSeconds() + 600);
		stage("staged", in(60));
		this.broker.groups().relist(QUEUE);
		assertThat(this.state.redis().opsForZSet().score("asynqj:{default}:groups", "a")).isEqualTo(nowSeconds() + 600);
	}

	@Test
	void unexpiredStagedSetStays() {
		stage("staged", in(1));
		assertThat(this.broker.groups().relist(QUEUE)).isEqualTo(new Relisted(0, 0));
		assertThat(this.state.scores(QUEUE, STAGED)).containsOnlyKeys("staged");
	}

	private List<Map.Entry<Object, Object>> copies() {
		Properties stats = this.state.redis()
			.execute((connection) -> connection.serverCommands().info("commandstats"), true);
		return stats.entrySet()
			.stream()
			.filter((entry) -> entry.getKey().toString().endsWith("cmdstat_zadd"))
			.map((entry) -> Map.entry(entry.getKey(), entry.getValue()))
			.toList();
	}

	@Test
	void tasksThatAnAggregationHasYetToDeleteAreNoInconsistency() {
		for (int i = 0; i < 600; i++) {
			this.state.seedGrouped(in(-20), message("t" + i).group("g").build());
		}
		GroupStore groups = this.broker.groups();
		StagedGroup staged = Objects.requireNonNull(groups.stage(QUEUE, "g",
				GroupLimits.defaults().withMaxSize(0).withGracePeriod(Duration.ofSeconds(10))));
		groups.finish(staged, groups.read(staged).subList(0, 500),
				new EnqueueRequest(message("new").build(), new Placement.Pending(), null));
		assertThat(check()).isEmpty();
		assertThat(this.repair.mend(new Inconsistency(Kind.STAGED_SET_FORGOTTEN, QUEUE, "g", "",
				staged.set().substring("asynq:{default}:".length()))))
			.isFalse();
		assertThat(this.state.exists("asynq:{default}:g:g")).isFalse();
	}

}
