package io.asynq.repair;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

import io.asynq.AsynqException;
import io.asynq.broker.QueueKeeper;
import io.asynq.info.Inconsistency;

/**
 * Diagnoses and repairs queues. Needs a constant amount of memory, however many
 * inconsistencies there are. Safe for concurrent use.
 */
public final class QueueRepair {

	static final int PAGE_SIZE = 1000;

	/**
	 * A repair can reveal another inconsistency, and an id that is removed during the
	 * walk through a container can hide its neighbour. So repairs go on until nothing is
	 * left to repair.
	 */
	private static final int ROUNDS = 100;

	private final QueueKeeper keeper;

	public QueueRepair(QueueKeeper keeper) {
		this.keeper = keeper;
	}

	public Diagnosis diagnose(String queue, int page) {
		if (page < 1) {
			throw new AsynqException("Argument 'page' must be at least 1, but is " + page);
		}
		long first = (page - 1L) * PAGE_SIZE;
		Map<Inconsistency.Kind, Long> counts = new EnumMap<>(Inconsistency.Kind.class);
		List<Inconsistency> shown = new ArrayList<>();
		long[] total = { 0 };
		this.keeper.check(queue, (found) -> {
			counts.merge(found.kind(), 1L, Long::sum);
			if (total[0] >= first && shown.size() < PAGE_SIZE) {
				shown.add(found);
			}
			total[0]++;
		});
		int pages = (int) ((total[0] + PAGE_SIZE - 1) / PAGE_SIZE);
		return new Diagnosis(queue, counts, shown, page, pages);
	}

	public RepairReport repair(String queue, Set<Inconsistency.Kind> kinds, boolean dryRun) {
		if (kinds.isEmpty()) {
			throw new AsynqException("Argument 'kinds' must name what is to be repaired; EnumSet.allOf("
					+ "Inconsistency.Kind.class) is everything");
		}
		Set<Inconsistency.Kind> wanted = EnumSet.copyOf(kinds);
		Tally tally = new Tally();
		boolean more = true;
		for (int round = 0; more && round < ROUNDS; round++) {
			more = repairOnce(queue, wanted, dryRun, tally) && !dryRun;
		}
		return new RepairReport(queue, dryRun, tally.repaired, tally.examples, tally.left);
	}

	private boolean repairOnce(String queue, Set<Inconsistency.Kind> wanted, boolean dryRun, Tally tally) {
		long before = tally.total();
		tally.left = 0;
		this.keeper.check(queue, (found) -> {
			if (wanted.contains(found.kind())) {
				tally.count(found, dryRun || this.keeper.repair(found));
			}
		});
		return tally.total() > before;
	}

	private static final class Tally {

		private final Map<Inconsistency.Kind, Long> repaired = new EnumMap<>(Inconsistency.Kind.class);

		private final List<Inconsistency> examples = new ArrayList<>();

		private long left;

		void count(Inconsistency found, boolean done) {
			if (!done) {
				this.left++;
				return;
			}
			this.repaired.merge(found.kind(), 1L, Long::sum);
			if (this.examples.size() < PAGE_SIZE) {
				this.examples.add(found);
			}
		}

		long total() {
			return this.repaired.values().stream().mapToLong(Long::longValue).sum();
		}

	}

}
