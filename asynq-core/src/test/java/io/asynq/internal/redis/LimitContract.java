package io.asynq.internal.redis;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.IntStream;

import io.asynq.CancelMode;
import io.asynq.TaskState;
import io.asynq.inspect.LimitInfo;
import io.asynq.internal.inspect.TaskMove;
import io.asynq.internal.lane.Lanes;
import io.asynq.internal.lane.QueueRound;
import io.asynq.internal.limit.LimitClaim;
import io.asynq.internal.limit.LimitReader;
import io.asynq.internal.limit.LimitRule;
import io.asynq.internal.limit.LimitStore;
import io.asynq.internal.limit.LimitStore.Answer;
import io.asynq.internal.limit.LimitTurns;
import io.asynq.internal.limit.WaitingTasks;
import io.asynq.internal.worker.LeasedTask;
import io.asynq.internal.worker.LimitClass;
import io.asynq.internal.worker.Outcome;
import io.asynq.internal.worker.OutcomeResult;
import io.asynq.internal.worker.OutcomeResult.Status;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.data.redis.connection.RedisConnectionFactory;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tokens of limits and the tasks that wait for them, in Redis.
 */
@OnDrivers
class LimitContract extends BrokerContract {

	private static final LimitClass PDF = LimitClass.of(QUEUE, List.of("pdf"));

	private static final Duration HOUR = Duration.ofHours(1);

	private final LimitStore store = this.broker.limits();

	private final LimitReader reader = this.broker.limitReader();

	private final Set<String> woken = new LinkedHashSet<>();

	private final WaitingTasks tasks = new WaitingTasks(this.store, new QueueRound("limits", Lanes.single()),
			this.woken::add);

	LimitContract(RedisConnectionFactory factory) {
		super(factory);
	}

	@Test
	void noMoreTokensAreTakenThanThereAre() {
		announce("pdf", 2);
		assertThat(take(PDF, "a", "b", "c")).containsExactly(true, true, false);
		assertThat(take(PDF, "d")).containsExactly(false);
		assertThat(this.reader.limits()).containsExactly(new LimitInfo("pdf", 2, null, 2, 0, 1));
	}

	@Test
	void attemptThatHasTokensKeepsThem() {
		announce("pdf", 1);
		take(PDF, "a");
		assertThat(take(PDF, "a")).as("the answer was lost").containsExactly(true);
		assertThat(held("pdf")).isOne();
		assertThat(this.store.take(List.of(new LimitClaim(PDF, "a", "later attempt", false))))
			.as("the earlier attempt may still run")
			.containsExactly(Answer.REFUSED);
	}

	@Test
	void limitWithoutRuleHasNoTokens() {
		assertThat(this.store.take(claims(PDF, "a"))).containsExactly(Answer.UNKNOWN);
	}

	@Test
	void taskThatGetsNoTokenWaitsInRetryUnchanged() {
		announce("pdf", 1);
		hold(PDF, "a");
		seed(QUEUE, "b");
		LeasedTask task = take(QUEUE, 1).get(0);
		byte[] message = this.state.bytes(QUEUE, "b", "msg");
		assertThat(take(PDF, "b")).containsExactly(false);
		assertThat(report(new Outcome.Wait(task, PDF, due(HOUR)))).containsExactly(Status.APPLIED);
		this.state.assertRetry(QUEUE, "b");
		assertThat(this.state.scores(QUEUE, "retry")).containsEntry("b", nowSeconds() + 3601);
		assertThat(this.state.bytes(QUEUE, "b", "msg")).isEqualTo(message);
		this.state.assertCounters(QUEUE, DAY, 0, 0);
		assertThat(report(new Outcome.Wait(task, PDF, due(HOUR)))).as("sent twice").containsExactly(Status.NOT_ACTIVE);
	}

	@Test
	void whatIsHeldAndWaitsIsRead() {
		LimitClass acme = LimitClass.of(QUEUE, List.of("pdf", LimitClass.need("tenant", "acme")));
		announce("pdf", 1);
		this.store.announce(Map.of("tenant", new LimitRule(2, 100_000, 10, "10/s")));
		hold(acme, "a");
		park(acme, "b", "c");
		park(LimitClass.of("low", List.of("pdf")), "d");
		assertThat(this.reader.limits()).containsExactly(new LimitInfo("pdf", 1, null, 1, 3, 1),
				new LimitInfo("tenant", 2, "10/s", 1, 2, 1));
		assertThat(this.reader.keys("tenant", 10)).containsExactly(new LimitInfo.Key("acme", 1, 2));
		assertThat(this.reader.keys("pdf", 10)).containsExactly(new LimitInfo.Key("", 1, 3));
		assertThat(this.reader.keys("none", 10)).isEmpty();
		assertThat(this.broker.queues().stats(QUEUE).orElseThrow().waitingForLimit()).isEqualTo(2);
		assertThat(this.broker.queues().stats("low").orElseThrow().waitingForLimit()).isEqualTo(1);
		assertThat(this.reader.waitsFor(QUEUE, "b")).containsExactly("pdf", "tenant:acme");
		assertThat(this.reader.waitsFor(QUEUE, "a")).isEmpty();
	}

