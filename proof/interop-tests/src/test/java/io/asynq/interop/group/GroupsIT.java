package io.asynq.interop.group;

import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import io.asynq.EnqueueAttempt;
import io.asynq.Task;
import io.asynq.TaskOptions;
import io.asynq.TaskState;
import io.asynq.group.GroupLimits;
import io.asynq.internal.broker.RedisBroker;
import io.asynq.internal.group.StagedGroup;
import io.asynq.interop.peer.Attempt;
import io.asynq.interop.peer.Behaviour;
import io.asynq.interop.peer.Direction;
import io.asynq.interop.peer.InteropTest;
import io.asynq.interop.peer.Peer;
import io.asynq.interop.peer.PeerServer;
import io.asynq.interop.peer.Peers;
import io.asynq.interop.peer.RawRedis;
import io.asynq.interop.peer.ServerSpec;
import io.asynq.interop.peer.TaskView;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.springframework.data.redis.connection.RedisConnectionFactory;
import org.springframework.data.redis.core.StringRedisTemplate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * Groups that are filled by one side and aggregated by the other, or by both.
 */
@InteropTest
class GroupsIT {

	/**
	 * The keys of the queue, except for the note that a Java server makes of each staged
	 * set it happens to see, and keeps for minutes in case Go gives the set back.
	 */
	private static List<String> remaining(RawRedis redis) {
		return redis.keys("asynq*{default}:*")
			.stream()
			.filter((key) -> !key.equals("asynqj:{default}:groups"))
			.toList();
	}

	private static final GroupLimits QUICK = GroupLimits.defaults().withGracePeriod(Duration.ofSeconds(1));

	private static final TaskOptions GROUPED = TaskOptions.of((options) -> options.group("a:b"));

	@ParameterizedTest
	@EnumSource
	void eachAggregatesGroupsOfTheOther(Direction direction, Peers peers, RawRedis redis) {
		List<TaskView> members = add(direction.first(peers), 3, GROUPED);
		assertThat(peers.go().inspector().groups("default")).isEqualTo(Map.of("a:b", 3));
		assertThat(peers.go().queue("default")).isEqualTo(peers.java().queue("default"));
		assertThat(peers.java().queue("default").tasks()).containsEntry(TaskState.AGGREGATING, 3L);
		PeerServer server = direction.second(peers).serveGroups(ServerSpec.ofDefaultQueue(), "joined", QUICK);
		Attempt attempt = server.awaitStarted();
		assertThat(attempt.type()).isEqualTo("joined");
		assertThat(membersOf(attempt, "a:b")).containsExactlyInAnyOrder("m0", "m1", "m2");
		await().untilAsserted(() -> assertThat(members).noneMatch((member) -> peers.java().exists(member)));
		await().untilAsserted(() -> assertThat(remaining(redis)).allMatch((key) -> key.contains(":processed")));
		assertThat(peers.go().inspector().groups("default")).isEmpty();
		assertThat(peers.go().queue("default")).isEqualTo(peers.java().queue("default"));
		assertThat(peers.go().queue("default").processed()).isEqualTo(1);
	}

	@ParameterizedTest
	@Tag("slow")
	@EnumSource
	void eachAggregatesGroupsOfTheOtherInLimitedSizes(Direction direction, Peers peers) {
		add(direction.first(peers), 7, GROUPED);
		// One after the other, so that they begin in the order of their sets
		PeerServer server = direction.second(peers)
			.serveGroups(ServerSpec.ofDefaultQueue().withConcurrency(1), "joined", QUICK.withMaxSize(3));
		List<List<String>> sets = Stream.generate(() -> membersOf(server.awaitStarted(), "a:b")).limit(3).toList();
		assertThat(sets).extracting(List::size).containsExactly(3, 3, 1);
		assertThat(sets.stream().flatMap(List::stream)).containsExactlyInAnyOrder("m0", "m1", "m2", "m3", "m4", "m5",
				"m6");
	}

	@ParameterizedTest
	@EnumSource
	void delayedGroupedTaskRunsAloneWhereOnlyGoServes(Direction direction, Peers peers, RawRedis redis) {
		TaskOptions later = TaskOptions.of((options) -> options.group("a:b").processIn(Duration.ofSeconds(1)));
		TaskView task = direction.first(peers).enqueue(Task.of("report", "late"), later);
		PeerServer server = peers.go().serve(ServerSpec.ofDefaultQueue());
		assertThat(server.awaitStarted().taskId()).isEqualTo(task.id());
		await().untilAsserted(() -> assertThat(peers.java().exists(task)).isFalse());
		assertThat(redis.keys("asynq*{default}:*")).allMatch((key) -> key.contains(":processed"));
	}

