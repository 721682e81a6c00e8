package io.asynq.internal.worker;

import java.util.AbstractCollection;
import java.util.ArrayList;
import java.util.Collection;
import java.util.DoubleSummaryStatistics;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.function.ToLongFunction;

import io.asynq.server.QueueWeights;
import org.assertj.core.data.Offset;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

public class QueueSelectorTests {

	private static final int MANY = Integer.MAX_VALUE;

	private static final Map<String, Integer> WEIGHTS = Map.of("critical", 6, "default", 3, "low", 1);

	private final QueueSelector selector = new QueueSelector(new QueueWeights(WEIGHTS, false), (queue) -> 0);

	@ParameterizedTest
	@CsvSource({ "1, 1", "3, 1", "10, 1", "16, 1", "64, 1", "1, 3", "3, 3", "10, 3", "16, 3", "64, 3" })
	void sharesFollowWeightsWhateverTheFetchSize(int workers, int calls) {
		Map<String, Integer> sums = new HashMap<>();
		for (int tasks = 0; tasks < 100_000; tasks += workers) {
			share(this.selector, workers, calls, WEIGHTS.keySet())
				.forEach((queue, share) -> sums.merge(queue, share, Integer::sum));
		}
		WEIGHTS.forEach((queue, weight) -> assertThat(100.0 * sums.get(queue) / sumOf(sums)).as(queue)
			.isCloseTo(10.0 * weight, Offset.offset(0.2)));
	}

	/**
	 * For any number of tasks and any fetches of one server. A batch puts one queue ahead
	 * of its share and the others behind: with ten slots {@code 0.4 10 + 0.6 (10 + 10)}
	 * tasks for the heaviest, with 64 slots {@code 0.4 64 + 0.6 (32 + 10)}. In the worst
	 * case the deviations of several servers add up.
	 */
	@ParameterizedTest
	@CsvSource({ "10, 16", "64, 50.8" })
	void deviationFromShareIsBounded(int slots, double tasks) {
		Random random = new Random(42);
		Map<String, DoubleSummaryStatistics> ahead = new HashMap<>();
		Map<String, Double> given = new HashMap<>();
		for (int i = 0; i < 50_000; i++) {
			int calls = random.nextBoolean() ? MANY : 1 + random.nextInt(4);
			share(this.selector, 1 + random.nextInt(slots), calls, WEIGHTS.keySet(),
					(taken) -> WEIGHTS.forEach((queue, weight) -> {
						int its = queue.equals(taken.queue()) ? taken.max() : 0;
						double now = given.merge(queue, its - taken.max() * weight / 10.0, Double::sum);
						ahead.computeIfAbsent(queue, (key) -> new DoubleSummaryStatistics()).accept(now);
					}));
		}
		ahead.forEach((queue, range) -> assertThat(range.getMax() - range.getMin()).as(queue)
			.isLessThanOrEqualTo(tasks + 1e-6));
	}

	@Test
	void fetchWithManyCallsIsSplitByWeight() {
		Map<String, Integer> shares = share(this.selector, 100, MANY, WEIGHTS.keySet());
		WEIGHTS.forEach(
				(queue, weight) -> assertThat(shares.get(queue)).as(queue).isBetween(10 * weight - 2, 10 * weight + 2));
	}

	@Test
	void fetchWithManyCallsServesEveryQueueEarly() {
		QueueSelector eight = new QueueSelector(new QueueWeights(equal(8), false), (queue) -> 0);
		Map<String, Integer> shares = share(eight, 10, MANY, equal(8).keySet());
		assertThat(shares).hasSize(8);
		assertThat(shares.values()).allMatch((share) -> share <= 2);
	}

	@Test
	void fetchWithOneCallRotatesThroughQueues() {
		QueueSelector three = new QueueSelector(new QueueWeights(equal(3), false), (queue) -> 0);
		List<String> asked = new ArrayList<>();
		for (int i = 0; i < 9; i++) {
			Map<String, Integer> shares = share(three, 10, 1, equal(3).keySet());
			assertThat(shares).hasSize(1).containsValue(10);
			asked.addAll(shares.keySet());
		}
		assertThat(asked.subList(0, 3)).doesNotHaveDuplicates();
		assertThat(asked.subList(3, 6)).isEqualTo(asked.subList(0, 3));
		assertThat(asked.subList(6, 9)).isEqualTo(asked.subList(0, 3));
	}

