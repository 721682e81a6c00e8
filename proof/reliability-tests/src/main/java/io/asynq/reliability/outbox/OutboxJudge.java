package io.asynq.reliability.outbox;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;

import io.asynq.inspect.QueueStats;
import io.asynq.reliability.check.Finding;
import io.asynq.test.ledger.TaskKey;

/** Compares what has committed with what was in the queues. */
final class OutboxJudge {

	private final List<Finding> findings = new ArrayList<>();

	private OutboxJudge() {
	}

	static List<Finding> judge(long orders, int kills, Set<Long> committed, Map<TaskKey, Integer> runs,
			Map<String, QueueStats> stats) {
		OutboxJudge judge = new OutboxJudge();
		for (String queue : Orders.QUEUES) {
			judge.compare(queue, committed, runs);
			judge.count(queue, committed.size(), stats.get(queue));
		}
		runs.keySet()
			.stream()
			.filter((task) -> !committed.contains(Long.valueOf(task.id())))
			.forEach((task) -> judge.add("only-enqueued-ran", task, "its transaction has not committed"));
		judge.transactions(orders, kills, committed);
		return judge.findings;
	}

	private void compare(String queue, Set<Long> committed, Map<TaskKey, Integer> runs) {
		for (Long number : committed) {
			TaskKey task = new TaskKey(queue, String.valueOf(number));
			int count = runs.getOrDefault(task, 0);
			if (count == 0) {
				add("nothing-lost", task, "its transaction has committed, but it never ran");
			}
			else if (count > 1) {
				add("doubled-runs-explained", task, "it ran " + count + " times on a server that nobody has harmed");
			}
		}
	}

	private void count(String queue, long committed, QueueStats stats) {
		if (stats.total().processed() != committed || stats.total().failed() != 0) {
			add("counters-match-ledger", queue, stats.total() + " instead of " + committed + " processed");
		}
		if (stats.sizes().values().stream().anyMatch((size) -> size > 0)) {
			add("nothing-stuck", queue, "it still has " + stats.sizes());
		}
	}

	/** Each kill cuts short those transactions at most that were under way. */
	private void transactions(long orders, int kills, Set<Long> committed) {
		long wanted = orders - orders / 3;
		if (committed.size() > wanted || committed.size() < wanted - (long) kills * Orders.THREADS) {
			add("fault-took-effect", "transactions", committed.size() + " have committed instead of about " + wanted);
		}
		committed.stream()
			.filter(Orders::isRolledBack)
			.forEach((number) -> add("fault-took-effect", "order " + number, "it was not rolled back"));
	}

	private void add(String invariant, Object subject, String detail) {
		this.findings.add(new Finding(invariant, subject.toString(), detail));
	}

}
