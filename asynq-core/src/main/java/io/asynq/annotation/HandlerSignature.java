package io.asynq.annotation;

import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Future;
import java.util.stream.Collectors;

import io.asynq.Task;
import io.asynq.handler.TaskContext;

import org.springframework.core.DefaultParameterNameDiscoverer;
import org.springframework.core.MethodParameter;
import org.springframework.core.ParameterNameDiscoverer;
import org.springframework.core.ReactiveAdapterRegistry;
import org.springframework.core.ResolvableType;
import org.springframework.messaging.handler.annotation.Header;
import org.springframework.messaging.handler.annotation.Headers;

/**
 * Judges whether a method can be called with a task.
 */
final class HandlerSignature {

	static final ParameterNameDiscoverer NAMES = new DefaultParameterNameDiscoverer();

	private static final String ALLOWED = "allowed are one payload of any type, Task, TaskContext, @Header and"
			+ " @Headers Map<String, String>, each optional";

	private HandlerSignature() {
	}

	/**
	 * Describes a method.
	 * @param method the method
	 * @return its name with its class and arguments
	 */
	static String describe(Method method) {
		return method.getDeclaringClass().getName() + "." + method.getName()
				+ Arrays.stream(method.getParameterTypes())
					.map(Class::getSimpleName)
					.collect(Collectors.joining(", ", "(", ")"));
	}

	/**
	 * Tells what makes a method impossible to call.
	 * @param method the method
	 * @return one sentence per mistake
	 */
	static List<String> problems(Method method) {
		List<String> problems = new ArrayList<>();
		String name = "@TaskHandler method " + describe(method);
		long payloads = 0;
		for (int i = 0; i < method.getParameterCount(); i++) {
			MethodParameter parameter = new MethodParameter(method, i);
			if (parameter.hasParameterAnnotation(Headers.class)) {
				if (!takesHeaders(parameter)) {
					problems.add(name + ": argument " + (i + 1) + " has @Headers but is no Map of strings; " + ALLOWED);
				}
			}
			else if (parameter.hasParameterAnnotation(Header.class)) {
				if (isNameless(parameter)) {
					problems.add(name + ": argument " + (i + 1)
							+ " needs the header's name, @Header(\"…\"), or compile with -parameters");
				}
			}
			else if (isPayload(parameter)) {
				payloads++;
			}
		}
		if (payloads > 1) {
			problems.add(name + ": has " + payloads + " arguments for the payload; " + ALLOWED);
		}
		if (isAsynchronous(method.getReturnType())) {
			problems.add(name + ": returns " + method.getReturnType().getName()
					+ ", but the task is over when the method returns; allowed are void or the result itself");
		}
		return problems;
	}

	/**
	 * Tells whether a parameter takes the payload.
	 * @param parameter the parameter
	 * @return whether nothing else takes it
	 */
	static boolean isPayload(MethodParameter parameter) {
		return !isTask(parameter) && !parameter.hasParameterAnnotation(Header.class)
				&& !parameter.hasParameterAnnotation(Headers.class);
	}

	/**
	 * Tells whether a parameter takes the task or its context.
	 * @param parameter the parameter
	 * @return whether it does
	 */
	static boolean isTask(MethodParameter parameter) {
		return parameter.getParameterType() == Task.class || parameter.getParameterType() == TaskContext.class;
	}

	private static boolean takesHeaders(MethodParameter parameter) {
		return ResolvableType.forMethodParameter(parameter)
			.isAssignableFrom(ResolvableType.forClassWithGenerics(Map.class, String.class, String.class));
	}

	private static boolean isNameless(MethodParameter parameter) {
		Header header = parameter.getParameterAnnotation(Header.class);
		if (header == null || !header.name().isEmpty() || !header.value().isEmpty()) {
			return false;
		}
		parameter.initParameterNameDiscovery(NAMES);
		return parameter.getParameterName() == null;
	}

	private static boolean isAsynchronous(Class<?> type) {
		return Future.class.isAssignableFrom(type)
				|| ReactiveAdapterRegistry.getSharedInstance().getAdapter(type) != null;
	}

}