	@ParameterizedTest
	@ValueSource(ints = { 1, MANY })
	void assignsEveryWorker(int calls) {
		for (int workers = 1; workers < 100; workers++) {
			assertThat(sumOf(share(this.selector, workers, calls, WEIGHTS.keySet()))).isEqualTo(workers);
		}
	}

	@Test
	void usesOnlyCandidates() {
		assertThat(share(this.selector, 80, MANY, List.of("default", "low"))).containsOnlyKeys("default", "low");
	}

	@ParameterizedTest
	@ValueSource(ints = { 1, MANY })
	void emptyQueueEarnsNoCredit(int calls) {
		Map<String, Integer> weights = equal(2);
		QueueSelector two = new QueueSelector(new QueueWeights(weights, false), (queue) -> 0);
		for (int i = 0; i < 1000; i++) {
			share(two, 10, calls, List.of("queue0"));
		}
		Map<String, Integer> sums = new HashMap<>();
		for (int i = 0; i < 10; i++) {
			share(two, 10, calls, weights.keySet()).forEach((queue, share) -> sums.merge(queue, share, Integer::sum));
		}
		assertThat(sums.get("queue0")).isBetween(40, 60);
	}

	@Test
	void queueThatWasEmptyGetsItsShareAndNoMore() {
		QueueSelector two = new QueueSelector(new QueueWeights(equal(2), false), (queue) -> 0);
		two.absent("queue1");
		share(two, 64, MANY, List.of("queue0"));
		assertThat(share(two, 64, MANY, equal(2).keySet()).get("queue1")).isBetween(31, 33);
	}

	@Test
	void queueThatWasEmptyNeedNotWaitForABatchOfALighterOne() {
		QueueSelector three = new QueueSelector(new QueueWeights(WEIGHTS, false), (queue) -> 0);
		share(three, 64, MANY, WEIGHTS.keySet());
		three.absent("critical");
		three.taken("low", 10);
		Map<String, Integer> shares = share(three, 64, MANY, WEIGHTS.keySet());
		assertThat(shares.get("critical")).isGreaterThanOrEqualTo(35);
	}

	/** Asked one by one, queues give up to 64 tasks at once. */
	@ParameterizedTest
	@CsvSource({ "1, 36", MANY + ", 16" })
	void queueThatWasEmptyGetsItsShareOfWhatStartsFromThenOn(int calls, double tasks) {
		Map<String, Integer> held = new HashMap<>(Map.of("default", 48, "low", 16));
		QueueSelector three = new QueueSelector(new QueueWeights(WEIGHTS, false),
				(queue) -> held.getOrDefault(queue, 0));
		three.absent("critical");
		share(three, 64, calls, List.of("default", "low"));
		Map<String, Integer> starts = new HashMap<>(held);
		share(three, 64, calls, WEIGHTS.keySet()).forEach((queue, share) -> starts.merge(queue, share, Integer::sum));
		held.clear();
		for (int i = 0; i < 10; i++) {
			share(three, 64, calls, WEIGHTS.keySet())
				.forEach((queue, share) -> starts.merge(queue, share, Integer::sum));
		}
		WEIGHTS.forEach((queue, weight) -> assertThat(starts.get(queue) - sumOf(starts) * weight / 10.0).as(queue)
			.isBetween(-tasks, tasks));
	}

	/** Its own tasks wait as well as those of the others. */
	@Test
	void queueThatRunsEmptyAgainAndAgainGetsNoMoreThanItsShare() {
		Map<String, Integer> weights = equal(2);
		QueueSelector two = new QueueSelector(new QueueWeights(weights, false), (queue) -> 32);
		Map<String, Integer> sums = new HashMap<>();
		for (int i = 0; i < 100; i++) {
			two.absent("queue1");
			share(two, 64, MANY, weights.keySet()).forEach((queue, share) -> sums.merge(queue, share, Integer::sum));
		}
		assertThat(sums.get("queue1")).isBetween(3200 - 64, 3200 + 64);
	}

