package io.asynq.schedule;

import java.util.List;

/**
 * Provides periodic tasks that can change, for example from a database, as Go's
 * {@code PeriodicTaskConfigProvider}. A bean of this type is asked when the application
 * starts and then every {@code asynq.scheduler.sync-interval}, on its own thread. New
 * tasks are registered and missing ones unregistered; unchanged ones keep their id and
 * their next fire. A provider that fails is asked again after ten seconds at the latest.
 */
@FunctionalInterface
public interface PeriodicTaskProvider {

	/**
	 * Returns all periodic tasks. An invalid one is logged and left out. The same one
	 * twice counts once. Periodic tasks that {@linkplain PeriodicTaskDefinition#calling
	 * create their payload} and are otherwise equal need ids; such a task keeps the
	 * method of its first registration as long as nothing else changes.
	 * @throws Exception if they are not available; the last ones stay
	 */
	List<PeriodicTaskDefinition> periodicTasks() throws Exception;

}
