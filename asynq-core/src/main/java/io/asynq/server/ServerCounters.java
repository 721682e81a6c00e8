package io.asynq.server;

import java.util.Collection;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.atomic.LongAdder;

/**
 * What the parts of a server count together.
 */
final class ServerCounters {

	final LongAdder leasesLost = new LongAdder();

	final LongAdder outcomesDropped = new LongAdder();

	final LongAdder stuckHandlers = new LongAdder();

	final LongAdder recovered = new LongAdder();

	final LongAdder postponed = new LongAdder();

	private final Map<String, AggregationCounters> aggregations = new TreeMap<>();

	ServerCounters(Collection<String> queues) {
		queues.forEach((queue) -> this.aggregations.put(queue, new AggregationCounters()));
	}

	AggregationCounters aggregations(String queue) {
		return this.aggregations.get(queue);
	}

	ServerStatistics snapshot(int activeWorkers) {
		Map<String, AggregationStatistics> groups = new TreeMap<>();
		this.aggregations.forEach((queue, counters) -> groups.put(queue, counters.snapshot()));
		return new ServerStatistics(activeWorkers, this.leasesLost.sum(), this.outcomesDropped.sum(),
				this.stuckHandlers.sum(), this.recovered.sum(), this.postponed.sum(), groups);
	}

}
