package io.asynq.sample;

import io.asynq.TaskInfo;

/**
 * Queue and id of a task of an order.
 *
 * @param name what it does for the order
 * @param id its id in that queue
 */
record OrderTask(String name, String queue, String id) {

	static OrderTask of(String name, TaskInfo info) {
		return new OrderTask(name, info.queue(), info.id());
	}

}
