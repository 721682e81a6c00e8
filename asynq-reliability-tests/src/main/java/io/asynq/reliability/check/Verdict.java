package io.asynq.reliability.check;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * The result of the checks.
 *
 * @param tasks the number of acknowledged tasks
 * @param runs the number of handler runs
 * @param lostByRedis how many tasks Redis has lost, as its settings permit
 * @param archivedByCrashes how many were archived because they crashed their servers
 * @param explained repetitions by the fault that explains them
 * @param resume the longest time until work continued
 * @param findings the violations
 */
public record Verdict(long tasks, long runs, long lostByRedis, long archivedByCrashes, Map<String, Integer> explained,
		Duration resume, List<Finding> findings) {

	/**
	 * Adds the findings of the run.
	 * @param more more findings
	 * @return a verdict with all
	 */
	public Verdict with(List<Finding> more) {
		List<Finding> all = new ArrayList<>(this.findings);
		all.addAll(more);
		return new Verdict(this.tasks, this.runs, this.lostByRedis, this.archivedByCrashes, this.explained, this.resume,
				all);
	}

	/**
	 * Counts findings.
	 * @param invariant the name of the invariant
	 * @return their number
	 */
	public long count(String invariant) {
		return this.findings.stream().filter((finding) -> finding.invariant().equals(invariant)).count();
	}

	public long lost() {
		return count(new NothingLost().name());
	}

	public long stuck() {
		return count(new NothingStuck().name());
	}

	public long doubledExplained() {
		return this.explained.values().stream().mapToLong(Integer::longValue).sum();
	}

	public long doubledUnexplained() {
		return count(new DoubledRuns().name()) + count(new AggregatedOnce().name());
	}

	public boolean passed() {
		return this.findings.isEmpty();
	}

}
