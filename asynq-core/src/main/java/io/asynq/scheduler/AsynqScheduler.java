package io.asynq.scheduler;

import java.util.List;

import io.asynq.broker.Broker;
import io.asynq.client.ClientOptions;
import io.asynq.client.FireClient;
import io.asynq.lifecycle.LoopErrorLog;

import org.springframework.context.SmartLifecycle;

/**
 * Enqueues periodic tasks when they are due (asynq M01–M16). Any number of applications
 * may run one with the same entries: each fire is enqueued once, without a leader. Needs
 * no server in the same application; from its first entry on, the JVM lives until it is
 * stopped. Starts again after a stop. Safe for concurrent use.
 */
public interface AsynqScheduler extends SmartLifecycle {

	/**
	 * Creates a scheduler; nothing is started and Redis is not touched.
	 * @param broker the store; stays the caller's
	 * @param client how tasks are enqueued
	 * @param options settings
	 * @param listeners are told of every fire
	 * @return the scheduler
	 */
	static AsynqScheduler create(Broker broker, ClientOptions client, SchedulerOptions options,
			List<SchedulerListener> listeners) {
		return new DefaultAsynqScheduler(new Scheduling(new FireClient(broker, client), broker.schedulers(),
				broker.fires(), options, new SchedulerListeners(listeners), new LoopErrorLog()));
	}

	/**
	 * Adds a periodic task, before or after the start (M03).
	 * @param task the task
	 * @return the id of its entry
	 * @throws InvalidPeriodicTaskException if the spec, the zone, the task or its options
	 * make no sense
	 * @throws DuplicatePeriodicTaskException if there is an entry with this id
	 */
	String register(PeriodicTask task);

	/**
	 * Removes a periodic task and, a moment later, its history and its last fire, unless
	 * another scheduler has it too (M04): if it comes back, it has missed nothing. Tasks
	 * that are enqueued stay; a fire that has begun enqueues its task all the same.
	 * @param entryId the id of its entry
	 * @throws PeriodicTaskNotFoundException if there is no such entry
	 */
	void unregister(String entryId);

	/**
	 * Returns the entries of this scheduler in the order in which they were added.
	 * @return the entries
	 */
	List<PeriodicTaskInfo> entries();

	/**
	 * Asks Redis for a sign of life (M05).
	 * @throws io.asynq.BrokerException if there is none
	 */
	void ping();

}
