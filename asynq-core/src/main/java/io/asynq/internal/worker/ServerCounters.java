package io.asynq.internal.worker;

import java.time.Duration;
import java.util.Collection;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.atomic.LongAdder;

import io.asynq.server.ServerStatistics;
import org.jspecify.annotations.Nullable;

public final class ServerCounters {

	public final LongAdder leasesLost = new LongAdder();

	public final LongAdder outcomesDropped = new LongAdder();

	public final LongAdder stuckHandlers = new LongAdder();

	public final LongAdder dequeuesFailed = new LongAdder();

	public final LongAdder archived = new LongAdder();

	public final LongAdder timedOut = new LongAdder();

	public final LongAdder recovered = new LongAdder();

	public final LongAdder crashed = new LongAdder();

	public final LongAdder poisoned = new LongAdder();

	public final LongAdder postponed = new LongAdder();

	public final LongAdder unhandled = new LongAdder();

	private final Map<String, Aggregations> aggregations = new TreeMap<>();

	public ServerCounters(Collection<String> queues) {
		queues.forEach((queue) -> this.aggregations.put(queue, new Aggregations()));
	}

	public Aggregations aggregations(String queue) {
		return this.aggregations.get(queue);
	}

	public ServerStatistics snapshot(Present present) {
		Map<String, ServerStatistics.Aggregation> groups = new TreeMap<>();
		this.aggregations.forEach((queue, counters) -> groups.put(queue, counters.snapshot()));
		return new ServerStatistics(present.activeWorkers(), present.maxWorkers(), present.heldTasks(),
				present.sinceHeartbeat(), this.leasesLost.sum(), this.outcomesDropped.sum(), this.stuckHandlers.sum(),
				present.hangingHandlers(), present.unwrittenOutcomes(), this.dequeuesFailed.sum(),
				present.forwarderLag(), this.archived.sum(), this.timedOut.sum(), this.recovered.sum(),
				this.crashed.sum(), this.poisoned.sum(), this.postponed.sum(), this.unhandled.sum(), groups);
	}

	public record Present(int activeWorkers, int maxWorkers, int heldTasks, @Nullable Duration sinceHeartbeat,
			int hangingHandlers, int unwrittenOutcomes, @Nullable Duration forwarderLag) {
	}

	public static final class Aggregations {

		public final LongAdder succeeded = new LongAdder();

		public final LongAdder failed = new LongAdder();

		public final LongAdder tasks = new LongAdder();

		public ServerStatistics.Aggregation snapshot() {
			return new ServerStatistics.Aggregation(this.succeeded.sum(), this.failed.sum(), this.tasks.sum());
		}

	}

}