	@Test
	void keysAreListedUpToANumberTheBusiestFirst() {
		announce("tenant", 1);
		hold(tenant("held"), "h");
		hold(tenant("one"), "y");
		park(tenant("one"), "a");
		hold(tenant("two"), "x");
		park(tenant("two"), "b", "c");
		assertThat(this.reader.keys("tenant", 2)).extracting(LimitInfo.Key::key).first().isEqualTo("two");
		assertThat(this.reader.keys("tenant", 2)).hasSize(2);
	}

	@Test
	void tokenThatIsGivenBackMakesTheFirstWaitingTaskPendingAtTheFront() {
		announce("pdf", 1);
		hold(PDF, "a");
		park(PDF, "b", "c");
		seed(QUEUE, "other");
		assertThat(release(PDF, "a")).containsExactly(QUEUE);
		assertThat(take(QUEUE, 10)).extracting((task) -> task.message().id()).containsExactly("b", "other");
		this.state.assertRetry(QUEUE, "c");
		assertThat(take(LimitClass.of("low", List.of("pdf")), "x")).as("the token is kept").containsExactly(false);
	}

	@Test
	void taskThatWasWokenTakesTheTokenThatIsKept() {
		announce("pdf", 1);
		hold(PDF, "a");
		park(PDF, "b");
		release(PDF, "a");
		assertThat(takeWoken(PDF, "b")).containsExactly(true);
		assertThat(take(PDF, "c")).containsExactly(false);
		assertThat(this.state.fields(QUEUE, "b")).doesNotContainKey("x-waits");
		release(PDF, "b");
		assertNothingIsLeft();
	}

	@Test
	void tokenThatNobodyTakesIsKeptForASecond() {
		announce("pdf", 1);
		hold(PDF, "a");
		park(PDF, "b", "c");
		release(PDF, "a");
		this.broker.tasks().move(QUEUE, TaskMove.DELETE, List.of("b"));
		assertThat(look()).isEmpty();
		assertThat(lookInASecond()).containsExactly(QUEUE);
		this.state.assertPending(QUEUE, "c");
	}

	@Test
	void tokenThatNobodyTakesIsFoundAfterAnotherThatWasKeptBeforeIt() {
		announce("pdf", 2);
		hold(PDF, "a");
		hold(PDF, "b");
		LimitClass low = LimitClass.of("low", List.of("pdf"));
		park(low, "first");
		park(PDF, "deleted", "last");
		assertThat(release(PDF, "a")).containsExactly("low");
		this.clock.advance(Duration.ofMillis(500));
		assertThat(release(PDF, "b")).containsExactly(QUEUE);
		assertThat(takeWoken(low, "first")).containsExactly(true);
		this.broker.tasks().move(QUEUE, TaskMove.DELETE, List.of("deleted"));
		this.clock.advance(Duration.ofMillis(500));
		assertThat(look()).isEmpty();
		this.clock.advance(Duration.ofMillis(500));
		assertThat(look()).containsExactly(QUEUE);
	}

	@Test
	void taskTakesAllItsTokensOrNone() {
		LimitClass both = LimitClass.of(QUEUE, List.of("pdf", LimitClass.need("tenant", "acme")));
		announce("pdf", 1);
		announce("tenant", 1);
		hold(tenant("acme"), "a");
		assertThat(take(both, "b")).containsExactly(false);
		assertThat(held("pdf")).isZero();
		park(both, "b");
		assertThat(release(tenant("acme"), "a")).containsExactly(QUEUE);
		assertThat(take(PDF, "c")).as("both are kept").containsExactly(false);
		assertThat(takeWoken(both, "b")).containsExactly(true);
		release(both, "b");
		assertNothingIsLeft();
	}

	@Test
	void tasksThatNeedAnotherLimitDoNotBlockThoseBehindThem() {
		LimitClass busy = LimitClass.of(QUEUE, List.of("pdf", LimitClass.need("tenant", "busy")));
		LimitClass idle = LimitClass.of(QUEUE, List.of("pdf", LimitClass.need("tenant", "idle")));
		announce("pdf", 1);
		announce("tenant", 1);
		hold(tenant("busy"), "x");
		hold(PDF, "a");
		park(busy, "b1", "b2");
		park(idle, "i1");
		release(PDF, "a");
		this.state.assertPending(QUEUE, "i1");
		this.state.assertRetry(QUEUE, "b1", "b2");
	}

