package io.asynq.broker.redis;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.IntStream;

import io.asynq.CancelMode;
import io.asynq.TaskState;
import io.asynq.broker.limit.LimitClaim;
import io.asynq.broker.limit.LimitClass;
import io.asynq.broker.limit.LimitReader;
import io.asynq.broker.limit.LimitRule;
import io.asynq.broker.limit.LimitStore;
import io.asynq.broker.limit.LimitStore.Taken;
import io.asynq.broker.message.LeasedTask;
import io.asynq.broker.message.Outcome;
import io.asynq.broker.message.OutcomeResult;
import io.asynq.broker.message.OutcomeResult.Status;
import io.asynq.broker.message.TaskMove;
import io.asynq.broker.redis.limit.KilledServer;
import io.asynq.info.LimitInfo;
import io.asynq.info.LimitKeyInfo;
import org.junit.jupiter.api.Test;

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
		assertThat(this.store.take(List.of(new LimitClaim(PDF, "a", "later attempt")))).extracting(Taken::granted)
			.as("the earlier attempt may still run")
			.containsExactly(false);
	}

	@Test
	void limitWithoutRuleHasNoTokens() {
		assertThat(take(PDF, "a")).containsExactly(false);
	}

	@Test
	void taskThatGetsNoTokenWaitsInRetryUnchanged() {
		announce("pdf", 1);
		hold(PDF, "a");
		seed(QUEUE, "b");
		LeasedTask task = take(QUEUE, 1).get(0);
		byte[] message = this.state.bytes(QUEUE, "b", "msg");
		assertThat(take(PDF, "b")).containsExactly(false);
		assertThat(report(new Outcome.Wait(task, PDF, due(HOUR), false))).containsExactly(Status.APPLIED);
		this.state.assertRetry(QUEUE, "b");
		assertThat(this.state.scores(QUEUE, "retry")).containsEntry("b", nowSeconds() + 3601);
		assertThat(this.state.bytes(QUEUE, "b", "msg")).isEqualTo(message);
		this.state.assertCounters(QUEUE, DAY, 0, 0);
		assertThat(report(new Outcome.Wait(task, PDF, due(HOUR), false))).as("sent twice")
			.containsExactly(Status.NOT_ACTIVE);
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
		assertThat(this.reader.keys("tenant", 10)).containsExactly(new LimitKeyInfo("acme", 1, 2));
		assertThat(this.reader.keys("pdf", 10)).containsExactly(new LimitKeyInfo("", 1, 3));
		assertThat(this.reader.keys("none", 10)).isEmpty();
		assertThat(this.reader.waiting(List.of(QUEUE, "other"))).containsExactly(Map.entry(QUEUE, 2L),
				Map.entry("other", 0L));
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
		assertThat(this.reader.keys("tenant", 2)).extracting(LimitKeyInfo::key).first().isEqualTo("two");
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
		assertThat(take(LimitClass.of("low", List.of("pdf")), "x")).as("the token is reserved").containsExactly(false);
	}

	@Test
	void promotedTaskTakesTheReservedToken() {
		announce("pdf", 1);
		hold(PDF, "a");
		park(PDF, "b");
		release(PDF, "a");
		assertThat(take(PDF, "b", "c")).containsExactly(true, false);
		assertThat(this.state.fields(QUEUE, "b")).doesNotContainKey("x-waits");
		release(PDF, "b");
		assertNothingIsLeft();
	}

	@Test
	void tokenThatNobodyTakesIsFreeAfterTenSeconds() {
		announce("pdf", 1);
		hold(PDF, "a");
		park(PDF, "b", "c");
		release(PDF, "a");
		this.broker.tasks().move(QUEUE, TaskMove.DELETE, List.of("b"));
		this.clock.advance(Duration.ofSeconds(11));
		assertThat(lookAfter()).containsExactly(QUEUE);
		this.state.assertPending(QUEUE, "c");
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
		assertThat(take(PDF, "c")).as("both are reserved").containsExactly(false);
		assertThat(take(both, "b")).containsExactly(true);
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
				assertThat(take(last, id)).containsExactly(true);
				order.add(id);
			}
		}
		assertThat(order).containsExactly("l1", "s1", "l2", "s2", "l3");
		assertNothingIsLeft();
	}

	@Test
	void tasksOnWhichSomebodyHasActedAreNotPromoted() {
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
		assertThat(take(PDF, "waits", "run")).containsExactly(true, false);
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
			assertThat(take(PDF, "waits-" + move)).containsExactly(true);
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
		assertThat(take(low, "c")).containsExactly(true);
		this.broker.queueKeeper().resume(QUEUE);
		assertThat(release(low, "c")).as("it rests for ten seconds").isEmpty();
		this.clock.advance(Duration.ofSeconds(11));
		assertThat(lookAfter()).containsExactly(QUEUE);
		this.state.assertPending(QUEUE, "b");
	}

	@Test
	void tokensOfDeadServerComeBackAndTheNextTaskIsPromoted() {
		announce("pdf", 1);
		hold(PDF, "a");
		park(PDF, "b");
		this.clock.advance(Duration.ofSeconds(30));
		this.store.extend(List.of(new LimitClaim(PDF, "a", "f"), new LimitClaim(PDF, "unknown", "f")));
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
		assertThat(lookAfter()).isEmpty();
		this.clock.advance(Duration.ofMinutes(1));
		assertThat(lookAfter()).as("the token may still be extended").isEmpty();
		this.clock.advance(Duration.ofSeconds(7));
		assertThat(lookAfter()).isEmpty();
		this.clock.advance(Duration.ofSeconds(9));
		assertThat(this.store.lookAfter(QUEUE)).as("another's turn").isEmpty();
		this.clock.advance(Duration.ofSeconds(1));
		assertThat(this.store.lookAfter(QUEUE)).containsExactly(QUEUE);
	}

	@Test
	void turnThatWasBegunBeforeRedisClockWasSetBackKeepsNobodyAway() {
		announce("pdf", 1);
		hold(PDF, "a");
		park(PDF, "b");
		this.clock.advance(Duration.ofMinutes(1));
		assertThat(lookAfter()).as("the token may still be extended").isEmpty();
		this.clock.advance(Duration.ofSeconds(16));
		String end = String.valueOf(this.clock.instant().plus(Duration.ofHours(1)).toEpochMilli());
		this.state.redis().opsForValue().set("asynqj:{default}:turn", end);
		assertThat(this.store.lookAfter(QUEUE)).containsExactly(QUEUE);
	}

	@Test
	void taskWhoseServerWasKilledBeforeItWasLinedUpIsFound() {
		announce("pdf", 1);
		seed(QUEUE, "b");
		report(new Outcome.Wait(take(QUEUE, 1).get(0), PDF, due(HOUR), false));
		assertThat(lookAfter()).containsExactly(QUEUE);
		this.state.assertPending(QUEUE, "b");
	}

	@Test
	void taskWhoseServerWasKilledBetweenReservationAndPromotionIsFound() {
		announce("pdf", 1);
		hold(PDF, "a");
		park(PDF, "b");
		KilledServer.release(RedisState.scripts(this.factory), ScriptTime.of(this.clock), claims(PDF, "a"));
		this.state.assertRetry(QUEUE, "b");
		assertThat(take(LimitClass.of("low", List.of("pdf")), "c")).as("the token is reserved").containsExactly(false);
		assertThat(lookAfter()).as("for as long as its server might live").isEmpty();
		this.clock.advance(Duration.ofSeconds(11));
		assertThat(lookAfter()).containsExactly(QUEUE);
		this.state.assertPending(QUEUE, "b");
		assertThat(take(PDF, "b")).containsExactly(true);
	}

	@Test
	void queueThatCannotBeWrittenRestsAndItsTaskIsFound() {
		announce("pdf", 1);
		hold(PDF, "a");
		park(PDF, "b");
		this.state.redis().opsForValue().set("asynq:{default}:pending", "no list");
		assertThat(release(PDF, "a")).as("nothing is promoted").isEmpty();
		this.state.redis().delete("asynq:{default}:pending");
		assertThat(lookAfter()).as("it rests for ten seconds").isEmpty();
		this.clock.advance(Duration.ofSeconds(11));
		assertThat(lookAfter()).containsExactly(QUEUE);
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
		tasks.forEach((task) -> report(new Outcome.Wait(task, PDF, due(HOUR), false)));
		release(PDF, "a");
		this.state.assertPending(QUEUE, "first");
	}

	@Test
	void cancelledTaskDoesNotWait() {
		announce("pdf", 1);
		seed(QUEUE, "b");
		LeasedTask task = take(QUEUE, 1).get(0);
		this.broker.tasks().cancel(QUEUE, "b", CancelMode.ARCHIVE, true);
		report(new Outcome.Wait(task, PDF, due(HOUR), false));
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
		assertThat(take(low, "c")).containsExactly(true);
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
	void tasksOfARateWaitForMomentsThatArePromised() {
		this.store.announce(Map.of("bank", new LimitRule(0, 500_000, 2, "2/s")));
		LimitClass bank = LimitClass.of(QUEUE, List.of("bank"));
		assertThat(startsIn(bank, "a", "b", "c", "d", "e")).containsExactly(null, null, 500L, 1000L, 1500L);
		assertThat(this.reader.limits()).containsExactly(new LimitInfo("bank", 0, "2/s", 2, 3, 1));
		this.clock.advance(Duration.ofMillis(400));
		assertThat(startsIn(bank, "c", "new")).as("too early, and not before those that wait")
			.containsExactly(100L, 1600L);
		this.clock.advance(Duration.ofMillis(600));
		assertThat(startsIn(bank, "c", "d")).containsExactly(null, null);
	}

	@Test
	void rateIsNotExceededWhenAllWaitingTasksComeLate() {
		this.store.announce(Map.of("bank", new LimitRule(0, 500_000, 2, "2/s")));
		LimitClass bank = LimitClass.of(QUEUE, List.of("bank"));
		String[] ids = IntStream.range(0, 12).mapToObj((i) -> "t" + i).toArray(String[]::new);
		startsIn(bank, ids);
		this.clock.advance(Duration.ofMinutes(1));
		List<Long> late = startsIn(bank, Arrays.copyOfRange(ids, 2, 12));
		assertThat(late).containsExactly(null, null, 500L, 1000L, 1500L, 2000L, 2500L, 3000L, 3500L, 4000L);
		for (int second = 0; second < 4; second++) {
			this.clock.advance(Duration.ofSeconds(1));
			assertThat(startsIn(bank, "t" + (4 + 2 * second), "t" + (5 + 2 * second))).containsExactly(null, null);
		}
		release(bank, ids);
		assertThat(held("bank")).isZero();
	}

	@Test
	void rateThatIsChangedAppliesAtOnce() {
		this.store.announce(Map.of("bank", new LimitRule(0, HOUR.toMillis() * 1000, 1, "1/h")));
		LimitClass bank = LimitClass.of(QUEUE, List.of("bank"));
		assertThat(startsIn(bank, "a", "b", "c")).containsExactly(null, HOUR.toMillis(), 2 * HOUR.toMillis());
		this.store.change("bank", new LimitRule(0, 100_000, 10, "10/s"));
		assertThat(startsIn(bank, "d")).as("nothing is saved up").containsExactly(100L);
		this.clock.advance(Duration.ofMillis(200));
		assertThat(startsIn(bank, "d", "e")).containsExactly(null, null);
	}

	@Test
	void promisesMadeBeforeRedisClockWasSetBackHoldNobodyUp() {
		this.store.announce(Map.of("bank", new LimitRule(0, 500_000, 2, "2/s")));
		LimitClass bank = LimitClass.of(QUEUE, List.of("bank"));
		assertThat(startsIn(bank, "a", "b", "c")).containsExactly(null, null, 500L);
		this.clock.advance(Duration.ofHours(-1));
		assertThat(startsIn(bank, "d", "e", "c")).as("nothing is saved up").containsExactly(500L, 1000L, 1500L);
		this.clock.advance(Duration.ofSeconds(1));
		assertThat(startsIn(bank, "d", "e")).containsExactly(null, null);
	}

	@Test
	void promisesToTasksThatNeverComeAreForgotten() {
		this.store.announce(Map.of("bank", new LimitRule(0, 500_000, 2, "2/s")));
		LimitClass bank = LimitClass.of(QUEUE, List.of("bank"));
		startsIn(bank, "a", "b", "deleted", "deleted too");
		this.clock.advance(Duration.ofHours(2));
		startsIn(bank, "c", "d", "e");
		assertThat(this.state.redis().opsForZSet().zCard("asynqj:limits:{limits}:slots:bank")).isOne();
	}

	@Test
	void taskThatIsPromisedAMomentWaitsUntilThenAndIsNotPromoted() {
		this.store.announce(Map.of("bank", new LimitRule(1, 500_000, 2, "2/s")));
		LimitClass bank = LimitClass.of(QUEUE, List.of("bank"));
		seed(QUEUE, "t");
		assertThat(report(new Outcome.Wait(take(QUEUE, 1).get(0), bank, due(Duration.ofSeconds(10)), true)))
			.containsExactly(Status.APPLIED);
		assertThat(this.store.lineUp(List.of(bank))).isEmpty();
		this.state.assertRetry(QUEUE, "t");
		assertThat(this.state.scores(QUEUE, "retry")).containsEntry("t", nowSeconds() + 11);
		assertThat(this.reader.waitsFor(QUEUE, "t")).containsExactly("bank");
		assertThat(this.reader.waiting(List.of(QUEUE))).containsExactly(Map.entry(QUEUE, 1L));
		this.clock.advance(Duration.ofSeconds(12));
		assertThat(this.reader.waiting(List.of(QUEUE))).containsExactly(Map.entry(QUEUE, 0L));
	}

	@Test
	void reservedTokenGoesBackIfTheRateRefuses() {
		announce("pdf", 1);
		this.store.announce(Map.of("bank", new LimitRule(0, HOUR.toMillis() * 1000, 1, "1/h")));
		LimitClass both = LimitClass.of(QUEUE, List.of("pdf", "bank"));
		take(LimitClass.of(QUEUE, List.of("bank")), "first");
		hold(PDF, "a");
		park(both, "b");
		assertThat(release(PDF, "a")).containsExactly(QUEUE);
		assertThat(startsIn(both, "b")).doesNotContainNull();
		assertThat(take(PDF, "c")).containsExactly(true);
	}

	@Test
	void queueFromWhichNobodyTakesGetsItsTurnAfterAllOthers() {
		announce("pdf", 1);
		hold(PDF, "a");
		park(PDF, "dead1", "dead2");
		LimitClass low = LimitClass.of("low", List.of("pdf"));
		park(low, "l1", "l2");
		assertThat(release(PDF, "a")).containsExactly(QUEUE);
		this.clock.advance(Duration.ofSeconds(11));
		assertThat(lookAfter()).containsExactly("low");
		for (String id : List.of("l1", "l2")) {
			assertThat(take(low, id)).containsExactly(true);
			assertThat(release(low, id)).containsExactly(id.equals("l1") ? "low" : QUEUE);
		}
		assertThat(take(PDF, "dead2")).containsExactly(true);
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
		assertThat(take(low, "c")).containsExactly(true);
	}

	@Test
	void taskThatWaitsForAnotherLimitByNowIsNotPromoted() {
		announce("pdf", 1);
		announce("tenant", 1);
		hold(PDF, "a");
		hold(tenant("acme"), "b");
		park(PDF, "t");
		this.broker.tasks().move(QUEUE, TaskMove.RUN, List.of("t"));
		report(new Outcome.Wait(take(QUEUE, 1).get(0), tenant("acme"), due(HOUR), false));
		this.store.lineUp(List.of(tenant("acme")));
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
		assertThat(take(tenant("t7"), "waits")).containsExactly(true);
		release(tenant("t7"), "waits");
		assertNothingIsLeft();
	}

	@Test
	void keyOfWrongTypeHarmsOnlyTasksThatNeedIt() {
		announce("pdf", 1);
		this.state.redis().opsForValue().set("asynqj:{default}:waiting:pdf", "no sorted set");
		seed(QUEUE, "a", "b");
		List<LeasedTask> tasks = take(QUEUE, 2);
		assertThat(report(new Outcome.Wait(tasks.get(0), PDF, due(HOUR), false),
				new Outcome.Wait(tasks.get(1), tenant("acme"), due(HOUR), false)))
			.containsExactly(Status.BROKEN, Status.APPLIED);
	}

	private static LimitClass tenant(String key) {
		return LimitClass.of(QUEUE, List.of(LimitClass.need("tenant", key)));
	}

	private void announce(String limit, int concurrent) {
		this.store.announce(Map.of(limit, new LimitRule(concurrent, 0, 0, null)));
	}

	private List<Boolean> take(LimitClass limits, String... ids) {
		return this.store.take(claims(limits, ids)).stream().map(Taken::granted).toList();
	}

	private List<Long> startsIn(LimitClass limits, String... ids) {
		List<Long> answers = new ArrayList<>();
		for (Taken taken : this.store.take(claims(limits, ids))) {
			assertThat(taken.granted()).isEqualTo(taken.startsIn() == null);
			// The clock has parts of a millisecond, which are rounded up
			answers.add((taken.startsIn() != null) ? taken.startsIn().toMillis() / 10 * 10 : null);
		}
		return answers;
	}

	private void hold(LimitClass limits, String id) {
		assertThat(take(limits, id)).containsExactly(true);
	}

	private Set<String> release(LimitClass limits, String... ids) {
		return this.store.release(claims(limits, ids));
	}

	private static List<LimitClaim> claims(LimitClass limits, String... ids) {
		return Arrays.stream(ids).map((id) -> new LimitClaim(limits, id, "f")).toList();
	}

	private Set<String> lookAfter() {
		this.state.redis().delete("asynqj:{default}:turn");
		return this.store.lookAfter(QUEUE);
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
			.map((task) -> new Outcome.Wait(task, limits, due(HOUR), false))
			.toArray(Outcome[]::new);
		assertThat(report(outcomes)).hasSize(ids.length).containsOnly(Status.APPLIED);
		assertThat(this.store.lineUp(List.of(limits))).isEmpty();
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

	private void assertNothingIsLeft() {
		assertThat(this.state.redis().keys("asynqj:*:waiting*")).isEmpty();
		assertThat(this.state.redis().keys("asynqj:limits:*")).isSubsetOf("asynqj:limits:{limits}:rules",
				"asynqj:limits:{limits}:queues");
	}

}
