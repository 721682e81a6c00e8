package io.asynq.reliability.ledger;

/**
 * What names a task: ids are unique within a queue only.
 *
 * @param queue the queue
 * @param id the task's id
 */
public record TaskKey(String queue, String id) {

	@Override
	public String toString() {
		return this.queue + "/" + this.id;
	}

}
