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

	private final PostponeBudget budget = new PostponeBudget(this.nanos::get);

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
		this.nanos.addAndGet(TimeUnit.SECONDS.toNanos(100));
		assertThat(this.budget.limit("q")).isEqualTo(Integer.MAX_VALUE);
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

	private void drain() {
		this.budget.postponed("q", "limited", SHORT);
		this.budget.taken("q", this.budget.limit("q"));
	}

}
