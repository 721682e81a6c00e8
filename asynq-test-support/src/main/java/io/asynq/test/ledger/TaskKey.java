package io.asynq.test.ledger;

/**
 * Identifies a task, because ids are unique only within a queue.
 *
 * @param id the task's id
 */
public record TaskKey(String queue, String id) {

	@Override
	public String toString() {
		return this.queue + "/" + this.id;
	}

}
