package io.asynq.scheduler;

import java.util.List;

/**
 * Says which periodic tasks there are at the moment, from a database for example (asynq
 * N02). A bean of this type is asked at the start of the application and then every
 * {@code asynq.scheduler.sync-interval}, on a thread of its own; what is new is
 * registered, what is gone is unregistered, what is the same keeps its id and its phase.
 * One that fails is asked again after ten seconds at the latest.
 */
@FunctionalInterface
public interface PeriodicTaskProvider {

	/**
	 * Returns all periodic tasks. One that is wrong is logged and left out; the others
	 * count. The same task twice counts once. Those that are
	 * {@linkplain PeriodicTask#calling asked for their payload} and alike in all else
	 * need ids; what is asked stays that of the first time, as long as nothing else
	 * changes.
	 * @return the tasks
	 * @throws Exception if they cannot be told now; those of the last time stay
	 */
	List<PeriodicTask> periodicTasks() throws Exception;

}
