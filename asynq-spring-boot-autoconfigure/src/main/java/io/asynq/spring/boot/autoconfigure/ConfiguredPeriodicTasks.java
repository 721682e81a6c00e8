package io.asynq.spring.boot.autoconfigure;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;

import io.asynq.schedule.AsynqScheduler;
import io.asynq.schedule.DuplicatePeriodicTaskException;
import io.asynq.schedule.InvalidPeriodicTaskException;
import io.asynq.schedule.PeriodicTaskDefinition;
import org.springframework.beans.factory.BeanFactoryUtils;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.core.env.Environment;

/**
 * Reports all mistakes at once.
 */
final class ConfiguredPeriodicTasks implements SmartInitializingSingleton {

	private final AsynqScheduler scheduler;

	private final Environment environment;

	private final ListableBeanFactory beans;

	ConfiguredPeriodicTasks(AsynqScheduler scheduler, Environment environment, ListableBeanFactory beans) {
		this.scheduler = scheduler;
		this.environment = environment;
		this.beans = beans;
	}

	@Override
	public void afterSingletonsInstantiated() {
		List<InvalidPeriodicTaskException> errors = new ArrayList<>();
		Map<String, PeriodicTaskDefinition> definitions = this.beans.getBeansOfType(PeriodicTaskDefinition.class);
		// With the scheduler of a parent context, that has registered all else
		if (this.beans.getBeanNamesForType(AsynqScheduler.class).length > 0) {
			SchedulerEntries.from(this.environment)
				.forEach((property, entry) -> register(property, entry::periodicTask, errors));
			definitions = BeanFactoryUtils.beansOfTypeIncludingAncestors(this.beans, PeriodicTaskDefinition.class);
		}
		definitions.forEach((name, task) -> register("Bean '" + name + "'", () -> task, errors));
		if (errors.size() == 1) {
			throw errors.get(0);
		}
		if (!errors.isEmpty()) {
			throw new InvalidPeriodicTaskException(
					errors.stream().flatMap((error) -> error.problems().stream()).toList());
		}
	}

	private void register(String origin, Supplier<PeriodicTaskDefinition> task,
			List<InvalidPeriodicTaskException> errors) {
		try {
			this.scheduler.register(task.get());
		}
		catch (DuplicatePeriodicTaskException ex) {
			errors.add(new DuplicatePeriodicTaskException(origin + ": " + ex.getMessage()));
		}
		catch (InvalidPeriodicTaskException ex) {
			errors.add(new InvalidPeriodicTaskException(
					ex.problems().stream().map((problem) -> origin + ": " + problem).toList()));
		}
	}

}
