package io.asynq.spring.boot.test.memory;

import java.lang.reflect.Proxy;
import java.util.Set;

/**
 * What is not kept in memory: each call is refused by its name.
 */
final class Unsupported {

	/** The memory of one JVM is one node. */
	private static final Set<String> WHETHER_THERE_ARE_NODES = Set.of("isPartitioned", "areSpread");

	private Unsupported() {
	}

	/**
	 * Returns the refusal of an operation.
	 * @param operation role and method
	 * @param subject what it is about, as users would say it
	 */
	static UnsupportedOperationException operation(String operation, String subject) {
		return new UnsupportedOperationException(operation + ": " + subject + " cannot be tested with"
				+ " @AutoConfigureAsynq, which keeps tasks in memory. Leave the annotation out and test this with a"
				+ " real Redis, as docs/testing.md shows");
	}

	/**
	 * Returns a role that refuses every call.
	 * @param subject what it is about
	 */
	static <T> T role(Class<T> role, String subject) {
		return role
			.cast(Proxy.newProxyInstance(role.getClassLoader(), new Class<?>[] { role }, (proxy, method, arguments) -> {
				if (method.getDeclaringClass() == Object.class) {
					return ofObject(role, proxy, method.getName(), arguments);
				}
				if (WHETHER_THERE_ARE_NODES.contains(method.getName())) {
					return false;
				}
				throw operation(role.getSimpleName() + "." + method.getName(), subject);
			}));
	}

	private static Object ofObject(Class<?> role, Object proxy, String method, Object[] arguments) {
		return switch (method) {
			case "equals" -> proxy == arguments[0];
			case "hashCode" -> System.identityHashCode(proxy);
			default -> role.getSimpleName() + " that refuses every call";
		};
	}

}
