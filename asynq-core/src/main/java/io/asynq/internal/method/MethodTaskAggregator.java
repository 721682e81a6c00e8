package io.asynq.internal.method;

import java.lang.reflect.Type;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

import io.asynq.Task;
import io.asynq.handler.RejectedTasksException;
import io.asynq.handler.TaskAggregatorFunction;
import io.asynq.payload.PayloadConversionException;
import io.asynq.payload.PayloadConverter;
import org.jspecify.annotations.Nullable;
import org.springframework.messaging.support.GenericMessage;

final class MethodTaskAggregator implements TaskAggregatorFunction {

	private final TaskHandlerMethod method;

	private final PayloadConverter converter;

	private final Type element;

	private final Type returned;

	private final String type;

	MethodTaskAggregator(TaskHandlerMethod method, PayloadConverter converter, AggregatorSignature signature,
			String type) {
		this.method = method;
		this.converter = converter;
		this.element = signature.element();
		this.returned = signature.returned();
		this.type = type;
	}

	@Override
	public @Nullable Task aggregate(String queue, String group, List<Task> tasks) throws Exception {
		List<?> list = (this.element == Task.class) ? tasks : payloads(tasks);
		Object returned = invoke(group, tasks, list);
		return (returned == null || returned instanceof Task) ? (Task) returned
				: Task.of(this.type, this.converter.toBytes(returned, this.returned));
	}

	@Override
	public String toString() {
		return HandlerSignature.describe(this.method.getMethod());
	}

	private @Nullable Object invoke(String group, List<Task> tasks, List<?> list) throws Exception {
		try {
			return this.method.invoke(new GenericMessage<>(group), list, group);
		}
		catch (RuntimeException ex) {
			List<InvalidArgument> invalid = InvalidArgument.of(ex, this.method.getMethod());
			Set<Task> rejected = new LinkedHashSet<>();
			invalid.forEach((argument) -> {
				if (argument.element() != null) {
					rejected.add(tasks.get(argument.element()));
				}
			});
			if (rejected.isEmpty()) {
				throw ex;
			}
			throw new RejectedTasksException(PayloadValidation.describe(rejected.iterator().next(),
					this.method.getMethod(), invalid.stream().map(InvalidArgument::problem)), List.copyOf(rejected),
					null);
		}
	}

	private List<Object> payloads(List<Task> tasks) {
		List<Object> payloads = new ArrayList<>(tasks.size());
		List<Task> rejected = new ArrayList<>();
		PayloadConversionException first = null;
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
				first = (first != null) ? first : ex;
			}
		}
		if (!rejected.isEmpty()) {
			throw rejected(rejected, first);
		}
		return payloads;
	}

	private RejectedTasksException rejected(List<Task> rejected, @Nullable PayloadConversionException first) {
		String why = (first != null) ? ": " + first.getMessage() : "";
		return new RejectedTasksException("Payload of grouped task type '" + rejected.get(0).type()
				+ "' is missing or does not fit " + this.element.getTypeName() + " for " + this + why, rejected, first);
	}

}