	@Test
	void groupedTaskMadePendingByGoRunsAloneInJavaEvenAfterFailure(Peers peers, RawRedis redis) {
		TaskOptions later = TaskOptions.of((options) -> options.group("a:b").processIn(Duration.ofSeconds(1)));
		TaskView task = peers.java().enqueue(Task.of("report", "late"), later);
		try (PeerServer forwarding = peers.go()
			.serve(ServerSpec.ofDefaultQueue()
				.withRetryDelay(Duration.ofSeconds(3))
				.with("report", Behaviour.fail("not yet")))) {
			assertThat(forwarding.awaitStarted().taskId()).isEqualTo(task.id());
			await().untilAsserted(() -> assertThat(peers.java().task(task).state()).isEqualTo(TaskState.RETRY));
		}
		PeerServer server = peers.java().serve(ServerSpec.ofDefaultQueue());
		assertThat(server.awaitStarted().taskId()).isEqualTo(task.id());
		await().untilAsserted(() -> assertThat(peers.java().exists(task)).isFalse());
		assertThat(redis.keys("asynq*{default}:g*")).isEmpty();
	}

	@Test
	void bothAggregateSameGroupsWithoutDuplicates(Peers peers, RawRedis redis) {
		GroupLimits limits = QUICK.withMaxSize(5);
		ServerSpec spec = ServerSpec.ofDefaultQueue().withConcurrency(8);
		PeerServer go = peers.go().serveGroups(spec, "byGo", limits);
		PeerServer java = peers.java().serveGroups(spec, "byJava", limits);
		for (int round = 0; round < 6; round++) {
			peers.go().enqueueGrouped("member", "go" + round + "-", 300, 40, false);
			addMany(peers, round, 300, 40);
		}
		await().atMost(Duration.ofMinutes(1))
			.pollInterval(Duration.ofMillis(200))
			.untilAsserted(() -> assertThat(peers.java().queue("default").tasks()).isEmpty());
		await().untilAsserted(() -> assertThat(remaining(redis)).allMatch((key) -> key.contains(":processed")));
		go.close();
		java.close();
		List<Attempt> attempts = new ArrayList<>(go.drainStarted());
		attempts.addAll(java.drainStarted());
		assertThat(attempts).extracting(Attempt::type).contains("byGo", "byJava").containsOnly("byGo", "byJava");
		assertThat(attempts.stream().flatMap((attempt) -> membersOf(attempt).stream())).hasSize(3600)
			.doesNotHaveDuplicates();
		assertThat(peers.go().queue("default").processed()).isEqualTo(attempts.size());
	}

	@Test
	void javaReleasesLocksOfTasksGroupedByGo(Peers peers, RawRedis redis) {
		peers.go().enqueueGrouped("member", "m", 3, 1, true);
		assertThat(redis.taskHash("default", "m0")).doesNotContainKey("unique_key");
		assertThat(redis.keys("asynq:{default}:unique:*")).hasSize(3);
		PeerServer server = peers.java().serveGroups(ServerSpec.ofDefaultQueue(), "joined", QUICK);
		assertThat(membersOf(server.awaitStarted(), "g0")).containsExactlyInAnyOrder("m0", "m1", "m2");
		assertThat(redis.keys("asynq:{default}:unique:*")).isEmpty();
	}

	@Test
	void goKeepsLocksOfTasksItAggregates(Peers peers, RawRedis redis) {
		add(peers.java(), 2, TaskOptions.of((options) -> options.group("a:b").unique(Duration.ofHours(1))));
		PeerServer server = peers.go().serveGroups(ServerSpec.ofDefaultQueue(), "joined", QUICK);
		assertThat(membersOf(server.awaitStarted(), "a:b")).hasSize(2);
		await().untilAsserted(() -> assertThat(redis.keys("asynq:{default}:t:*")).isEmpty());
		assertThat(redis.keys("asynq:{default}:unique:*")).hasSize(2);
	}

	@Test
	@Tag("slow")
	void javaAggregatesDelayedTasksForwardedByJava(Peers peers) {
		add(peers.java(), 2, TaskOptions.of((options) -> options.group("a:b").processIn(Duration.ofSeconds(1))));
		PeerServer server = peers.java()
			.serveGroups(ServerSpec.ofDefaultQueue(), "joined", GroupLimits.defaults().withMaxSize(2));
		assertThat(membersOf(server.awaitStarted(), "a:b")).containsExactlyInAnyOrder("m0", "m1");
	}