	@Test
	void waitingKeysTakeTurns() {
		announce("pdf", 1);
		announce("tenant", 10);
		hold(PDF, "a");
		LimitClass large = LimitClass.of(QUEUE, List.of("pdf", LimitClass.need("tenant", "large")));
		LimitClass small = LimitClass.of(QUEUE, List.of("pdf", LimitClass.need("tenant", "small")));
		park(large, "l1", "l2", "l3");
		park(small, "s1", "s2");
		List<String> order = new ArrayList<>();
		LimitClass last = PDF;
		String id = "a";
		while (id != null) {
			this.clock.advance(Duration.ofMillis(1));
			release(last, id);
			List<LeasedTask> next = take(QUEUE, 1);
			id = next.isEmpty() ? null : next.get(0).message().id();
			if (id != null) {
				last = id.startsWith("l") ? large : small;
				assertThat(takeWoken(last, id)).containsExactly(true);
				order.add(id);
			}
		}
		assertThat(order).containsExactly("l1", "s1", "l2", "s2", "l3");
		assertNothingIsLeft();
	}

	@Test
	void tasksOnWhichSomebodyHasActedAreNotWoken() {
		announce("pdf", 1);
		hold(PDF, "a");
		park(PDF, "run", "archived", "deleted", "edited", "waits");
		this.broker.tasks().move(QUEUE, TaskMove.RUN, List.of("run"));
		this.broker.tasks().move(QUEUE, TaskMove.ARCHIVE, List.of("archived"));
		this.broker.tasks().move(QUEUE, TaskMove.DELETE, List.of("deleted"));
		this.state.redis().opsForZSet().add("asynq:{default}:retry", "edited", nowSeconds() + 60);
		assertThat(release(PDF, "a")).containsExactly(QUEUE);
		this.state.assertArchived(QUEUE, "archived");
		assertThat(this.state.pending(QUEUE)).containsExactlyInAnyOrder("run", "waits");
		assertThat(takeWoken(PDF, "waits")).containsExactly(true);
		assertThat(take(PDF, "run")).containsExactly(false);
	}

	@Test
	void allOfManyTasksAreRunOrArchivedOrDeletedByHandAndNoTokenIsLost() {
		announce("pdf", 1);
		for (TaskMove move : List.of(TaskMove.RUN, TaskMove.ARCHIVE, TaskMove.DELETE)) {
			hold(PDF, "a");
			park(PDF, IntStream.range(0, 350).mapToObj((i) -> move + "-" + i).toArray(String[]::new));
			this.broker.tasks().moveAll(QUEUE, move, TaskState.RETRY);
			park(PDF, "waits-" + move);
			release(PDF, "a");
			assertThat(this.state.pending(QUEUE)).contains("waits-" + move);
			assertThat(takeWoken(PDF, "waits-" + move)).containsExactly(true);
			release(PDF, "waits-" + move);
			assertNothingIsLeft();
		}
	}

	@Test
	void pausedQueueGivesItsTurnToAnother() {
		announce("pdf", 1);
		hold(PDF, "a");
		park(PDF, "b");
		LimitClass low = LimitClass.of("low", List.of("pdf"));
		park(low, "c");
		this.broker.queueKeeper().pause(QUEUE);
		assertThat(release(PDF, "a")).containsExactly("low");
		this.state.assertRetry(QUEUE, "b");
		assertThat(takeWoken(low, "c")).containsExactly(true);
		this.broker.queueKeeper().resume(QUEUE);
		assertThat(release(low, "c")).as("it rests for a second").isEmpty();
		assertThat(lookInASecond()).containsExactly(QUEUE);
		this.state.assertPending(QUEUE, "b");
	}

	@Test
	void tokensOfDeadServerComeBackAndTheNextTaskIsPromoted() {
		announce("pdf", 1);
		hold(PDF, "a");
		park(PDF, "b");
		this.clock.advance(Duration.ofSeconds(30));
		this.store.extend(claims(PDF, "a", "unknown"));
		this.clock.advance(Duration.ofSeconds(29));
		assertThat(lookAfter()).as("it was extended").isEmpty();
		this.clock.advance(Duration.ofSeconds(2));
		assertThat(lookAfter()).as("Redis's clock may have been set").isEmpty();
		this.clock.advance(Duration.ofSeconds(14));
		assertThat(lookAfter()).isEmpty();
		this.clock.advance(Duration.ofSeconds(2));
		assertThat(lookAfter()).containsExactly(QUEUE);
		this.state.assertPending(QUEUE, "b");
		assertThat(held("pdf")).isZero();
	}

	@Test
	void tokensOfLiveServersSurviveAStepOfTheClock() {
		announce("pdf", 1);
		hold(PDF, "a");
		park(PDF, "b");
		for (int i = 0; i < 3; i++) {
			this.clock.advance(Duration.ofHours(1));
			assertThat(lookAfter()).isEmpty();
			this.clock.advance(Duration.ofSeconds(5));
			this.store.extend(claims(PDF, "a"));
		}
		this.clock.advance(Duration.ofSeconds(20));
		assertThat(lookAfter()).isEmpty();
		assertThat(held("pdf")).isOne();
	}

