package io.asynq.reliability.check;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * What came out.
 *
 * @param tasks how many were acknowledged
 * @param runs how often handlers ran
 * @param lostByRedis how many Redis has lost, as its settings allow it
 * @param archivedByCrashes how many were archived because their servers went down
 * @param explained what was done twice, by the fault that explains it
 * @param resume the longest time until work went on
 * @param findings what must not be
 */
public record Verdict(long tasks, long runs, long lostByRedis, long archivedByCrashes, Map<String, Integer> explained,
		Duration resume, List<Finding> findings) {

	/**
	 * Adds what was found while work went on.
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
	 * @param invariant the name of what does not hold
	 * @return how many
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
