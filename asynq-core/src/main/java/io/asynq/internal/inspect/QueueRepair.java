package io.asynq.internal.inspect;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

import io.asynq.AsynqException;
import io.asynq.inspect.Diagnosis;
import io.asynq.inspect.Inconsistency;
import io.asynq.inspect.QueueStats;
import io.asynq.inspect.RepairReport;
import io.asynq.internal.fleet.FleetReader;
import io.asynq.internal.lane.LaneThreads;
import io.asynq.internal.lane.Lanes;
import org.jspecify.annotations.Nullable;

/**
 * Needs a constant amount of memory, however many inconsistencies there are.
 */
public final class QueueRepair {

	private static final int MOST_SHOWN = 1000;

	/**
	 * A repair can reveal another inconsistency, and an id that is removed during the
	 * walk through a container can hide its neighbour, so repairs go on until nothing is
	 * left.
	 */
	private static final int ROUNDS = 100;

	private final QueueKeeper keeper;

	private final QueueReader queues;

	private final FleetReader fleet;

	private final Lanes lanes;

	private final LaneThreads threads;

	/**
	 * @param lanes for what is not on the queue's own master
	 */
	public QueueRepair(QueueKeeper keeper, QueueReader queues, FleetReader fleet, Lanes lanes) {
		this.keeper = keeper;
		this.queues = queues;
		this.fleet = fleet;
		this.lanes = lanes;
		this.threads = lanes.threads("asynq-inspector");
	}

	public Diagnosis diagnose(String queue, @Nullable String cursor, int limit) {
		requireLimit(limit);
		Map<Inconsistency.Kind, Long> counts = new EnumMap<>(Inconsistency.Kind.class);
		List<Inconsistency> shown = new ArrayList<>();
		String next = this.keeper.check(queue, cursor, limit, (found) -> {
			counts.merge(found.kind(), 1L, Long::sum);
			if (shown.size() < MOST_SHOWN) {
				shown.add(found);
			}
		});
		if (cursor != null) {
			return new Diagnosis(queue, counts, shown, Map.of(), 0, 0, next);
		}
		Map<String, Long> unhandled = this.lanes.ask(this.threads, "unhandled", () -> this.keeper.unhandled(queue));
		Map<String, Long> held = this.lanes.ask(this.threads, "held", this.fleet::held);
		return new Diagnosis(queue, counts, shown, (unhandled != null) ? unhandled : Map.of(), limited(queue),
				(held != null) ? held.getOrDefault(queue, 0L) : 0, next);
	}

	public RepairReport repair(String queue, Set<Inconsistency.Kind> kinds, boolean dryRun) {
		Tally tally = new Tally(kinds, dryRun);
		String next = null;
		long before;
		int round = 0;
		do {
			before = tally.total();
			tally.left = 0;
			next = repairPart(queue, null, Integer.MAX_VALUE, tally);
			round++;
		}
		while (!dryRun && tally.total() > before && round < ROUNDS);
		return tally.report(queue, next);
	}

	public RepairReport repair(String queue, Set<Inconsistency.Kind> kinds, boolean dryRun, @Nullable String cursor,
			int limit) {
		requireLimit(limit);
		Tally tally = new Tally(kinds, dryRun);
		return tally.report(queue, repairPart(queue, cursor, limit, tally));
	}

	private @Nullable String repairPart(String queue, @Nullable String cursor, int limit, Tally tally) {
		return this.keeper.check(queue, cursor, limit, (found) -> {
			if (tally.wanted.contains(found.kind())) {
				tally.count(found, tally.dryRun || this.keeper.repair(found));
			}
		});
	}

	private long limited(String queue) {
		return this.queues.stats(queue).map(QueueStats::waitingForLimit).orElse(0L);
	}

	private static void requireLimit(int limit) {
		if (limit < 1) {
			throw new AsynqException("Argument 'limit' must be at least 1, but is " + limit);
		}
	}

	private static final class Tally {

		private final Set<Inconsistency.Kind> wanted;

		private final boolean dryRun;

		private final Map<Inconsistency.Kind, Long> repaired = new EnumMap<>(Inconsistency.Kind.class);

		private final List<Inconsistency> examples = new ArrayList<>();

		private long left;

		Tally(Set<Inconsistency.Kind> kinds, boolean dryRun) {
			if (kinds.isEmpty()) {
				throw new AsynqException("Argument 'kinds' must name what is to be repaired; EnumSet.allOf("
						+ "Inconsistency.Kind.class) is everything");
			}
			this.wanted = EnumSet.copyOf(kinds);
			this.dryRun = dryRun;
		}

		void count(Inconsistency found, boolean done) {
			if (!done) {
				this.left++;
				return;
			}
			this.repaired.merge(found.kind(), 1L, Long::sum);
			if (this.examples.size() < MOST_SHOWN) {
				this.examples.add(found);
			}
		}

		long total() {
			return this.repaired.values().stream().mapToLong(Long::longValue).sum();
		}

		RepairReport report(String queue, @Nullable String next) {
			return new RepairReport(queue, this.dryRun, this.repaired, this.examples, this.left, next);
		}

	}

}