	@Test
	void delayedGroupedTaskOfGoRunsAloneAsInGo(Peers peers) {
		add(peers.go(), 1, TaskOptions.of((options) -> options.group("a:b").processIn(Duration.ofSeconds(1))));
		PeerServer server = peers.java().serveGroups(ServerSpec.ofDefaultQueue(), "joined", QUICK);
		Attempt attempt = server.awaitStarted();
		assertThat(attempt.type()).isEqualTo("member");
		assertThat(attempt.payload()).isEqualTo("m0");
	}

	@Test
	void goReturnsSetStagedAndLeftByJava(Peers peers, RawRedis redis, RedisConnectionFactory connections) {
		List<TaskView> members = add(peers.java(), 2, GROUPED);
		RedisBroker gone = new RedisBroker(connections, Clock.systemUTC(), RedisBroker.DEFAULT_LEASE_DURATION,
				(broken) -> {
				});
		StagedGroup staged = gone.groups().stage("default", "a:b", QUICK.withMaxSize(2));
		assertThat(staged).isNotNull();
		// Two minutes later
		endStagedSet(connections, staged.set());
		assertThat(redis.keys("asynq:{default}:g:*")).singleElement().asString().startsWith("asynq:{default}:g:a:b:");
		assertThat(peers.go().inspector().groups("default")).isEmpty();
		PeerServer server = peers.go().serveGroups(ServerSpec.ofDefaultQueue(), "joined", QUICK);
		await().untilAsserted(
				() -> assertThat(redis.keys("asynq:{default}:g:*")).containsExactly("asynq:{default}:g:a:b"));
		assertThat(members).allMatch((member) -> redis.score("asynq:{default}:g:a:b", member.id()) != null);
		// Go lists the group only when a task is added to it
		assertThat(peers.go().inspector().groups("default")).isEmpty();
		add(peers.go(), "more", 1, GROUPED);
		assertThat(membersOf(server.awaitStarted(), "a:b")).containsExactlyInAnyOrder("m0", "m1", "more0");
	}

	@Test
	void javaReturnsSetStagedAndLeftByGo(Peers peers, RawRedis redis, RedisConnectionFactory connections) {
		add(peers.go(), 2, GROUPED);
		peers.go().stageGroups();
		String set = redis.keys("asynq:{default}:g:*").iterator().next();
		assertThat(set).startsWith("asynq:{default}:g:a:b:");
		assertThat(redis.score("asynq:{default}:aggregation_sets", set)).isNotNull();
		// Two minutes later
		endStagedSet(connections, set);
		PeerServer server = peers.java().serveGroups(ServerSpec.ofDefaultQueue(), "joined", QUICK);
		assertThat(membersOf(server.awaitStarted(), "a:b")).containsExactlyInAnyOrder("m0", "m1");
		await().untilAsserted(() -> assertThat(redis.keys("asynq:{default}:g:*")).isEmpty());
	}

	private static void endStagedSet(RedisConnectionFactory connections, String set) {
		new StringRedisTemplate(connections).opsForZSet().add("asynq:{default}:aggregation_sets", set, 1);
	}

	private static List<TaskView> add(Peer peer, int count, TaskOptions options) {
		return add(peer, "m", count, options);
	}

	private static List<TaskView> add(Peer peer, String prefix, int count, TaskOptions options) {
		return IntStream.range(0, count)
			.mapToObj((number) -> peer.enqueue(Task.of("member", prefix + number), options))
			.toList();
	}

	private static void addMany(Peers peers, int round, int count, int groups) {
		Stream<Task> tasks = IntStream.range(0, count)
			.mapToObj((number) -> Task.of("member", "java" + round + "-" + number)
				.withOptions(TaskOptions.of((options) -> options.group("g" + number % groups))));
		assertThat(peers.java().client().enqueueAll(tasks.toList())).hasSize(count).allMatch(EnqueueAttempt::enqueued);
	}

	private static List<String> membersOf(Attempt attempt, String group) {
		assertThat(attempt.payload()).startsWith(group + ":");
		return List.of(attempt.payload().substring(group.length() + 1).split(","));
	}

	private static List<String> membersOf(Attempt attempt) {
		return Arrays.asList(attempt.payload().substring(attempt.payload().indexOf(':') + 1).split(","));
	}

}
