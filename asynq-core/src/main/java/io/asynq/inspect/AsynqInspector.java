package io.asynq.inspect;

import java.time.Clock;
import java.util.Set;

import io.asynq.TaskInfo;
import io.asynq.broker.Broker;
import io.asynq.broker.Inconsistency;

/**
 * Looks at queues and tasks (asynq O01, O03, O06), and mends what makes no sense in them.
 * The cost of no call grows with the number of tasks, except where it says so. Safe for
 * concurrent use. Every method throws {@link io.asynq.BrokerException} if Redis cannot be
 * reached or fails.
 */
public interface AsynqInspector {

	/**
	 * Creates an inspector.
	 * @param broker the store; stays the caller's
	 * @param clock the time of what is read
	 * @return the inspector
	 */
	static AsynqInspector create(Broker broker, Clock clock) {
		return new DefaultAsynqInspector(broker.queues(), broker.tasks(), broker.consistency(), clock);
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

	/**
	 * Looks for what makes no sense in a queue; changes nothing. Walks through all tasks
	 * of the queue and all keys of the database, in small steps, so it may take a while.
	 * @param queue its name, also one that is not listed
	 * @return the first page, of up to 1,000
	 * @throws io.asynq.AsynqException if the name is blank
	 */
	default Diagnosis diagnose(String queue) {
		return diagnose(queue, 1);
	}

	/**
	 * Looks for what makes no sense in a queue, for a further page.
	 * @param queue its name, also one that is not listed
	 * @param page at least 1
	 * @return the page, empty beyond the last
	 * @throws io.asynq.AsynqException if the name is blank or the page below 1
	 */
	Diagnosis diagnose(String queue, int page);

	/**
	 * Mends what makes no sense in a queue, each kind as {@link Inconsistency.Kind} says.
	 * No task is deleted and none counted. Servers may go on working meanwhile.
	 * @param queue its name, also one that is not listed
	 * @param kinds what to mend
	 * @param dryRun whether only to say what would be mended
	 * @return what was done
	 * @throws io.asynq.AsynqException if the name is blank or no kind is given
	 */
	RepairReport repair(String queue, Set<Inconsistency.Kind> kinds, boolean dryRun);

}
