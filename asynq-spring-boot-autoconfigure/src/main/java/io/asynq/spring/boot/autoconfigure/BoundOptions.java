package io.asynq.spring.boot.autoconfigure;

import java.lang.reflect.Method;
import java.lang.reflect.RecordComponent;
import java.util.stream.Stream;

import org.springframework.boot.context.properties.bind.DataObjectPropertyName;
import org.springframework.util.ClassUtils;
import org.springframework.util.ReflectionUtils;

/**
 * An option has the same name in properties and at the builder that explains and checks
 * it.
 */
final class BoundOptions {

	private BoundOptions() {
	}

	/** Sets each option that was bound and that the builder has. */
	static void apply(String prefix, Record bound, Object builder) {
		for (RecordComponent component : bound.getClass().getRecordComponents()) {
			ReflectionUtils.makeAccessible(component.getAccessor());
			Object value = ReflectionUtils.invokeMethod(component.getAccessor(), bound);
			if (value != null) {
				String property = prefix + DataObjectPropertyName.toDashedForm(component.getName());
				Stream.of(builder.getClass().getMethods())
					.filter((method) -> isFor(component, method))
					.forEach((method) -> InvalidAsynqPropertyException.check(property, value,
							() -> ReflectionUtils.invokeMethod(method, builder, value)));
			}
		}
	}

	private static boolean isFor(RecordComponent component, Method method) {
		return method.getName().equals(component.getName()) && method.getParameterCount() == 1
				&& ClassUtils.isAssignable(method.getParameterTypes()[0], component.getType());
	}

}
