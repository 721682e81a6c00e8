package io.asynq.scheduler;

import java.util.List;

/**
 * Says which periodic tasks there are at the moment, from a database for example (asynq
 * N02). A bean of this type is asked at the start of the application and then every
 * {@code asynq.scheduler.sync-interval}; what is new is registered, what is gone is
 * unregistered, what is the same keeps its id and its phase.
 */
@FunctionalInterface
public interface PeriodicTaskProvider {

	/**
	 * Returns all periodic tasks. One that is wrong is logged and left out; the others
	 * count. The same task twice counts once.
	 * @return the tasks
	 * @throws Exception if they cannot be told now; those of the last time stay
	 */
	List<PeriodicTask> periodicTasks() throws Exception;

}
