package io.asynq.test.ledger;

/**
 * Ids are unique only within a queue.
 */
public record TaskKey(String queue, String id) {

	@Override
	public String toString() {
		return this.queue + "/" + this.id;
	}

}