	@Test
	void oneServerLooksAfterAQueueInTenSeconds() {
		announce("pdf", 1);
		hold(PDF, "a");
		park(PDF, "b");
		assertThat(this.store.unnoted(QUEUE)).containsExactly(PDF);
		assertThat(this.store.unnoted(QUEUE)).as("another's turn").isEmpty();
		this.clock.advance(Duration.ofSeconds(9));
		assertThat(this.store.unnoted(QUEUE)).isEmpty();
		this.clock.advance(Duration.ofSeconds(1));
		assertThat(this.store.unnoted(QUEUE)).containsExactly(PDF);
	}

	@Test
	void turnThatWasBegunBeforeRedisClockWasSetBackKeepsNobodyAway() {
		announce("pdf", 1);
		hold(PDF, "a");
		park(PDF, "b");
		String end = String.valueOf(this.clock.instant().plus(Duration.ofHours(1)).toEpochMilli());
		this.state.redis().opsForValue().set("asynqj:{default}:turn", end);
		this.state.redis().opsForValue().set("asynqj:limits:{limits}:swept", end + " 0");
		assertThat(this.store.unnoted(QUEUE)).containsExactly(PDF);
		assertThat(this.store.sweep(false).all()).isOne();
	}

	@Test
	void taskWhoseServerWasKilledBeforeItWasLinedUpIsFound() {
		announce("pdf", 1);
		seed(QUEUE, "b");
		report(new Outcome.Wait(take(QUEUE, 1).get(0), PDF, due(HOUR)));
		assertThat(lookAfter()).containsExactly(QUEUE);
		this.state.assertPending(QUEUE, "b");
	}

	@Test
	void taskWhoseServerWasKilledBeforeItWokeItIsFound() {
		announce("pdf", 1);
		hold(PDF, "a");
		park(PDF, "b");
		this.store.release(claims(PDF, "a"));
		this.state.assertRetry(QUEUE, "b");
		assertThat(take(LimitClass.of("low", List.of("pdf")), "c")).as("the token is kept").containsExactly(false);
		assertThat(look()).as("for as long as its server might live").isEmpty();
		assertThat(lookInASecond()).containsExactly(QUEUE);
		this.state.assertPending(QUEUE, "b");
		assertThat(takeWoken(PDF, "b")).containsExactly(true);
	}

	@Test
	void taskWhoseServerWasKilledBeforeItGaveItsTurnBackIsFound() {
		announce("pdf", 1);
		hold(PDF, "a");
		park(PDF, "deleted");
		park(LimitClass.of("low", List.of("pdf")), "waits");
		this.broker.tasks().move(QUEUE, TaskMove.DELETE, List.of("deleted"));
		LimitTurns turns = this.store.release(claims(PDF, "a"));
		assertThat(this.store.wake(QUEUE, turns.turns())).extracting(LimitTurns.Taken::woken).containsExactly(0);
		assertThat(lookInASecond()).containsExactly("low");
	}

	@Test
	void queueThatCannotBeWrittenRestsAndItsTaskIsFound() {
		announce("pdf", 1);
		hold(PDF, "a");
		park(PDF, "b");
		this.state.redis().opsForValue().set("asynq:{default}:pending", "no list");
		assertThat(release(PDF, "a")).as("nothing is woken").isEmpty();
		this.state.redis().delete("asynq:{default}:pending");
		assertThat(look()).as("it rests for a second").isEmpty();
		assertThat(lookInASecond()).containsExactly(QUEUE);
		this.state.assertPending(QUEUE, "b");
	}

	@Test
	void taskIsDueAfterAnHourAndKeepsItsPlaceIfItMustWaitAgain() {
		announce("pdf", 1);
		hold(PDF, "a");
		park(PDF, "first", "second");
		this.clock.advance(HOUR.plusSeconds(1));
		this.broker.upkeep().forward(QUEUE);
		this.state.assertPending(QUEUE, "first", "second");
		List<LeasedTask> tasks = new ArrayList<>(take(QUEUE, 2));
		Collections.reverse(tasks);
		hold(PDF, "a");
		tasks.forEach((task) -> report(new Outcome.Wait(task, PDF, due(HOUR))));
		release(PDF, "a");
		this.state.assertPending(QUEUE, "first");
	}

	@Test
	void cancelledTaskDoesNotWait() {
		announce("pdf", 1);
		seed(QUEUE, "b");
		LeasedTask task = take(QUEUE, 1).get(0);
		this.broker.tasks().cancel(QUEUE, "b", CancelMode.ARCHIVE, true);
		report(new Outcome.Wait(task, PDF, due(HOUR)));
		this.state.assertArchived(QUEUE, "b");
	}

