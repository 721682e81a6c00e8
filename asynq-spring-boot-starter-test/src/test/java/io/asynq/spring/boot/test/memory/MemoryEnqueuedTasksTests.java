package io.asynq.spring.boot.test.memory;

import io.asynq.contract.EnqueuedTasksContract;

/**
 * The contract of the roles, in memory.
 */
class MemoryEnqueuedTasksTests extends EnqueuedTasksContract {

	MemoryEnqueuedTasksTests() {
		super((clock) -> new MemoryBroker(clock, (stored) -> {
		}));
	}

}
