package io.asynq.internal.lane;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

import io.asynq.BrokerException;
import io.asynq.BrokerUnavailableException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

class QueueRoundTests {

	private static final List<String> QUEUES = List.of("a", "b", "c");

	private static final BrokerUnavailableException AWAY = new BrokerUnavailableException("away", null);

	private final List<String> visited = new CopyOnWriteArrayList<>();

	private final Set<String> unreachable = ConcurrentHashMap.newKeySet();

	private final CountDownLatch hang = new CountDownLatch(1);

	private TestLanes lanes = TestLanes.single();

	@AfterEach
	void end() {
		this.hang.countDown();
		this.lanes.close();
	}

	@Test
	void brokenQueueBlocksNoOther() {
		round().each(QUEUES, failingAt(Set.of("a"), new BrokerException("wrong type", null)));
		assertThat(this.visited).isEqualTo(QUEUES);
	}

	@Test
	void unreachableSingleRedisIsCalledOnce() {
		assertThatExceptionOfType(BrokerUnavailableException.class)
			.isThrownBy(() -> round().each(QUEUES, failingAt(Set.of("a"), AWAY), this.unreachable::add));
		assertThat(this.visited).containsExactly("a");
		assertThat(this.unreachable).isEqualTo(Set.copyOf(QUEUES));
	}

	@Test
	void unreachableNodeIsCalledOnceAndOnlyItsQueuesAreSkipped() {
		cluster(Map.of("a", "n1", "b", "n1", "c", "n2"));
		round().each(QUEUES, failingAt(Set.of("a", "b"), AWAY), this.unreachable::add);
		assertThat(this.visited).containsExactlyInAnyOrder("a", "c");
		assertThat(this.unreachable).containsExactlyInAnyOrder("a", "b");
		assertThat(this.lanes.lanes().away()).isEqualTo(Map.of("n1", new TreeSet<>(Set.of("a", "b"))));
		round().each(QUEUES, this.visited::add);
		assertThat(this.lanes.lanes().away()).isEmpty();
	}

	@Test
	void unreachableClusterIsReportedToLoop() {
		cluster(Map.of("a", "n1", "b", "n2", "c", "n3"));
		assertThatExceptionOfType(BrokerUnavailableException.class)
			.isThrownBy(() -> round().each(QUEUES, failingAt(Set.copyOf(QUEUES), AWAY)));
	}

	@Test
	void unknownQueueLocationSkipsNoOtherQueue() {
		cluster(Map.of());
		assertThatExceptionOfType(BrokerUnavailableException.class)
			.isThrownBy(() -> round().each(QUEUES, failingAt(Set.of("a"), AWAY)));
		assertThat(this.visited).isEqualTo(QUEUES);
	}

	@Test
	void hangingNodeBlocksOnlyItsQueuesUntilItAnswers() throws Exception {
		this.lanes = TestLanes.of(Map.of("a", "n1", "b", "n1", "c", "n2"), TestLanes.HANGING);
		QueueRound round = round();
		round.each(QUEUES, this::hangingAtA);
		assertThat(this.visited).containsExactlyInAnyOrder("a", "c");
		round.each(QUEUES, this::hangingAtA);
		assertThat(this.visited).containsExactlyInAnyOrder("a", "c", "c");
		this.hang.countDown();
		CountDownLatch all = new CountDownLatch(1);
		while (all.getCount() > 0) {
			round.each(List.of("a"), (queue) -> all.countDown());
		}
		assertThat(this.visited).containsExactlyInAnyOrder("a", "c", "c", "b");
	}

	@Test
	void roundInWhichNoNodeAnswersEndsAsTheOneBefore() {
		this.lanes = TestLanes.of(Map.of("a", "n1"), Duration.ofMillis(200));
		QueueRound round = round();
		List<String> a = List.of("a");
		Consumer<String> failing = failingAt(Set.of("a"), AWAY);
		await().until(() -> isAway(() -> round.each(a, failing)));
		assertThat(isAway(() -> round.each(a, this::hangingAtA))).as("nobody has answered yet").isTrue();
		assertThat(isAway(() -> round.each(a, failing))).as("the node is still busy").isTrue();
		assertThat(isAway(() -> round.each(List.of(), failing))).as("nobody was asked").isFalse();
		this.hang.countDown();
		await().until(() -> !isAway(() -> round.each(a, this::hangingAtA)));
	}

	private static boolean isAway(Runnable round) {
		try {
			round.run();
			return false;
		}
		catch (BrokerUnavailableException ex) {
			return true;
		}
	}

	@Test
	void queueLeavingHangingNodeIsNotVisitedTwiceAtOnce() throws Exception {
		this.lanes = TestLanes.of(Map.of("a", "n1", "c", "n2"), TestLanes.HANGING);
		QueueRound round = round();
		round.each(List.of("a", "c"), this::hangingAtA);
		this.lanes.masters.put("a", "n2");
		this.lanes.lanes().failed("n1", AWAY);
		CountDownLatch known = new CountDownLatch(1);
		while (known.getCount() > 0) {
			if ("n2".equals(this.lanes.lanes().of("a"))) {
				known.countDown();
			}
		}
		round.each(List.of("a", "c"), this.visited::add);
		assertThat(this.visited).containsExactlyInAnyOrder("a", "c", "c");
	}

	private void hangingAtA(String queue) {
		this.visited.add(queue);
		if (queue.equals("a")) {
			try {
				assertThat(this.hang.await(1, TimeUnit.MINUTES)).isTrue();
			}
			catch (InterruptedException ex) {
				Thread.currentThread().interrupt();
			}
		}
	}

	private Consumer<String> failingAt(Set<String> queues, BrokerException error) {
		return (visited) -> {
			this.visited.add(visited);
			if (queues.contains(visited)) {
				throw error;
			}
		};
	}

	private void cluster(Map<String, String> masters) {
		this.lanes = TestLanes.of(masters);
	}

	private QueueRound round() {
		return new QueueRound("test", this.lanes.lanes());
	}

}