	@Test
	void deletedQueueLeavesNothingBehindAndNoTokenIsLost() {
		announce("pdf", 1);
		hold(PDF, "a");
		park(PDF, "b");
		this.broker.queueKeeper().delete(QUEUE, true);
		assertThat(this.state.redis().keys("asynqj:{default}:*")).isEmpty();
		LimitClass low = LimitClass.of("low", List.of("pdf"));
		park(low, "c");
		assertThat(release(PDF, "a")).containsExactly("low");
		assertThat(takeWoken(low, "c")).containsExactly(true);
	}

	@Test
	void ruleMayBeChangedWhateverServersAnnounce() {
		announce("pdf", 1);
		hold(PDF, "a");
		park(PDF, "b", "c", "d");
		this.store.change("pdf", new LimitRule(3, 0, 0, null));
		announce("pdf", 1);
		lookAfter();
		assertThat(this.state.pending(QUEUE)).containsExactlyInAnyOrder("b", "c");
		assertThat(this.reader.limits().get(0).concurrent()).isEqualTo(3);
		this.store.change("pdf", null);
		assertThat(this.reader.limits().get(0).concurrent()).isOne();
		release(PDF, "a");
		this.state.assertRetry(QUEUE, "d");
	}

	@Test
	void tasksOfARateAreWokenWhenThereAreTokens() {
		rate("bank", 500_000, 2, "2/s");
		LimitClass bank = LimitClass.of(QUEUE, List.of("bank"));
		assertThat(take(bank, "a", "b", "c")).containsExactly(true, true, false);
		park(bank, "c", "d", "e", "f");
		assertThat(this.reader.limits()).containsExactly(new LimitInfo("bank", 0, "2/s", 2, 4, 1));
		assertThat(this.reader.keys("bank", 10)).containsExactly(new LimitInfo.Key("", 2, 4));
		this.clock.advance(Duration.ofMillis(450));
		assertThat(look()).isEmpty();
		this.clock.advance(Duration.ofMillis(60));
		assertThat(look()).containsExactly(QUEUE);
		this.state.assertPending(QUEUE, "c");
		assertThat(take(bank, "new")).as("others wait").containsExactly(false);
		assertThat(takeWoken(bank, "c")).containsExactly(true);
		this.clock.advance(Duration.ofSeconds(10));
		assertThat(look()).containsExactly(QUEUE);
		this.state.assertRetry(QUEUE, "f");
		assertThat(takeWoken(bank, "d", "e", "f")).as("no more than a burst").containsExactly(true, true, false);
	}

	@Test
	void tokenOfARateThatNobodyTakesGoesToTheNextClassAndIsCountedOnce() {
		rate("bank", HOUR.toMillis() * 1000, 1, "1/h");
		LimitClass bank = LimitClass.of(QUEUE, List.of("bank"));
		LimitClass low = LimitClass.of("low", List.of("bank"));
		take(bank, "a");
		park(bank, "b", "c");
		park(low, "d", "e");
		this.clock.advance(HOUR.minusSeconds(1));
		assertThat(look()).isEmpty();
		this.clock.advance(Duration.ofMillis(1001));
		assertThat(look()).containsExactly(QUEUE);
		assertThat(lookInASecond()).containsExactly("low");
		assertThat(takeWoken(low, "d")).containsExactly(true);
		assertThat(takeWoken(bank, "b")).containsExactly(false);
		assertThat(lookInASecond()).isEmpty();
	}

	@Test
	void rateThatIsChangedAppliesAtOnce() {
		rate("bank", HOUR.toMillis() * 1000, 1, "1/h");
		LimitClass bank = LimitClass.of(QUEUE, List.of("bank"));
		assertThat(take(bank, "a", "b")).containsExactly(true, false);
		park(bank, "b", "c");
		this.store.change("bank", new LimitRule(0, 100_000, 10, "10/s"));
		this.clock.advance(Duration.ofMillis(60));
		assertThat(look()).as("nothing is saved up").isEmpty();
		this.clock.advance(Duration.ofMillis(250));
		assertThat(look()).containsExactly(QUEUE);
		assertThat(takeWoken(bank, "b", "c")).containsExactly(true, true);
	}

	@ParameterizedTest
	@ValueSource(ints = { 5, 90, 3600 })
	void rateGoesOnWhenRedisClockWasSetBack(int seconds) {
		rate("bank", 500_000, 2, "2/s");
		LimitClass bank = LimitClass.of(QUEUE, List.of("bank"));
		assertThat(take(bank, "a", "b", "c")).containsExactly(true, true, false);
		park(bank, "c", "d", "e", "f");
		look();
		this.clock.advance(Duration.ofSeconds(-seconds));
		assertThat(look()).as("nothing is saved up").isEmpty();
		for (String next : List.of("c", "d")) {
			this.clock.advance(Duration.ofMillis(510));
			assertThat(look()).containsExactly(QUEUE);
			assertThat(takeWoken(bank, next)).containsExactly(true);
		}
	}

