package io.asynq.spring.boot.autoconfigure;

import java.util.ArrayList;
import java.util.List;

import io.asynq.context.ContextPropagators;
import io.asynq.event.TaskListener;
import io.asynq.internal.event.TaskEvents;
import org.springframework.beans.factory.BeanFactoryUtils;
import org.springframework.context.ApplicationContext;

/**
 * The beans in their order, then the publication of the application's events.
 */
final class TaskListeners {

	private final ApplicationContext context;

	private final boolean publish;

	private TaskListeners(ApplicationContext context, boolean publish) {
		this.context = context;
		this.publish = publish;
	}

	/**
	 * Listeners are created only when the events start, because they may need the client,
	 * which tells events.
	 */
	static TaskEvents of(ApplicationContext context, boolean publish, ContextPropagators contexts) {
		boolean any = publish || BeanFactoryUtils.beanNamesForTypeIncludingAncestors(context, TaskListener.class, true,
				false).length > 0;
		return any ? new TaskEvents(new TaskListeners(context, publish)::collect, contexts) : TaskEvents.none();
	}

	private List<TaskListener> collect() {
		List<TaskListener> listeners = new ArrayList<>(
				this.context.getBeanProvider(TaskListener.class).orderedStream().toList());
		if (this.publish) {
			listeners.add(this.context::publishEvent);
		}
		return listeners;
	}

}
