package io.asynq.spring.boot.autoconfigure;

import java.util.ArrayList;
import java.util.List;

import io.asynq.scheduler.AsynqScheduler;
import io.asynq.scheduler.InvalidPeriodicTaskException;
import io.asynq.scheduler.PeriodicTask;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.core.env.Environment;

/**
 * Registers the periodic tasks of the properties and the beans of type
 * {@link PeriodicTask}. Tells all mistakes at once.
 */
final class ConfiguredPeriodicTasks implements SmartInitializingSingleton {

	private final AsynqScheduler scheduler;

	private final Environment environment;

	private final ObjectProvider<PeriodicTask> beans;

	ConfiguredPeriodicTasks(AsynqScheduler scheduler, Environment environment, ObjectProvider<PeriodicTask> beans) {
		this.scheduler = scheduler;
		this.environment = environment;
		this.beans = beans;
	}

	@Override
	public void afterSingletonsInstantiated() {
		List<PeriodicTask> tasks = new ArrayList<>(SchedulerEntries.from(this.environment));
		this.beans.orderedStream().forEach(tasks::add);
		List<InvalidPeriodicTaskException> errors = new ArrayList<>();
		for (PeriodicTask task : tasks) {
			try {
				this.scheduler.register(task);
			}
			catch (InvalidPeriodicTaskException ex) {
				errors.add(ex);
			}
		}
		if (errors.size() == 1) {
			throw errors.get(0);
		}
		if (!errors.isEmpty()) {
			throw new InvalidPeriodicTaskException(
					errors.stream().flatMap((error) -> error.problems().stream()).toList());
		}
	}

}
