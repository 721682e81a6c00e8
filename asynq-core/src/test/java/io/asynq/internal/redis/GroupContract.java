package io.asynq.internal.redis;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeSet;
import java.util.stream.IntStream;

import io.asynq.internal.enqueue.EnqueueRequest;
import io.asynq.internal.enqueue.Placement;
import io.asynq.internal.group.GroupStore.DueGroups;
import io.asynq.internal.group.StagedGroup;
import io.asynq.server.BrokenTask;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.data.redis.connection.RedisConnectionFactory;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * When groups are due, and how they are staged and read.
 */
@OnDrivers
class GroupContract extends AggregationContract {

	GroupContract(RedisConnectionFactory factory) {
		super(factory);
	}

	@Test
	void groupWithMaxSizeIsDue() {
		grouped("few", 0, 2);
		grouped("enough", 0, 3);
		grouped("many", 0, 4);
		DueGroups found = this.store.due(QUEUE, LIMITS, null);
		assertThat(found.groups()).containsExactlyInAnyOrder("enough", "many");
		assertThat(found.untilNext()).isEqualTo(Duration.ofSeconds(10));
		assertThat(found.next()).isNull();
	}

	@Test
	void groupWithMaxDelayIsDue() {
		grouped("old", 60, 1);
		this.state.seedGrouped(ago(0), message("new").group("old").build());
		grouped("younger", 59, 1);
		this.state.seedGrouped(ago(0), message("newer").group("younger").build());
		DueGroups found = this.store.due(QUEUE, LIMITS, null);
		assertThat(found.groups()).containsExactly("old");
		assertThat(found.untilNext()).isEqualTo(Duration.ofSeconds(1));
		assertThat(this.store.due(QUEUE, LIMITS.withMaxDelay(Duration.ZERO), null).groups()).isEmpty();
	}

	@Test
	void groupWithoutNewTasksForGracePeriodIsDue() {
		grouped("quiet", 10, 1);
		grouped("busy", 9, 1);
		DueGroups found = this.store.due(QUEUE, LIMITS, null);
		assertThat(found.groups()).containsExactly("quiet");
		assertThat(found.untilNext()).isEqualTo(Duration.ofSeconds(1));
	}

	@Test
	void thousandsOfGroupsNeedFewCalls() {
		IntStream.range(0, 2000).forEach((i) -> {
			this.state.redis().opsForSet().add(key("groups"), "g" + i);
			this.state.redis().opsForZSet().add(key("g:g" + i), "t" + i, (i % 2 == 0) ? 1 : nowSeconds());
		});
		Set<String> due = new TreeSet<>();
		int looks = 0;
		String from = null;
		do {
			DueGroups found = this.store.due(QUEUE, LIMITS, from);
			due.addAll(found.groups());
			from = found.next();
			looks++;
		}
		while (from != null);
		assertThat(due).hasSize(1000);
		assertThat(looks).isBetween(2, 8);
	}

	@Test
	void emptyGroupsAreNotDue() {
		this.state.redis().opsForSet().add(key("groups"), "gone");
		DueGroups found = this.store.due(QUEUE, LIMITS, null);
		assertThat(found).isEqualTo(new DueGroups(List.of(), null, null));
		assertThat(this.store.stage(QUEUE, "gone", LIMITS)).isNull();
	}

	@Test
	void wholeGroupIsStagedUnderNameThatGoExpects() {
		grouped("a:b", 20, 2);
		StagedGroup staged = stage("a:b", LIMITS);
		assertThat(staged.set()).matches("asynq:\\{default}:g:a:b:[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}");
		assertThat(staged.size()).isEqualTo(2);
		assertThat(staged.expiresAt()).isEqualTo(this.clock.instant().plusSeconds(120));
		assertThat(staged.endNanos()).isEqualTo(Text.nanos(staged.expiresAt()));
		assertThat(this.state.scores(QUEUE, SETS)).isEqualTo(Map.of(staged.set(), nowSeconds() + 120));
		assertThat(scores(staged)).isEqualTo(Map.of("a:b0", nowSeconds() - 20, "a:b1", nowSeconds() - 20));
		assertThat(this.state.exists(key("g:a:b"))).isFalse();
		assertThat(this.state.exists(key("groups"))).isFalse();
		assertThat(this.state.fields(QUEUE, "a:b0")).containsEntry("state", "aggregating");
	}

	@Test
	void oldestTasksOfLargeGroupAreStaged() {
		grouped("g", 5, 2);
		this.state.seedGrouped(ago(7), message("older").group("g").build(), message("oldest").group("g").build());
		StagedGroup staged = stage("g", LIMITS);
		assertThat(scores(staged).keySet()).containsExactlyInAnyOrder("older", "oldest", "g0");
		this.state.assertGrouped(QUEUE, "g", "g1");
	}

	@Test
	void groupThatIsNotDueIsNotStaged() {
		grouped("g", 9, 2);
		SortedMap<String, Object> before = this.state.dump(QUEUE);
		assertThat(this.store.stage(QUEUE, "g", LIMITS)).isNull();
		assertThat(this.state.dump(QUEUE)).isEqualTo(before);
	}

	@Test
	void readsTasksInJoinOrder() {
		grouped("g", 20, 1);
		this.state.seedGrouped(ago(30), message("first").group("g").build());
		assertThat(this.store.read(stage("g", LIMITS)).stream().map(TaskMessage::id)).containsExactly("first", "g0");
	}

