package io.asynq.spring.boot.autoconfigure;

import java.lang.reflect.Method;

import io.asynq.TaskOption;
import io.asynq.TaskOptions;
import org.jspecify.annotations.Nullable;
import org.springframework.util.ReflectionUtils;

final class RecordOptions {

	private RecordOptions() {
	}

	static void apply(Record properties, TaskOptions.Builder options) {
		for (TaskOption option : TaskOption.values()) {
			Method accessor = ReflectionUtils.findMethod(properties.getClass(), option.key());
			Object value = (accessor != null) ? value(accessor, properties) : null;
			if (value != null) {
				option.set(options, value);
			}
		}
	}

	private static @Nullable Object value(Method accessor, Record properties) {
		ReflectionUtils.makeAccessible(accessor);
		return ReflectionUtils.invokeMethod(accessor, properties);
	}

}
