package io.asynq.inspect;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

import io.asynq.AsynqException;
import io.asynq.broker.ConsistencyChecker;
import io.asynq.broker.Inconsistency;

/**
 * Diagnoses and repairs queues; what is found needs no memory, however much it is. Safe
 * for concurrent use.
 */
final class QueueRepair {

	static final int PAGE_SIZE = 1000;

	/**
	 * Mending one thing may bring another to light, and what leaves a container while it
	 * is walked through hides its neighbour: goes on until nothing is mended any more.
	 */
	private static final int ROUNDS = 100;

	private final ConsistencyChecker checker;

	QueueRepair(ConsistencyChecker checker) {
		this.checker = checker;
	}

	Diagnosis diagnose(String queue, int page) {
		if (page < 1) {
			throw new AsynqException("Argument 'page' must be at least 1, but is " + page);
		}
		long first = (page - 1L) * PAGE_SIZE;
		Map<Inconsistency.Kind, Long> counts = new EnumMap<>(Inconsistency.Kind.class);
		List<Inconsistency> shown = new ArrayList<>();
		long[] total = { 0 };
		this.checker.check(queue, (found) -> {
			counts.merge(found.kind(), 1L, Long::sum);
			if (total[0] >= first && shown.size() < PAGE_SIZE) {
				shown.add(found);
			}
			total[0]++;
		});
		int pages = (int) ((total[0] + PAGE_SIZE - 1) / PAGE_SIZE);
		return new Diagnosis(queue, counts, shown, page, pages);
	}

	RepairReport repair(String queue, Set<Inconsistency.Kind> kinds, boolean dryRun) {
		Arguments.requireValue("kinds", kinds);
		if (kinds.isEmpty()) {
			throw new AsynqException("Argument 'kinds' must name what is to be mended; EnumSet.allOf("
					+ "Inconsistency.Kind.class) is everything");
		}
		Set<Inconsistency.Kind> wanted = EnumSet.copyOf(kinds);
		Tally tally = new Tally();
		boolean more = true;
		for (int round = 0; more && round < ROUNDS; round++) {
			more = repairOnce(queue, wanted, dryRun, tally) && !dryRun;
		}
		return new RepairReport(queue, dryRun, tally.mended, tally.examples, tally.left);
	}

	private boolean repairOnce(String queue, Set<Inconsistency.Kind> wanted, boolean dryRun, Tally tally) {
		long before = tally.total();
		tally.left = 0;
		this.checker.check(queue, (found) -> {
			if (wanted.contains(found.kind())) {
				tally.count(found, dryRun || this.checker.repair(found));
			}
		});
		return tally.total() > before;
	}

	private static final class Tally {

		private final Map<Inconsistency.Kind, Long> mended = new EnumMap<>(Inconsistency.Kind.class);

		private final List<Inconsistency> examples = new ArrayList<>();

		private long left;

		void count(Inconsistency found, boolean done) {
			if (!done) {
				this.left++;
				return;
			}
			this.mended.merge(found.kind(), 1L, Long::sum);
			if (this.examples.size() < PAGE_SIZE) {
				this.examples.add(found);
			}
		}

		long total() {
			return this.mended.values().stream().mapToLong(Long::longValue).sum();
		}

	}

}