	@Test
	void arrivalIsFieldThatGoDoesNotKnowAndScoresStayWholeSeconds() {
		for (String id : List.of("b", "a")) {
			this.clock.advance(Duration.ofMillis(250));
			this.broker.enqueuer()
				.enqueue(new EnqueueRequest(message(id).group("g").build(), new Placement.Grouped(), null));
		}
		assertThat(this.state.fields(QUEUE, "b")).containsEntry("x-arrived", "250000001");
		assertThat(this.state.fields(QUEUE, "a")).containsEntry("x-arrived", "500000001");
		assertThat(this.state.redis().opsForZSet().rangeWithScores(key("g:g"), 0, -1))
			.allMatch((entry) -> Objects.equals(entry.getScore(), (double) nowSeconds()));
	}

	@ParameterizedTest
	@ValueSource(ints = { 0, 3 })
	void tasksOfGoComeFirstWithinSecondAndByTheirIds(int maxSize) {
		seedArrived("z", "5000");
		seedArrived("c", null);
		seedArrived("y", "900");
		seedArrived("b", null);
		seedArrived("x", "no number");
		this.state.seedGrouped(ago(30), message("older").group("g").build());
		List<String> found = new ArrayList<>();
		while (this.state.exists(key("g:g"))) {
			this.store.read(stage("g", LIMITS.withMaxSize(maxSize))).forEach((task) -> found.add(task.id()));
		}
		assertThat(found).containsExactly("older", "b", "c", "x", "y", "z");
	}

	@Test
	void thousandsOfTasksOfOneSecondAreDividedByArrival() {
		List<String> ids = IntStream.range(0, 3000).mapToObj((i) -> "t" + (i * 1231 % 3000)).toList();
		for (int from = 0; from < 3000; from += 100) {
			this.clock.advance(Duration.ofMillis(1));
			this.broker.enqueuer()
				.enqueueAll(ids.subList(from, from + 100)
					.stream()
					.map((id) -> new EnqueueRequest(message(id).group("g").build(), new Placement.Grouped(), null))
					.toList());
		}
		this.clock.advance(Duration.ofSeconds(10));
		List<String> found = new ArrayList<>();
		while (this.state.exists(key("g:g"))) {
			this.store.read(stage("g", LIMITS.withMaxSize(1100))).forEach((task) -> found.add(task.id()));
		}
		assertThat(found).isEqualTo(ids);
	}

	@Test
	void secondWhoseFirstTaskIsGoneIsDividedAllTheSame() {
		IntStream.range(0, 6).forEach((i) -> seedArrived("t" + i, String.valueOf(10 - i)));
		this.state.redis().delete(key("t:t5"));
		StagedGroup staged = stage("g", LIMITS);
		assertThat(scores(staged).keySet()).containsExactlyInAnyOrder("t5", "t4", "t3");
		assertThat(this.store.read(staged).stream().map(TaskMessage::id)).containsExactly("t4", "t3");
	}

	@Test
	void readsAllTasks() {
		grouped("g", 20, 1234);
		StagedGroup staged = stage("g", ALL);
		assertThat(staged.size()).isEqualTo(1234);
		assertThat(this.store.read(staged).stream().map(TaskMessage::id)).doesNotHaveDuplicates().hasSize(1234);
	}

	@Test
	void readsLargeTasks() {
		byte[] large = new byte[3 * 1024 * 1024];
		for (int i = 0; i < 3; i++) {
			this.state.seedGrouped(ago(20), message("large" + i).payload(large).group("g").build());
		}
		assertThat(this.store.read(stage("g", ALL))).extracting(TaskMessage::id)
			.containsExactly("large0", "large1", "large2");
	}

	@Test
	void undecodableTaskBlocksNoOther() {
		grouped("g", 20, 2);
		this.state.seedGrouped(ago(20), message("broken").group("g").build());
		this.state.seedField(QUEUE, "broken", "msg", new byte[] { 0x0F });
		this.state.redis().opsForZSet().add(key("g:g"), "ghost", 1);
		this.state.redis().opsForZSet().add(key("g:g"), "text", 1);
		this.state.redis().opsForValue().set(key("t:text"), "no hash");
		StagedGroup staged = stage("g", ALL);
		assertThat(this.store.read(staged)).extracting(TaskMessage::id).containsExactly("g0", "g1");
		assertThat(scores(staged).keySet()).containsExactlyInAnyOrder("g0", "g1");
		this.state.assertArchived(QUEUE, "broken");
		assertThat(this.state.bytes(QUEUE, "broken", "msg")).containsExactly(0x0F);
		this.state.assertCounters(QUEUE, DAY, 1, 1);
		assertThat(this.brokenTasks).containsExactlyInAnyOrder(
				new BrokenTask(QUEUE, "broken", BrokenTask.Kind.UNDECODABLE),
				new BrokenTask(QUEUE, "ghost", BrokenTask.Kind.MISSING),
				new BrokenTask(QUEUE, "text", BrokenTask.Kind.WRONG_TYPE));
	}

	private void seedArrived(String id, @Nullable String arrived) {
		this.state.seedGrouped(ago(20), message(id).group("g").build());
		if (arrived != null) {
			this.state.seedField(QUEUE, id, "x-arrived", utf8(arrived));
		}
	}

}