	@ParameterizedTest
	@ValueSource(ints = { 5, 90, 3600 })
	void tokensGoOnWhenRedisClockWasSetBack(int seconds) {
		announce("pdf", 1);
		hold(PDF, "killed");
		park(PDF, "b", "c");
		look();
		this.clock.advance(Duration.ofSeconds(-seconds));
		look();
		Set<String> queues = Set.of();
		for (int i = 0; i < 6 && queues.isEmpty(); i++) {
			this.clock.advance(Duration.ofSeconds(10));
			queues = look();
		}
		assertThat(queues).as("of a killed server").containsExactly(QUEUE);
		this.clock.advance(Duration.ofSeconds(-seconds));
		this.broker.tasks().move(QUEUE, TaskMove.DELETE, List.of("b"));
		queues = look();
		assertThat(queues.isEmpty() ? lookInASecond() : queues).as("of one that was woken and deleted")
			.containsExactly(QUEUE);
		this.state.assertPending(QUEUE, "c");
	}

	@Test
	void whoWaitsFirstGoesFirstWhenRedisClockWasSetBack() {
		announce("pdf", 1);
		hold(PDF, "a");
		park(PDF, "b");
		this.clock.advance(Duration.ofSeconds(-90));
		park(PDF, "c");
		park(LimitClass.of("low", List.of("pdf")), "d");
		release(PDF, "a");
		this.state.assertPending(QUEUE, "b");
		takeWoken(PDF, "b");
		assertThat(release(PDF, "b")).containsExactly("low");
	}

	@Test
	void taskThatARateHoldsUpHasNoOtherToken() {
		announce("pdf", 1);
		rate("bank", HOUR.toMillis() * 1000, 1, "1/h");
		LimitClass both = LimitClass.of(QUEUE, List.of("pdf", "bank"));
		take(LimitClass.of(QUEUE, List.of("bank")), "first");
		hold(PDF, "a");
		park(both, "b");
		assertThat(release(PDF, "a")).isEmpty();
		hold(PDF, "c");
		this.clock.advance(HOUR.plusMillis(1));
		assertThat(look()).as("the other limit").isEmpty();
		assertThat(release(PDF, "c")).containsExactly(QUEUE);
		assertThat(takeWoken(both, "b")).containsExactly(true);
	}

	@Test
	void queueFromWhichNobodyTakesHoldsNobodyUpMoreThanOnce() {
		announce("pdf", 1);
		hold(PDF, "a");
		park(PDF, "dead1", "dead2");
		LimitClass low = LimitClass.of("low", List.of("pdf"));
		park(low, "l1", "l2", "l3");
		assertThat(release(PDF, "a")).containsExactly(QUEUE);
		assertThat(lookInASecond()).containsExactly("low");
		for (String id : List.of("l1", "l2")) {
			assertThat(takeWoken(low, id)).containsExactly(true);
			this.clock.advance(Duration.ofSeconds(3));
			assertThat(release(low, id)).containsExactly("low");
		}
		assertThat(takeWoken(low, "l3")).containsExactly(true);
		assertThat(release(low, "l3")).isEmpty();
		this.state.assertPending(QUEUE, "dead1");
		assertThat(takeWoken(PDF, "dead1")).containsExactly(true);
	}

	@Test
	void tasksThatWereWokenStandInFrontInTheirOrder() {
		announce("pdf", 3);
		hold(PDF, "x");
		hold(PDF, "y");
		hold(PDF, "z");
		park(PDF, "a", "b", "c", "d");
		seed(QUEUE, "other");
		for (String id : List.of("x", "y", "z")) {
			release(PDF, id);
		}
		List<LeasedTask> tasks = take(QUEUE, 4);
		assertThat(tasks).extracting((task) -> task.message().id()).containsExactly("a", "b", "c", "other");
		assertThat(tasks).extracting(LeasedTask::woken).containsExactly(true, true, true, false);
	}

	@ParameterizedTest
	@ValueSource(strings = { "refused", "put back" })
	void taskThatWasWokenInVainKeepsItsPlace(String why) {
		announce("pdf", 1);
		hold(PDF, "x");
		park(PDF, "a", "b");
		release(PDF, "x");
		LeasedTask a = take(QUEUE, 1).get(0);
		if (why.equals("put back")) {
			report(new Outcome.Requeue(a));
			a = take(QUEUE, 1).get(0);
			assertThat(a.woken()).isTrue();
		}
		report(new Outcome.Wait(a, PDF, due(HOUR)));
		line(PDF);
		assertThat(lookInASecond()).containsExactly(QUEUE);
		this.state.assertPending(QUEUE, "a");
	}