	@Test
	void queueThatIsAskedInVainIsStillGivenItsShareLater() {
		Map<String, Integer> held = new HashMap<>();
		QueueSelector three = new QueueSelector(new QueueWeights(WEIGHTS, false),
				(queue) -> held.getOrDefault(queue, 0));
		for (int i = 0; i < 20; i++) {
			three.absent("critical");
			assertThat(three.plan(64, 32, WEIGHTS.keySet(), (queue) -> 1000)).extracting(QueueShare::queue)
				.contains("critical");
			three.absent("critical");
			three.taken("default", 48);
			three.taken("low", 16);
		}
		held.putAll(Map.of("default", 48, "low", 16));
		Map<String, Integer> starts = new HashMap<>(held);
		share(three, 64, MANY, WEIGHTS.keySet()).forEach((queue, share) -> starts.merge(queue, share, Integer::sum));
		held.clear();
		for (int i = 0; i < 10; i++) {
			share(three, 64, MANY, WEIGHTS.keySet())
				.forEach((queue, share) -> starts.merge(queue, share, Integer::sum));
		}
		assertThat(starts.get("critical") - sumOf(starts) * 0.6).isBetween(-16.0, 16.0);
	}

	/** What went back was counted when it was fetched. */
	@Test
	void tasksThatGoBackAreNotHeldAgainstTheirQueues() {
		Map<String, Integer> held = new HashMap<>(Map.of("default", 192, "low", 64));
		QueueSelector three = new QueueSelector(new QueueWeights(WEIGHTS, false),
				(queue) -> held.getOrDefault(queue, 0));
		three.absent("critical");
		three.taken("default", 192);
		three.taken("low", 64);
		share(three, 10, MANY, WEIGHTS.keySet());
		held.forEach((queue, tasks) -> three.taken(queue, -tasks));
		held.clear();
		Map<String, Integer> sums = new HashMap<>();
		for (int i = 0; i < 20; i++) {
			share(three, 10, MANY, WEIGHTS.keySet()).forEach((queue, share) -> sums.merge(queue, share, Integer::sum));
		}
		WEIGHTS.forEach(
				(queue, weight) -> assertThat(sums.get(queue)).as(queue).isCloseTo(20 * weight, Offset.offset(16)));
	}

	@Test
	void queuesThatAllRunEmptyAgainAndAgainOweEachOtherNothing() {
		QueueSelector two = new QueueSelector(new QueueWeights(equal(2), false), (queue) -> 0);
		for (int i = 0; i < 3600; i++) {
			two.next(10, 1, equal(2).keySet());
			two.taken("queue0", 8);
			two.taken("queue1", 1);
			two.absent("queue0");
			two.absent("queue1");
		}
		Map<String, Integer> sums = new HashMap<>();
		for (int i = 0; i < 10; i++) {
			share(two, 10, 1, equal(2).keySet()).forEach((queue, share) -> sums.merge(queue, share, Integer::sum));
		}
		assertThat(sums.get("queue0")).isBetween(40, 60);
	}

	@Test
	void queueThatIsEmptyOwesNothingForWhatItGaveLongAgo() {
		QueueSelector two = new QueueSelector(new QueueWeights(equal(2), false), (queue) -> 0);
		two.taken("queue1", 1000);
		two.absent("queue1");
		for (int i = 0; i < 100; i++) {
			two.absent("queue0");
			two.next(10, 1, List.of("queue0"));
			two.taken("queue0", 1);
		}
		Map<String, Integer> sums = new HashMap<>();
		for (int i = 0; i < 10; i++) {
			share(two, 10, 1, equal(2).keySet()).forEach((queue, share) -> sums.merge(queue, share, Integer::sum));
		}
		assertThat(sums.get("queue1")).isBetween(40, 60);
	}

	@Test
	void lightQueueThatReturnsAgainAndAgainGetsNoMoreThanItsShare() {
		Map<String, Integer> weights = Map.of("heavy", 9, "light", 1);
		QueueSelector two = new QueueSelector(new QueueWeights(weights, false), (queue) -> 0);
		Map<String, Integer> sums = new HashMap<>();
		for (int i = 0; i < 1000; i++) {
			QueueShare share = two.next(10, 1, weights.keySet());
			two.settle(List.of(share.queue()), weights.keySet());
			int gives = share.queue().equals("light") ? 9 : 10;
			two.taken(share.queue(), gives);
			sums.merge(share.queue(), gives, Integer::sum);
			if (share.queue().equals("light")) {
				two.absent("light");
			}
		}
		assertThat(100.0 * sums.get("light") / sumOf(sums)).isCloseTo(10, Offset.offset(1.5));
	}

