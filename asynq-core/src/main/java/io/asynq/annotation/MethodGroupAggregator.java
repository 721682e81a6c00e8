package io.asynq.annotation;

import java.lang.reflect.Type;
import java.util.ArrayList;
import java.util.List;

import io.asynq.PayloadConversionException;
import io.asynq.PayloadConverter;
import io.asynq.Task;
import io.asynq.handler.GroupAggregator;
import io.asynq.handler.RejectedTasksException;
import org.jspecify.annotations.Nullable;

import org.springframework.messaging.support.GenericMessage;

/**
 * A bean's method as an aggregator: the list from the tasks, the new task from what is
 * returned.
 */
final class MethodGroupAggregator implements GroupAggregator {

	private final TaskHandlerMethod method;

	private final PayloadConverter converter;

	private final Type element;

	private final String type;

	/**
	 * Creates the aggregator.
	 * @param method the method
	 * @param converter reads payloads and writes the new one
	 * @param element what the method's list has
	 * @param type type of the new task, "" if the method returns it
	 */
	MethodGroupAggregator(TaskHandlerMethod method, PayloadConverter converter, Type element, String type) {
		this.method = method;
		this.converter = converter;
		this.element = element;
		this.type = type;
	}

	@Override
	public @Nullable Task aggregate(String queue, String group, List<Task> tasks) throws Exception {
		List<?> list = (this.element == Task.class) ? tasks : payloads(tasks);
		Object returned = this.method.invoke(new GenericMessage<>(group), list, group);
		return (returned == null || returned instanceof Task) ? (Task) returned
				: Task.of(this.type, this.converter.toBytes(returned));
	}

	@Override
	public String toString() {
		return HandlerSignature.describe(this.method.getMethod());
	}

	private List<Object> payloads(List<Task> tasks) {
		List<Object> payloads = new ArrayList<>(tasks.size());
		List<Task> rejected = new ArrayList<>();
		PayloadConversionException cause = null;
		for (Task task : tasks) {
			try {
				Object payload = this.converter.fromBytes(task.payload(), this.element);
				if (payload == null) {
					rejected.add(task);
				}
				else {
					payloads.add(payload);
				}
			}
			catch (PayloadConversionException ex) {
				rejected.add(task);
				cause = ex;
			}
		}
		if (!rejected.isEmpty()) {
			throw rejected(rejected, cause);
		}
		return payloads;
	}

	private RejectedTasksException rejected(List<Task> rejected, @Nullable Throwable cause) {
		return new RejectedTasksException("Payload of grouped task type '" + rejected.get(0).type()
				+ "' is missing or cannot be read as " + this.element.getTypeName() + " for " + this, rejected, cause);
	}

}
