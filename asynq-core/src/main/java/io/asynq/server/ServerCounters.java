package io.asynq.server;

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

	ServerStatistics snapshot(int activeWorkers) {
		return new ServerStatistics(activeWorkers, this.leasesLost.sum(), this.outcomesDropped.sum(),
				this.stuckHandlers.sum(), this.recovered.sum(), this.postponed.sum());
	}

}
