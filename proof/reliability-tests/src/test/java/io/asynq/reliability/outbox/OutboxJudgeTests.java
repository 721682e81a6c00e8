package io.asynq.reliability.outbox;

import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

import io.asynq.TaskState;
import io.asynq.inspect.QueueStats;
import io.asynq.reliability.check.Finding;
import io.asynq.test.ledger.TaskKey;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class OutboxJudgeTests {

	private static final long ORDERS = 9;

	private final Set<Long> committed = new HashSet<>(Set.of(1L, 2L, 4L, 5L, 7L, 8L));

	private final Map<TaskKey, Integer> runs = new HashMap<>();

	private final Map<String, QueueStats> stats = new HashMap<>();

	OutboxJudgeTests() {
		for (String queue : Orders.QUEUES) {
			this.committed.forEach((number) -> this.runs.put(task(queue, number), 1));
			this.stats.put(queue, stats(this.committed.size(), 0));
		}
	}

	@Test
	void eachTaskOfEachCommittedTransactionHasRunOnce() {
		assertThat(judge(0)).isEmpty();
	}

	@Test
	void findsTaskThatIsLost() {
		this.runs.remove(task("mails", 5));
		assertThat(judge(0)).singleElement()
			.satisfies((finding) -> assertThat(finding).hasToString(
					"nothing-lost: " + task("mails", 5) + ": its transaction has committed, but it never ran"));
	}

	@Test
	void findsTaskThatRanTwiceAndItsCounter() {
		this.runs.put(task("payments", 5), 2);
		this.stats.put("payments", stats(7, 0));
		assertThat(judge(0)).extracting(Finding::invariant)
			.containsExactlyInAnyOrder("doubled-runs-explained", "counters-match-ledger");
	}

	@Test
	void findsTaskOfTransactionThatHasNotCommitted() {
		this.runs.put(task("payments", 6), 1);
		assertThat(judge(0)).extracting(Finding::invariant).containsExactly("only-enqueued-ran");
	}

	@Test
	void findsTaskThatIsStillThere() {
		this.stats.put("mails", stats(6, 1));
		assertThat(judge(0)).extracting(Finding::invariant).containsExactly("nothing-stuck");
	}

	@Test
	void killExplainsTransactionsThatWereUnderWayAndNothingElse() {
		this.committed.removeAll(Set.of(1L, 2L));
		for (String queue : Orders.QUEUES) {
			this.runs.keySet().removeAll(Set.of(task(queue, 1), task(queue, 2)));
			this.stats.put(queue, stats(4, 0));
		}
		assertThat(judge(1)).isEmpty();
		assertThat(judge(0)).extracting(Finding::invariant).containsExactly("fault-took-effect");
	}

	private List<Finding> judge(int kills) {
		return OutboxJudge.judge(ORDERS, kills, this.committed, this.runs, this.stats);
	}

	private static TaskKey task(String queue, long number) {
		return new TaskKey(queue, String.valueOf(number));
	}

	private static QueueStats stats(long processed, long archived) {
		return new QueueStats(Map.of(TaskState.ARCHIVED, archived), 0, Duration.ZERO, new QueueStats.Counters(0, 0),
				new QueueStats.Counters(processed, 0), false);
	}

}