	/** A call of its own has costs of its own, and a large batch shows in the shares. */
	@Test
	void queuesThatAreAskedOneByOneGiveBatchesByWeight() {
		Map<String, Integer> least = new HashMap<>();
		for (int i = 0; i < 1000; i++) {
			QueueShare share = this.selector.next(64, 1, WEIGHTS.keySet());
			this.selector.taken(share.queue(), share.max());
			least.merge(share.queue(), share.max(), Math::min);
		}
		assertThat(least).isEqualTo(Map.of("critical", 64, "default", 32, "low", 10));
	}

	@Test
	void heavyQueueWithATaskNowAndThenNeedNotWaitForManyOthers() {
		Map<String, Integer> weights = equal(199);
		weights.put("critical", 6);
		QueueSelector many = new QueueSelector(new QueueWeights(weights, false), (queue) -> 0);
		many.absent("critical");
		share(many, 1000, 1, equal(199).keySet());
		assertThat(many.next(10, 1, weights.keySet()).queue()).isEqualTo("critical");
		assertThat(many.plan(10, 32, weights.keySet(), (queue) -> 100)).extracting(QueueShare::queue)
			.contains("critical");
		many.settle(List.of("critical"), weights.keySet());
		many.taken("critical", 1);
		assertThat(many.next(10, 1, weights.keySet()).queue()).as("has had its share").isNotEqualTo("critical");
	}

	@Test
	void strictPriorityAssignsAllToHeaviestCandidate() {
		QueueSelector strict = new QueueSelector(new QueueWeights(WEIGHTS, true), (queue) -> 0);
		assertThat(strict.next(50, MANY, WEIGHTS.keySet())).isEqualTo(new QueueShare("critical", 50));
		assertThat(strict.next(50, 1, List.of("low", "default"))).isEqualTo(new QueueShare("default", 50));
	}

	@ParameterizedTest
	@CsvSource({ "10, 1", "10, 3", "64, 1", "64, 3" })
	void plansFollowWeights(int workers, int calls) {
		Map<String, Integer> sums = new HashMap<>();
		for (int tasks = 0; tasks < 100_000; tasks += workers) {
			Map<String, Integer> shares = planned(this.selector, workers, calls, (queue) -> 1_000_000L);
			assertThat(sumOf(shares)).isEqualTo(workers);
			shares.forEach(this.selector::taken);
			shares.forEach((queue, share) -> sums.merge(queue, share, Integer::sum));
		}
		WEIGHTS.forEach((queue, weight) -> assertThat(100.0 * sums.get(queue) / sumOf(sums)).as(queue)
			.isCloseTo(10.0 * weight, Offset.offset(0.2)));
	}

	/** What a plan takes is taken at once, so it is measured between plans. */
	@ParameterizedTest
	@ValueSource(ints = { 10, 64 })
	void deviationOfPlansIsBounded(int slots) {
		Random random = new Random(42);
		Map<String, DoubleSummaryStatistics> ahead = new HashMap<>();
		Map<String, Double> given = new HashMap<>();
		for (int i = 0; i < 50_000; i++) {
			int calls = random.nextBoolean() ? MANY : 1 + random.nextInt(4);
			int left = 1 + random.nextInt(slots);
			boolean known = random.nextBoolean();
			for (QueueShare share : this.selector.plan(left, calls, WEIGHTS.keySet(), (queue) -> known ? 1000L : 0L)) {
				int taken = Math.min(left, share.max());
				left -= taken;
				if (taken > 0) {
					this.selector.taken(share.queue(), taken);
					WEIGHTS.forEach((queue, weight) -> given.merge(queue,
							(queue.equals(share.queue()) ? taken : 0) - taken * weight / 10.0, Double::sum));
				}
			}
			assertThat(left).isZero();
			given.forEach(
					(queue, now) -> ahead.computeIfAbsent(queue, (key) -> new DoubleSummaryStatistics()).accept(now));
		}
		ahead.forEach(
				(queue, range) -> assertThat(range.getMax() - range.getMin()).as(queue).isLessThanOrEqualTo(16 + 1e-6));
	}

	@Test
	void planChangesNothing() {
		Map<String, Integer> first = planned(this.selector, 10, 1, (queue) -> 100L);
		assertThat(planned(this.selector, 10, 1, (queue) -> 100L)).isEqualTo(first);
	}

