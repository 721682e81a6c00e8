package io.asynq.spring.boot.test.memory;

import io.asynq.contract.TasksOnRequestContract;

/**
 * The contract of the roles, in memory.
 */
class MemoryTasksOnRequestTests extends TasksOnRequestContract {

	MemoryTasksOnRequestTests() {
		super((clock) -> new MemoryBroker(clock, (stored) -> {
		}));
	}

}
