package io.asynq.server;

/**
 * A group of a queue.
 *
 * @param queue the queue
 * @param group the group
 */
record GroupName(String queue, String group) {

	@Override
	public String toString() {
		return "group '" + this.group + "' of queue '" + this.queue + "'";
	}

}