	@Test
	void queuesWithEnoughTasksGiveWhatOthersMayLeave() {
		Map<String, Integer> plan = planned(this.selector, 10, MANY,
				(queue) -> queue.equals("critical") ? 1_000_000L : 0L);
		assertThat(plan.keySet()).last().isEqualTo("critical");
		assertThat(plan.get("critical")).isGreaterThanOrEqualTo(10);
	}

	@Test
	void allQueuesArePlannedWhenNoneIsKnownToHaveEnough() {
		Map<String, Integer> plan = planned(this.selector, 10, 1, (queue) -> 9L);
		assertThat(plan).containsOnlyKeys(WEIGHTS.keySet());
		assertThat(plan.values()).containsOnly(10);
		assertThat(planned(this.selector, 10, 1, (queue) -> 10L)).hasSize(1);
	}

	@Test
	void planOfManyQueuesIsBounded() {
		QueueSelector many = new QueueSelector(new QueueWeights(equal(200), false), (queue) -> 0);
		assertThat(many.plan(10, 1, equal(200).keySet(), (queue) -> 0)).hasSize(32);
		QueueSelector strict = new QueueSelector(new QueueWeights(equal(200), true), (queue) -> 0);
		assertThat(strict.plan(10, 1, equal(200).keySet(), (queue) -> 0)).hasSize(32);
	}

	@Test
	void strictPriorityPlansQueuesInOrderUntilOneHasEnough() {
		QueueSelector strict = new QueueSelector(new QueueWeights(WEIGHTS, true), (queue) -> 0);
		assertThat(strict.plan(50, MANY, WEIGHTS.keySet(), (queue) -> 0))
			.containsExactly(new QueueShare("critical", 50), new QueueShare("default", 50), new QueueShare("low", 50));
		assertThat(strict.plan(50, MANY, WEIGHTS.keySet(), (queue) -> queue.equals("default") ? 50 : 49))
			.containsExactly(new QueueShare("critical", 50), new QueueShare("default", 50));
		assertThat(strict.plan(50, 1, WEIGHTS.keySet(), (queue) -> 50)).containsExactly(new QueueShare("critical", 50));
	}

	@Test
	void costDoesNotGrowWithWorkers() {
		Map<String, Integer> weights = equal(200);
		QueueSelector many = new QueueSelector(new QueueWeights(weights, false), (queue) -> 0);
		AtomicInteger looks = new AtomicInteger();
		Collection<String> counted = new AbstractCollection<>() {

			@Override
			public Iterator<String> iterator() {
				return weights.keySet().stream().peek((queue) -> looks.incrementAndGet()).iterator();
			}

			@Override
			public int size() {
				return weights.size();
			}

		};
		assertThat(many.next(1_000_000, MANY, counted).max()).isBetween(4900, 5100);
		assertThat(looks).hasValueLessThanOrEqualTo(3 * weights.size());
	}

	private static Map<String, Integer> planned(QueueSelector selector, int workers, int calls,
			ToLongFunction<String> known) {
		Map<String, Integer> shares = new LinkedHashMap<>();
		selector.plan(workers, calls, WEIGHTS.keySet(), known)
			.forEach((share) -> assertThat(shares.put(share.queue(), share.max())).isNull());
		return shares;
	}

	private static Map<String, Integer> share(QueueSelector selector, int workers, int calls,
			Collection<String> candidates) {
		Map<String, Integer> shares = new LinkedHashMap<>();
		share(selector, workers, calls, candidates, (share) -> shares.merge(share.queue(), share.max(), Integer::sum));
		return shares;
	}

	private static void share(QueueSelector selector, int workers, int calls, Collection<String> candidates,
			Consumer<QueueShare> taken) {
		int left = workers;
		int mayCall = calls;
		while (left > 0) {
			QueueShare share = selector.next(left, mayCall, candidates);
			assertThat(share.max()).isBetween(1, left);
			taken.accept(share);
			selector.settle(List.of(share.queue()), candidates);
			selector.taken(share.queue(), share.max());
			left -= share.max();
			mayCall = Math.max(1, mayCall - 1);
		}
	}

	private static Map<String, Integer> equal(int queues) {
		Map<String, Integer> weights = new LinkedHashMap<>();
		for (int i = 0; i < queues; i++) {
			weights.put("queue" + i, 1);
		}
		return weights;
	}

	private static int sumOf(Map<String, Integer> shares) {
		return shares.values().stream().mapToInt(Integer::intValue).sum();
	}

}
