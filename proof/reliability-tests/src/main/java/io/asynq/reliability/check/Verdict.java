package io.asynq.reliability.check;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** The result of the checks. */
public record Verdict(long tasks, long runs, long lostByRedis, long archivedByCrashes, Map<String, Integer> explained,
		Duration resume, List<Finding> findings) {

	public Verdict with(List<Finding> more) {
		List<Finding> all = new ArrayList<>(this.findings);
		all.addAll(more);
		return new Verdict(this.tasks, this.runs, this.lostByRedis, this.archivedByCrashes, this.explained, this.resume,
				all);
	}

	public long count(String invariant) {
		return this.findings.stream().filter((finding) -> finding.invariant().equals(invariant)).count();
	}

	public long lost() {
		return count(Invariant.NOTHING_LOST.toString());
	}

	public long stuck() {
		return count(Invariant.NOTHING_STUCK.toString());
	}

	public long doubledExplained() {
		return this.explained.values().stream().mapToLong(Integer::longValue).sum();
	}

	public long doubledUnexplained() {
		return count(Invariant.DOUBLED_RUNS_EXPLAINED.toString()) + count(Invariant.AGGREGATED_ONCE.toString());
	}

	public boolean passed() {
		return this.findings.isEmpty();
	}

}
