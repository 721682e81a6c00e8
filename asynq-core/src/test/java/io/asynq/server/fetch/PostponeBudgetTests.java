package io.asynq.server.fetch;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class PostponeBudgetTests {

	private static final Duration SHORT = Duration.ofSeconds(3);

	private final AtomicLong nanos = new AtomicLong();

	private final List<String> turns = new ArrayList<>();

	private boolean othersTurn;

	private final QueueReadiness readiness = new QueueReadiness(List.of("q"));

	private final AtomicInteger woken = new AtomicInteger();

	private final PostponeBudget budget = new PostponeBudget(this.nanos::get, this::takeTurn, this.readiness,
			this.woken::incrementAndGet);

	@Test
	void queueWithoutPostponedTasksIsUnlimited() {
		this.budget.taken("q", 100);
		this.budget.worked("q", "type");
		assertThat(this.budget.limit("q")).isEqualTo(Integer.MAX_VALUE);
	}

	@Test
	void takenTasksUseBudget() {
		drain();
		assertThat(this.budget.limit("q")).isZero();
		assertThat(this.budget.limit("other")).isEqualTo(Integer.MAX_VALUE);
	}

	@Test
	void budgetGrowsByOneTaskPerTwoSeconds() {
		drain();
		assertThat(this.budget.nanosUntilNext("q")).isEqualTo(TimeUnit.SECONDS.toNanos(2));
		this.nanos.addAndGet(TimeUnit.SECONDS.toNanos(4));
		assertThat(this.budget.limit("q")).isEqualTo(2);
		assertThat(this.budget.nanosUntilNext("q")).isNotPositive();
	}

	@Test
	void taskWithTokenPaysForNextOne() {
		drain();
		this.readiness.clear("q");
		assertThat(this.budget.await("q")).isTrue();
		this.budget.worked("q", "limited");
		assertThat(this.budget.limit("q")).isEqualTo(1);
		assertThat(this.readiness.marked()).containsExactly("q");
		assertThat(this.woken).hasValue(1);
	}

	@Test
	void readyQueueNeedNotWait() {
		drain();
		this.readiness.clear("q");
		this.budget.worked("q", "limited");
		assertThat(this.budget.await("q")).isFalse();
		assertThat(this.readiness.marked()).containsExactly("q");
		assertThat(this.budget.isAnyWaiting()).isFalse();
		assertThat(this.woken).as("nobody waited when it came in").hasValue(0);
	}

	@Test
	void taskOfAnotherTypePaysForMore() {
		drain();
		this.budget.worked("q", "other");
		assertThat(this.budget.limit("q")).isEqualTo(8);
	}

	@Test
	void limitEndsWhenBudgetIsFull() {
		drain();
		this.nanos.addAndGet(TimeUnit.SECONDS.toNanos(2));
		assertThat(this.budget.claim("q")).as("and the queue has none").isEqualTo(1);
		this.nanos.addAndGet(TimeUnit.SECONDS.toNanos(100));
		assertThat(this.budget.limit("q")).isEqualTo(Integer.MAX_VALUE);
		assertThat(this.budget.claim("q")).isEqualTo(Integer.MAX_VALUE);
	}

	@Test
	void idleServerTriesOneTaskFirst() {
		drain();
		this.nanos.addAndGet(TimeUnit.SECONDS.toNanos(100));
		assertThat(this.budget.claim("q")).isEqualTo(1);
		this.budget.taken("q", 1);
		assertThat(this.budget.limit("q")).isZero();
	}

	@Test
	void timedBudgetUsesTurnsOneByOne() {
		drain();
		assertThat(this.budget.claim("q")).isZero();
		assertThat(this.turns).as("no turn is requested without budget").isEmpty();
		this.nanos.addAndGet(TimeUnit.SECONDS.toNanos(4));
		assertThat(this.budget.claim("q")).isEqualTo(1);
		assertThat(this.turns).containsExactly("q");
		this.budget.taken("q", 1);
		assertThat(this.budget.nanosUntilNext("q")).isEqualTo(TimeUnit.SECONDS.toNanos(2));
	}

	@Test
	void unusedTurnIsKept() {
		drain();
		this.nanos.addAndGet(TimeUnit.SECONDS.toNanos(2));
		assertThat(this.budget.claim("q")).isEqualTo(1);
		assertThat(this.budget.claim("q")).isEqualTo(1);
		assertThat(this.turns).hasSize(1);
	}

	@Test
	void missedTurnIsRequestedAgainAfterTwoSeconds() {
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
	void turnsOfOthersDoNotFillBudget() {
		drain();
		this.othersTurn = true;
		for (int i = 0; i < 100; i++) {
			this.nanos.addAndGet(TimeUnit.SECONDS.toNanos(3));
			assertThat(this.budget.claim("q")).isZero();
		}
	}

	@Test
	void earnedBudgetNeedsNoTurn() {
		drain();
		this.othersTurn = true;
		this.budget.worked("q", "limited");
		assertThat(this.budget.claim("q")).isEqualTo(1);
		assertThat(this.turns).isEmpty();
	}

	@Test
	void queueWithoutPostponedTasksUsesNoTurns() {
		assertThat(this.budget.claim("q")).isEqualTo(Integer.MAX_VALUE);
		this.budget.postponed("q", "limited", SHORT);
		assertThat(this.budget.claim("q")).isEqualTo(31);
		assertThat(this.turns).isEmpty();
	}

	@Test
	void tasksTakenBeforeFirstPostponementAreNotOwed() {
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
