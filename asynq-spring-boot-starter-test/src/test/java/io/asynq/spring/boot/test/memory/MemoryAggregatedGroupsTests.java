package io.asynq.spring.boot.test.memory;

import io.asynq.contract.AggregatedGroupsContract;

/**
 * The contract of the roles, in memory.
 */
class MemoryAggregatedGroupsTests extends AggregatedGroupsContract {

	MemoryAggregatedGroupsTests() {
		super((clock) -> new MemoryBroker(clock, (stored) -> {
		}));
	}

}
