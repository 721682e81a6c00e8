package io.asynq.inspect;

import java.time.Clock;
import java.util.Set;

import io.asynq.TaskInfo;
import io.asynq.broker.Broker;

/**
 * Looks at queues and tasks without changing them (asynq O01, O03, O06). The cost of no
 * call grows with the number of tasks. Safe for concurrent use. Every method throws
 * {@link io.asynq.BrokerException} if Redis cannot be reached or fails.
 */
public interface AsynqInspector {

	/**
	 * Creates an inspector.
	 * @param broker the store; stays the caller's
	 * @param clock the time of what is read
	 * @return the inspector
	 */
	static AsynqInspector create(Broker broker, Clock clock) {
		return new DefaultAsynqInspector(broker.queues(), broker.tasks(), clock);
	}

	/**
	 * Lists the names of all queues (O01).
	 * @return the names, in no order
	 */
	Set<String> queues();

	/**
	 * Reads a queue (O03).
	 * @param queue its name
	 * @return the queue at this moment
	 * @throws io.asynq.QueueNotFoundException if there is none of this name
	 * @throws io.asynq.AsynqException if the name is blank
	 */
	QueueInfo queueInfo(String queue);

	/**
	 * Reads a task (O06).
	 * @param queue its queue
	 * @param id its id
	 * @return the task at this moment
	 * @throws io.asynq.QueueNotFoundException if there is no such queue
	 * @throws io.asynq.TaskNotFoundException if the queue has no such task
	 * @throws io.asynq.AsynqException if the queue's name or the id is blank
	 */
	TaskInfo taskInfo(String queue, String id);

}