	@ParameterizedTest
	@ValueSource(strings = { "retry", "done" })
	void attemptAfterTheOneThatWasWokenIsLikeANewTask(String end) {
		announce("pdf", 1);
		hold(PDF, "x");
		park(PDF, "a");
		release(PDF, "x");
		LeasedTask a = take(QUEUE, 1).get(0);
		report(end.equals("done") ? new Outcome.Completed(a, null)
				: new Outcome.Retry(a, "failed", due(Duration.ZERO), true));
		assertThat(this.state.fields(QUEUE, "a")).doesNotContainKeys("x-woken", "x-waits");
	}

	@Test
	void pausedQueueWithManyKeysRestsAsAWhole() {
		announce("pdf", 1);
		announce("tenant", 1);
		hold(PDF, "a");
		for (int i = 0; i < 30; i++) {
			park(LimitClass.of(QUEUE, List.of("pdf", LimitClass.need("tenant", "t" + i))), "b" + i);
		}
		LimitClass low = LimitClass.of("low", List.of("pdf"));
		park(low, "c");
		this.broker.queueKeeper().pause(QUEUE);
		assertThat(release(PDF, "a")).containsExactly("low");
		assertThat(takeWoken(low, "c")).containsExactly(true);
	}

	@Test
	void taskThatWaitsForAnotherLimitByNowIsNotWoken() {
		announce("pdf", 1);
		announce("tenant", 1);
		hold(PDF, "a");
		hold(tenant("acme"), "b");
		park(PDF, "t");
		this.broker.tasks().move(QUEUE, TaskMove.RUN, List.of("t"));
		report(new Outcome.Wait(take(QUEUE, 1).get(0), tenant("acme"), due(HOUR)));
		line(tenant("acme"));
		assertThat(release(PDF, "a")).isEmpty();
		this.state.assertRetry(QUEUE, "t");
		assertThat(release(tenant("acme"), "b")).containsExactly(QUEUE);
	}

	@Test
	void manyKeysLeaveNothingBehindWhenTheyAreIdle() {
		announce("tenant", 1);
		for (int i = 0; i < 300; i++) {
			hold(tenant("t" + i), "id" + i);
		}
		assertThat(this.reader.limits().get(0).keys()).isEqualTo(300);
		park(tenant("t7"), "waits");
		for (int i = 0; i < 300; i++) {
			release(tenant("t" + i), "id" + i);
		}
		assertThat(takeWoken(tenant("t7"), "waits")).containsExactly(true);
		release(tenant("t7"), "waits");
		assertNothingIsLeft();
	}

	@Test
	void keyOfWrongTypeHarmsOnlyTasksThatNeedIt() {
		announce("pdf", 1);
		this.state.redis().opsForValue().set("asynqj:{default}:waiting:pdf", "no sorted set");
		seed(QUEUE, "a", "b");
		List<LeasedTask> tasks = take(QUEUE, 2);
		assertThat(report(new Outcome.Wait(tasks.get(0), PDF, due(HOUR)),
				new Outcome.Wait(tasks.get(1), tenant("acme"), due(HOUR))))
			.containsExactly(Status.BROKEN, Status.APPLIED);
	}

	@Test
	void whoWaitsFirstGoesFirstWhenItsTokenWasNotTakenInTime() {
		announce("pdf", 1);
		hold(PDF, "a");
		park(PDF, "b", "c", "d");
		release(PDF, "a");
		for (int i = 0; i < 30; i++) {
			lookInASecond();
		}
		assertThat(take(QUEUE, 4)).extracting((task) -> task.message().id()).containsExactly("b");
	}

	@Test
	void callThatComesAfterItsServerHasGivenUpTakesNothing() {
		announce("pdf", 1);
		release(PDF, "a");
		take(PDF, "a");
		assertThat(held("pdf")).isZero();
		assertThat(take(PDF, "b")).containsExactly(true);
	}

	@Test
	void newTaskDoesNotOvertakeThoseThatWait() {
		announce("pdf", 1);
		hold(PDF, "a");
		park(PDF, "b", "c");
		release(PDF, "a");
		assertThat(take(PDF, "new")).containsExactly(false);
	}

	@Test
	void deletedQueueIsForgotten() {
		announce("pdf", 1);
		hold(PDF, "a");
		park(PDF, "b");
		this.broker.queueKeeper().delete(QUEUE, true);
		release(PDF, "a");
		assertNothingIsLeft();
	}

	@Test
	void allGoesOnWhenRedisIsFull() {
		announce("pdf", 2);
		hold(PDF, "a");
		hold(PDF, "a2");
		park(PDF, "b", "c");
		seed("low", "x");
		LeasedTask x = take("low", 1).get(0);
		full(true);
		try {
			assertThat(release(PDF, "a")).containsExactly(QUEUE);
			assertThat(takeWoken(PDF, "b")).containsExactly(true);
			this.store.extend(claims(PDF, "b"));
			assertThat(take(LimitClass.of("low", List.of("pdf")), "x")).containsExactly(false);
			assertThat(report(new Outcome.Wait(x, LimitClass.of("low", List.of("pdf")), due(HOUR))))
				.containsExactly(Status.APPLIED);
			line(LimitClass.of("low", List.of("pdf")));
			lookAfter();
			lookInASecond();
			release(PDF, "a2", "b");
			assertThat(take(QUEUE, 1)).isNotEmpty();
		}
		finally {
			full(false);
		}
	}

