package io.asynq.internal.method;

import java.lang.reflect.Method;
import java.lang.reflect.Type;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Future;
import java.util.function.Predicate;
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

final class HandlerSignature {

	static final ParameterNameDiscoverer NAMES = new DefaultParameterNameDiscoverer();

	private static final String ALLOWED = "allowed are one payload of any type, Task, TaskContext, @Header and"
			+ " @Headers Map<String, String>, each optional, and what a HandlerMethodArgumentResolver bean takes";

	private HandlerSignature() {
	}

	static String describe(Method method) {
		return method.getDeclaringClass().getName() + "." + method.getName()
				+ Arrays.stream(method.getParameterTypes())
					.map(Class::getSimpleName)
					.collect(Collectors.joining(", ", "(", ")"));
	}

	static List<String> problems(BeanMethod handler, Predicate<MethodParameter> custom) {
		Method method = handler.method();
		String name = "@TaskHandler method " + handler + ": ";
		List<String> problems = new ArrayList<>();
		handler.problems().forEach((problem) -> problems.add(name + problem));
		if (isSuspending(method)) {
			return problems;
		}
		long payloads = 0;
		for (int i = 0; i < method.getParameterCount(); i++) {
			MethodParameter parameter = new MethodParameter(method, i);
			if (parameter.hasParameterAnnotation(Headers.class)) {
				if (!takesHeaders(parameter)) {
					problems.add(name + "argument " + (i + 1) + " has @Headers but is no Map of strings; " + ALLOWED);
				}
			}
			else if (parameter.hasParameterAnnotation(Header.class)) {
				if (isNameless(parameter)) {
					problems.add(name + "argument " + (i + 1)
							+ " needs the header's name, @Header(\"…\"), or compile with -parameters");
				}
			}
			else if (isPayload(parameter) && !custom.test(parameter)) {
				payloads++;
				Type type = handler.resolve(parameter.getGenericParameterType());
				if (BeanMethod.isOpen(type)) {
					problems.add(name + "the payload has the type " + type.getTypeName()
							+ ", and neither the class nor the definition of the bean says what that is; declare it, as in"
							+ " @Bean Exporter<Order> or class OrderExporter extends Exporter<Order>");
				}
			}
		}
		if (payloads > 1) {
			problems.add(name + "has " + payloads + " arguments for the payload; " + ALLOWED);
		}
		if (isAsynchronous(handler.returnedClass())) {
			problems.add(name + "returns " + handler.returnedClass().getName()
					+ ", but the task ends when the method returns; allowed are void or the result itself");
		}
		return problems;
	}

	static boolean isPayload(MethodParameter parameter) {
		return !isTask(parameter) && !parameter.hasParameterAnnotation(Header.class)
				&& !parameter.hasParameterAnnotation(Headers.class);
	}

	static boolean isTask(MethodParameter parameter) {
		return parameter.getParameterType() == Task.class || parameter.getParameterType() == TaskContext.class;
	}

	/**
	 * Kotlin's suspend functions show only by the argument that the compiler adds.
	 */
	static boolean isSuspending(Method method) {
		Class<?>[] types = method.getParameterTypes();
		return types.length > 0 && types[types.length - 1].getName().equals("kotlin.coroutines.Continuation");
	}

	static boolean isAsynchronous(Class<?> type) {
		return Future.class.isAssignableFrom(type)
				|| ReactiveAdapterRegistry.getSharedInstance().getAdapter(type) != null;
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

}
