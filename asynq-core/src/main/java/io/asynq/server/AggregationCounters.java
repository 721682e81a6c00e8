package io.asynq.server;

import java.util.concurrent.atomic.LongAdder;

/**
 * What became of the groups of one queue.
 */
final class AggregationCounters {

	final LongAdder succeeded = new LongAdder();

	final LongAdder failed = new LongAdder();

	final LongAdder tasks = new LongAdder();

	AggregationStatistics snapshot() {
		return new AggregationStatistics(this.succeeded.sum(), this.failed.sum(), this.tasks.sum());
	}

}
