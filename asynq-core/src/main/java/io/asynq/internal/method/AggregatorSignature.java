package io.asynq.internal.method;

import java.lang.reflect.Method;
import java.lang.reflect.Type;
import java.lang.reflect.WildcardType;
import java.util.ArrayList;
import java.util.List;

import io.asynq.Task;
import org.springframework.core.ResolvableType;

final class AggregatorSignature {

	private static final String ALLOWED = "allowed are one List of payloads or of Task, and one String for the group";

	private final BeanMethod method;

	AggregatorSignature(BeanMethod method) {
		this.method = method;
	}

	List<String> problems(boolean hasType) {
		String name = "@TaskAggregator method " + this.method;
		List<String> problems = new ArrayList<>();
		this.method.problems().forEach((problem) -> problems.add(name + ": " + problem));
		if (HandlerSignature.isSuspending(this.method.method())) {
			return problems;
		}
		int lists = count(List.class);
		int groups = count(String.class);
		if (lists != 1 || groups > 1 || lists + groups < this.method.method().getParameterCount()) {
			problems.add(name + ": its arguments cannot be resolved; " + ALLOWED);
		}
		else if (BeanMethod.isOpen(element())) {
			problems.add(name + ": the List has no concrete element type; " + ALLOWED);
		}
		Class<?> returned = this.method.returnedClass();
		if (returned == void.class || returned == Void.class) {
			problems.add(name + ": returns nothing; it must return the payload of the new task, or a Task");
		}
		else if (HandlerSignature.isAsynchronous(returned)) {
			problems.add(name + ": returns " + returned.getName()
					+ ", but the tasks are replaced when the method returns; it must return the payload or the Task itself");
		}
		else if (returnsTask() && hasType) {
			problems.add(name + ": returns a Task, which has a type of its own; remove 'type' from the annotation");
		}
		else if (!returnsTask() && !hasType) {
			problems.add(name + ": returns a payload, so the annotation must name the 'type' of the new task");
		}
		return problems;
	}

	boolean returnsTask() {
		return this.method.returnedClass() == Task.class;
	}

	Type element() {
		Type element = ResolvableType.forType(listType()).as(List.class).getGeneric().getType();
		return (element instanceof WildcardType wildcard) ? wildcard.getUpperBounds()[0] : element;
	}

	Type returned() {
		return this.method.returnedType();
	}

	private Type listType() {
		Method declared = this.method.method();
		int index = List.of(declared.getParameterTypes()).indexOf(List.class);
		return this.method.resolve(declared.getGenericParameterTypes()[index]);
	}

	private int count(Class<?> type) {
		int count = 0;
		for (Class<?> parameter : this.method.method().getParameterTypes()) {
			count += (parameter == type) ? 1 : 0;
		}
		return count;
	}

}
