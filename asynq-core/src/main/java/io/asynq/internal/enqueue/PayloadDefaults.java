package io.asynq.internal.enqueue;

import java.util.Map;

import io.asynq.InvalidTaskException;
import io.asynq.TaskDefaults;
import io.asynq.TaskOption;
import io.asynq.TaskOptions;
import org.jspecify.annotations.Nullable;
import org.springframework.core.annotation.AnnotatedElementUtils;
import org.springframework.core.annotation.AnnotationUtils;

record PayloadDefaults(String type, TaskOptions options) {

	private static final PayloadDefaults NONE = new PayloadDefaults("", TaskOptions.none());

	/** Cached, because reading annotations takes longer than building a task. */
	private static final ClassValue<PayloadDefaults> BY_CLASS = new ClassValue<>() {
		@Override
		protected PayloadDefaults computeValue(Class<?> payloadClass) {
			TaskDefaults defaults = AnnotatedElementUtils.findMergedAnnotation(payloadClass, TaskDefaults.class);
			return (defaults != null) ? read(defaults, payloadClass) : NONE;
		}
	};

	static PayloadDefaults of(Class<?> payloadClass) {
		return BY_CLASS.get(payloadClass);
	}

	static PayloadDefaults read(TaskDefaults defaults, Class<?> payloadClass) {
		TaskOptions.Builder options = TaskOptions.builder();
		Map<String, @Nullable Object> attributes = AnnotationUtils.getAnnotationAttributes(defaults);
		for (TaskOption option : TaskOption.values()) {
			Object value = option.isForTypes() ? attributes.get(option.key()) : null;
			if (isSet(value)) {
				set(options, option, String.valueOf(value), payloadClass);
			}
		}
		return new PayloadDefaults(defaults.type(), options.build());
	}

	private static boolean isSet(@Nullable Object value) {
		return (value instanceof Integer number) ? number >= 0 : value != null && !value.equals("");
	}

	private static void set(TaskOptions.Builder options, TaskOption option, String value, Class<?> payloadClass) {
		try {
			option.set(options, option.parse(value));
		}
		catch (IllegalArgumentException | InvalidTaskException ex) {
			throw new InvalidTaskException(option.key(), "@TaskDefaults of " + payloadClass.getName() + ": '"
					+ option.key() + "=\"" + value + "\"' cannot work: " + ex.getMessage());
		}
	}

}
