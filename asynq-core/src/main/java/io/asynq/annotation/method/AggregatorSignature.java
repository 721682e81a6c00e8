package io.asynq.annotation.method;

import java.lang.reflect.Method;
import java.lang.reflect.Type;
import java.lang.reflect.TypeVariable;
import java.lang.reflect.WildcardType;
import java.util.ArrayList;
import java.util.List;

import io.asynq.Task;

import org.springframework.core.GenericTypeResolver;
import org.springframework.core.ResolvableType;

/**
 * Checks the signature of an aggregator method.
 */
final class AggregatorSignature {

	private static final String ALLOWED = "allowed are one List of payloads or of Task, and one String for the group";

	private final Method method;

	private final Class<?> targetClass;

	AggregatorSignature(Method method, Class<?> targetClass) {
		this.method = method;
		this.targetClass = targetClass;
	}

	/**
	 * Returns one sentence per mistake.
	 * @param hasType whether the annotation names the type of the new task
	 */
	List<String> problems(boolean hasType) {
		List<String> problems = new ArrayList<>();
		String name = "@TaskAggregator method " + HandlerSignature.describe(this.method);
		if (HandlerSignature.isSuspending(this.method)) {
			return List.of(name + ": " + HandlerSignature.SUSPENDING);
		}
		int lists = count(List.class);
		int groups = count(String.class);
		if (lists != 1 || groups > 1 || lists + groups < this.method.getParameterCount()) {
			problems.add(name + ": its arguments cannot be resolved; " + ALLOWED);
		}
		else if (element() instanceof TypeVariable) {
			problems.add(name + ": the List has no concrete element type; " + ALLOWED);
		}
		Class<?> returned = this.method.getReturnType();
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
		return this.method.getReturnType() == Task.class;
	}

	/**
	 * Returns the type of the list's elements, which is {@link Task} or that of the
	 * payloads.
	 */
	Type element() {
		Type element = ResolvableType.forType(listType()).as(List.class).getGeneric().getType();
		return (element instanceof WildcardType wildcard) ? wildcard.getUpperBounds()[0] : element;
	}

	/** Returns the type of the new task's payload, or {@link Task}. */
	Type returned() {
		return GenericTypeResolver.resolveType(this.method.getGenericReturnType(), this.targetClass);
	}

	private Type listType() {
		int index = List.of(this.method.getParameterTypes()).indexOf(List.class);
		return GenericTypeResolver.resolveType(this.method.getGenericParameterTypes()[index], this.targetClass);
	}

	private int count(Class<?> type) {
		int count = 0;
		for (Class<?> parameter : this.method.getParameterTypes()) {
			count += (parameter == type) ? 1 : 0;
		}
		return count;
	}

}
