package io.asynq.spring.boot.test.memory;

import io.asynq.contract.EndedAttemptsContract;

/**
 * The contract of the roles, in memory.
 */
class MemoryEndedAttemptsTests extends EndedAttemptsContract {

	MemoryEndedAttemptsTests() {
		super((clock) -> new MemoryBroker(clock, (stored) -> {
		}));
	}

}
