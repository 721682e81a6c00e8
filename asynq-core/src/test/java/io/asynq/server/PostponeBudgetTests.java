package io.asynq.server;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class PostponeBudgetTests {

	private static final Duration SHORT = Duration.ofSeconds(3);

	private final AtomicLong nanos = new AtomicLong();

	private final List<String> turns = new ArrayList<>();

	private boolean othersTurn;

	private final PostponeBudget budget = new PostponeBudget(this.nanos::get, this::takeTurn);

	@Test
	void aQueueWithoutPostponedTasksHasNoLimit() {
		this.budget.taken("q", 100);
		this.budget.worked("q", "type");
		assertThat(this.budget.limit("q")).isEqualTo(Integer.MAX_VALUE);
	}

	@Test
	void whatIsTakenUsesTheBudgetUp() {
		drain();
		assertThat(this.budget.limit("q")).isZero();
		assertThat(this.budget.limit("other")).isEqualTo(Integer.MAX_VALUE);
	}

	@Test
	void oneTaskInTwoSecondsMayBeTaken() {
		drain();
		assertThat(this.budget.nanosUntilNext("q")).isEqualTo(TimeUnit.SECONDS.toNanos(2));
		this.nanos.addAndGet(TimeUnit.SECONDS.toNanos(4));
		assertThat(this.budget.limit("q")).isEqualTo(2);
		assertThat(this.budget.nanosUntilNext("q")).isNotPositive();
	}

	@Test
	void aTaskThatGotATokenBringsInWhatTheNextCosts() {
		List<String> earned = new ArrayList<>();
		this.budget.onEarned(earned::add);
		drain();
		this.budget.worked("q", "limited");
		assertThat(this.budget.limit("q")).isEqualTo(1);
		assertThat(earned).containsExactly("q");
	}

	@Test
	void aTaskOfAnotherTypeBringsInMore() {
		drain();
		this.budget.worked("q", "other");
		assertThat(this.budget.limit("q")).isEqualTo(8);
	}

	@Test
	void theLimitEndsWhenTheBudgetIsFullAgain() {
		drain();
		this.nanos.addAndGet(TimeUnit.SECONDS.toNanos(2));
		assertThat(this.budget.claim("q")).as("and the queue has none").isEqualTo(1);
		this.nanos.addAndGet(TimeUnit.SECONDS.toNanos(100));
		assertThat(this.budget.limit("q")).isEqualTo(Integer.MAX_VALUE);
		assertThat(this.budget.claim("q")).isEqualTo(Integer.MAX_VALUE);
	}

	@Test
	void aServerThatHadNoTimeToTryForLongTriesOneFirst() {
		drain();
		this.nanos.addAndGet(TimeUnit.SECONDS.toNanos(100));
		assertThat(this.budget.claim("q")).isEqualTo(1);
		this.budget.taken("q", 1);
		assertThat(this.budget.limit("q")).isZero();
	}

	@Test
	void whatTimeBringsInTakesTheTurnOfTheQueueOneByOne() {
		drain();
		assertThat(this.budget.claim("q")).isZero();
		assertThat(this.turns).as("nobody asks before there is something to take").isEmpty();
		this.nanos.addAndGet(TimeUnit.SECONDS.toNanos(4));
		assertThat(this.budget.claim("q")).isEqualTo(1);
		assertThat(this.turns).containsExactly("q");
		this.budget.taken("q", 1);
		assertThat(this.budget.nanosUntilNext("q")).isEqualTo(TimeUnit.SECONDS.toNanos(2));
	}

	@Test
	void aTurnThatBroughtNoTaskIsGoodForTheNext() {
		drain();
		this.nanos.addAndGet(TimeUnit.SECONDS.toNanos(2));
		assertThat(this.budget.claim("q")).isEqualTo(1);
		assertThat(this.budget.claim("q")).isEqualTo(1);
		assertThat(this.turns).hasSize(1);
	}

	@Test
	void whoMissesATurnAsksAgainALittleMoreThanTwoSecondsLater() {
		drain();
		this.othersTurn = true;
		this.nanos.addAndGet(TimeUnit.SECONDS.toNanos(2));
		assertThat(this.budget.claim("q")).isZero();
		assertThat(this.budget.limit("q")).isZero();
		assertThat(this.budget.nanosUntilNext("q")).isBetween(TimeUnit.MILLISECONDS.toNanos(2000),
				TimeUnit.MILLISECONDS.toNanos(2500));
		this.nanos.addAndGet(TimeUnit.MILLISECONDS.toNanos(2500));
		this.othersTurn = false;
		assertThat(this.budget.claim("q")).isEqualTo(1);
	}

	@Test
	void turnsThatOthersHaveDoNotFillTheBudget() {
		drain();
		this.othersTurn = true;
		for (int i = 0; i < 100; i++) {
			this.nanos.addAndGet(TimeUnit.SECONDS.toNanos(3));
			assertThat(this.budget.claim("q")).isZero();
		}
	}

	@Test
	void whatWasWorkedOnBringsInNeedsNoTurn() {
		drain();
		this.othersTurn = true;
		this.budget.worked("q", "limited");
		assertThat(this.budget.claim("q")).isEqualTo(1);
		assertThat(this.turns).isEmpty();
	}

	@Test
	void aQueueWithoutPostponedTasksHasNoTurns() {
		assertThat(this.budget.claim("q")).isEqualTo(Integer.MAX_VALUE);
		this.budget.postponed("q", "limited", SHORT);
		assertThat(this.budget.claim("q")).isEqualTo(31);
		assertThat(this.turns).isEmpty();
	}

	@Test
	void whatWasTakenBeforeTheFirstWasPostponedIsNotOwed() {
		assertThat(this.budget.limit("q")).isEqualTo(Integer.MAX_VALUE);
		this.budget.postponed("q", "limited", SHORT);
		this.budget.taken("q", 1000);
		assertThat(this.budget.nanosUntilNext("q")).isLessThanOrEqualTo(TimeUnit.SECONDS.toNanos(2));
		this.budget.worked("q", "limited");
		assertThat(this.budget.limit("q")).isEqualTo(1);
	}

	@Test
	void tasksPostponedForLongDoNotCount() {
		this.budget.postponed("q", "limited", Duration.ofMinutes(1));
		assertThat(this.budget.limit("q")).isEqualTo(Integer.MAX_VALUE);
	}

	private boolean takeTurn(String queue, Duration length) {
		assertThat(length).isBetween(Duration.ofMillis(1500), Duration.ofMillis(1999));
		this.turns.add(queue);
		return !this.othersTurn;
	}

	private void drain() {
		this.budget.postponed("q", "limited", SHORT);
		this.budget.taken("q", this.budget.limit("q"));
	}

}
