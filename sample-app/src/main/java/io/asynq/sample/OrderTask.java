package io.asynq.sample;

import io.asynq.TaskInfo;

/**
 * Where to find a task of an order.
 *
 * @param name what it does for the order
 * @param queue its queue
 * @param id its id in that queue
 */
record OrderTask(String name, String queue, String id) {

	static OrderTask of(String name, TaskInfo info) {
		return new OrderTask(name, info.queue(), info.id());
	}

}
