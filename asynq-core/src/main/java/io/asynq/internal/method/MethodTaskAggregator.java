package io.asynq.internal.method;

import java.lang.reflect.Method;
import java.lang.reflect.Type;
import java.lang.reflect.WildcardType;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

import io.asynq.Task;
import io.asynq.handler.RejectedTasksException;
import io.asynq.handler.TaskAggregatorFunction;
import io.asynq.payload.PayloadConversionException;
import io.asynq.payload.PayloadConverter;
import org.jspecify.annotations.Nullable;
import org.springframework.core.ResolvableType;
import org.springframework.messaging.support.GenericMessage;

final class MethodTaskAggregator implements TaskAggregatorFunction {

	private static final String ALLOWED = "allowed are one List of payloads or of Task, and one String for the group";

	private final TaskHandlerMethod method;

	private final PayloadConverter converter;

	private final Type element;

	private final Type returned;

	private final String type;

	MethodTaskAggregator(BeanMethod method, PayloadConverter converter, String type) {
		this.method = method.invocable();
		this.converter = converter;
		this.element = element(method);
		this.returned = method.returnedType();
		this.type = type;
	}

	static List<String> problems(BeanMethod method, boolean hasType) {
		String name = "@TaskAggregator method " + method;
		List<String> problems = new ArrayList<>();
		method.problems().forEach((problem) -> problems.add(name + ": " + problem));
		if (BeanMethod.isSuspending(method.method())) {
			return problems;
		}
		long lists = count(method, List.class);
		long groups = count(method, String.class);
		if (lists != 1 || groups > 1 || lists + groups < method.method().getParameterCount()) {
			problems.add(name + ": its arguments cannot be resolved; " + ALLOWED);
		}
		else if (BeanMethod.isOpen(element(method))) {
			problems.add(name + ": the List has no concrete element type; " + ALLOWED);
		}
		Class<?> returned = method.returnedClass();
		if (returned == void.class || returned == Void.class) {
			problems.add(name + ": returns nothing; it must return the payload of the new task, or a Task");
		}
		else if (BeanMethod.isAsynchronous(returned)) {
			problems.add(name + ": returns " + returned.getName()
					+ ", but the tasks are replaced when the method returns; it must return the payload or the Task itself");
		}
		else if (returned == Task.class && hasType) {
			problems.add(name + ": returns a Task, which has a type of its own; remove 'type' from the annotation");
		}
		else if (returned != Task.class && !hasType) {
			problems.add(name + ": returns a payload, so the annotation must name the 'type' of the new task");
		}
		return problems;
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
		return BeanMethod.describe(this.method.getMethod());
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

	private static Type element(BeanMethod method) {
		Method declared = method.method();
		int index = List.of(declared.getParameterTypes()).indexOf(List.class);
		Type list = method.resolve(declared.getGenericParameterTypes()[index]);
		Type element = ResolvableType.forType(list).as(List.class).getGeneric().getType();
		return (element instanceof WildcardType wildcard) ? wildcard.getUpperBounds()[0] : element;
	}

	private static long count(BeanMethod method, Class<?> type) {
		return Stream.of(method.method().getParameterTypes()).filter((parameter) -> parameter == type).count();
	}

}
