package io.asynq.schedule;

import java.time.Duration;
import java.util.List;

import io.asynq.Broker;
import io.asynq.ClientOptions;
import io.asynq.TaskInfo;
import io.asynq.inspect.LoopInfo;
import io.asynq.internal.broker.RedisBroker;
import io.asynq.internal.event.Observers;
import org.jspecify.annotations.Nullable;
import org.springframework.context.SmartLifecycle;

/**
 * Enqueues periodic tasks when they are due, as Go's {@code Scheduler}
 * (docs/compatibility.md, M01–M16). Any number of applications can run a scheduler with
 * the same entries: each fire is enqueued once, without a leader. The application needs
 * no server. Once there is an entry, the scheduler keeps the JVM alive until it is
 * stopped; it can be started again. Safe for concurrent use.
 */
public interface AsynqScheduler extends SmartLifecycle {

	/**
	 * Creates a scheduler; nothing is started and Redis is not touched.
	 * @param broker the store; the caller closes it
	 * @param client settings for enqueueing
	 * @param listeners called for every fire
	 */
	static AsynqScheduler create(Broker broker, ClientOptions client, SchedulerOptions options,
			List<SchedulerListener> listeners) {
		return RedisBroker.of(broker).scheduler(client, Observers.none(), null, options, listeners);
	}

	/**
	 * Adds a periodic task, before or after start.
	 * @return the id of its entry
	 * @throws InvalidPeriodicTaskException if the spec, the zone, the task or its options
	 * are not valid
	 * @throws DuplicatePeriodicTaskException if another entry has this id
	 */
	String register(PeriodicTaskDefinition task);

	/**
	 * Removes a periodic task. Its history and the record of its last fire are deleted a
	 * moment later, unless another scheduler has the same entry; so when it is registered
	 * again, no fire counts as missed. Tasks that are already enqueued stay, and a fire
	 * that has begun still enqueues its task.
	 * @throws PeriodicTaskNotFoundException if no entry has this id
	 */
	void unregister(String entryId);

	/** Returns the entries of this scheduler in the order in which they were added. */
	List<PeriodicTaskInfo> entries();

	/**
	 * Enqueues a task of a periodic task now, in addition to its fires, which stay as
	 * they are. Listeners are not called.
	 * @return the task, {@code null} if the entry has nothing to enqueue at this moment
	 * @throws PeriodicTaskNotFoundException if no entry has this id
	 * @throws io.asynq.AsynqException if the task cannot be made or is refused
	 */
	@Nullable TaskInfo enqueueNow(String entryId);

	/**
	 * Enqueues a task as {@link #enqueueNow} does, and calls the listeners as a fire
	 * does. For tests that move the clock themselves.
	 * @return the task, {@code null} if the entry has nothing to enqueue at this moment
	 * @throws PeriodicTaskNotFoundException if no entry has this id
	 * @throws io.asynq.AsynqException if the task cannot be made or is refused
	 */
	@Nullable TaskInfo fireNow(String entryId);

	/**
	 * Describes the scheduler's loops, which run while there are entries, with the error
	 * if one fails. Does not ask Redis.
	 */
	List<LoopInfo> loops();

	/**
	 * Returns for how long the scheduler should have looked for fires that are due. Does
	 * not ask Redis.
	 * @return zero if it is on time, {@code null} unless it runs and has entries
	 */
	@Nullable Duration lag();

	/**
	 * Checks that Redis answers.
	 * @throws io.asynq.BrokerException if it does not
	 */
	void ping();

}