	private void full(boolean full) {
		this.state.redis().execute((connection) -> {
			connection.serverCommands().setConfig("maxmemory", full ? "1" : "0");
			return null;
		}, true);
	}

	private static LimitClass tenant(String key) {
		return LimitClass.of(QUEUE, List.of(LimitClass.need("tenant", key)));
	}

	private void announce(String limit, int concurrent) {
		this.store.announce(Map.of(limit, new LimitRule(concurrent, 0, 0, null)));
	}

	private void rate(String limit, long intervalMicros, int burst, String rate) {
		this.store.announce(Map.of(limit, new LimitRule(0, intervalMicros, burst, rate)));
	}

	private List<Boolean> take(LimitClass limits, String... ids) {
		return granted(claims(limits, ids));
	}

	/** As tasks do that their server has dequeued. */
	private List<Boolean> takeWoken(LimitClass limits, String... ids) {
		for (String id : ids) {
			this.state.redis().opsForList().remove("asynq:{" + limits.queue() + "}:pending", 1, id);
		}
		return granted(Arrays.stream(ids).map((id) -> new LimitClaim(limits, id, "f", true)).toList());
	}

	private List<Boolean> granted(List<LimitClaim> claims) {
		return this.store.take(claims).stream().map((answer) -> answer == Answer.GRANTED).toList();
	}

	private void hold(LimitClass limits, String id) {
		assertThat(take(limits, id)).containsExactly(true);
	}

	private Set<String> release(LimitClass limits, String... ids) {
		return woken(() -> this.tasks.wake(this.store.release(claims(limits, ids))));
	}

	private Set<String> line(LimitClass limits) {
		return woken(() -> this.tasks.wake(this.store.lineUp(List.of(limits))));
	}

	private Set<String> look() {
		return woken(() -> this.tasks.look(true, 0));
	}

	private Set<String> lookInASecond() {
		this.clock.advance(Duration.ofSeconds(1));
		return look();
	}

	private Set<String> woken(Runnable action) {
		this.woken.clear();
		action.run();
		return Set.copyOf(this.woken);
	}

	private static List<LimitClaim> claims(LimitClass limits, String... ids) {
		return Arrays.stream(ids).map((id) -> new LimitClaim(limits, id, "f", false)).toList();
	}

	private Set<String> lookAfter() {
		this.state.redis().delete("asynqj:{default}:turn");
		this.state.redis().delete("asynqj:limits:{limits}:swept");
		return woken(() -> {
			this.tasks.look(true, 0);
			this.tasks.wake(this.store.note(this.store.unnoted(QUEUE)));
			this.tasks.sweep();
		});
	}

	private long held(String limit) {
		return this.reader.limits()
			.stream()
			.filter((info) -> info.name().equals(limit))
			.mapToLong(LimitInfo::held)
			.sum();
	}

	/**
	 * Has tasks taken, refused and lined up.
	 */
	private void park(LimitClass limits, String... ids) {
		seed(limits.queue(), ids);
		Outcome[] outcomes = take(limits.queue(), ids.length).stream()
			.map((task) -> new Outcome.Wait(task, limits, due(HOUR)))
			.toArray(Outcome[]::new);
		assertThat(report(outcomes)).hasSize(ids.length).containsOnly(Status.APPLIED);
		assertThat(line(limits)).isEmpty();
	}

	private void seed(String queue, String... ids) {
		for (String id : ids) {
			this.state.seedPending(RedisState.message(queue, id).build());
		}
	}

	private List<LeasedTask> take(String queue, int max) {
		List<LeasedTask> tasks = new ArrayList<>();
		List<LeasedTask> more;
		do {
			more = this.broker.dequeuer().dequeue(queue, max - tasks.size()).tasks();
			tasks.addAll(more);
		}
		while (!more.isEmpty() && tasks.size() < max);
		return tasks;
	}

	private List<Status> report(Outcome... outcomes) {
		return this.broker.completer().report(List.of(outcomes)).stream().map(OutcomeResult::status).toList();
	}

	/** After a minute. */
	private void assertNothingIsLeft() {
		this.clock.advance(Duration.ofMinutes(2));
		lookAfter();
		assertThat(this.state.redis().keys("asynqj:*:waiting*")).isEmpty();
		assertThat(this.state.redis().keys("asynqj:limits:*")).isSubsetOf("asynqj:limits:{limits}:rules",
				"asynqj:limits:{limits}:turn", "asynqj:limits:{limits}:clock", "asynqj:limits:{limits}:swept");
	}

}
