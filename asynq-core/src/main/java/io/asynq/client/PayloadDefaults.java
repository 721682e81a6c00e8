package io.asynq.client;

import java.time.Duration;
import java.util.function.Consumer;

import io.asynq.InvalidTaskException;
import io.asynq.TaskOptions;

import org.springframework.core.annotation.AnnotatedElementUtils;
import org.springframework.format.datetime.standard.DurationFormatterUtils;

/**
 * What the {@link TaskDefaults} of a payload's class say.
 *
 * @param type the type of task, "" if none is named
 * @param options the options
 */
record PayloadDefaults(String type, TaskOptions options) {

	private static final PayloadDefaults NONE = new PayloadDefaults("", TaskOptions.none());

	/** Reading annotations takes longer than building a task, so it is done once. */
	private static final ClassValue<PayloadDefaults> BY_CLASS = new ClassValue<>() {
		@Override
		protected PayloadDefaults computeValue(Class<?> payloadClass) {
			TaskDefaults defaults = AnnotatedElementUtils.findMergedAnnotation(payloadClass, TaskDefaults.class);
			return (defaults != null) ? read(defaults, payloadClass) : NONE;
		}
	};

	/**
	 * Reads the defaults of a class.
	 * @param payloadClass the class
	 * @return its defaults
	 * @throws InvalidTaskException if a value makes no sense
	 */
	static PayloadDefaults of(Class<?> payloadClass) {
		return BY_CLASS.get(payloadClass);
	}

	private static PayloadDefaults read(TaskDefaults defaults, Class<?> payloadClass) {
		TaskOptions.Builder options = TaskOptions.builder();
		if (!defaults.queue().isEmpty()) {
			options.queue(defaults.queue());
		}
		if (defaults.maxRetry() >= 0) {
			options.maxRetry(defaults.maxRetry());
		}
		duration("timeout", defaults.timeout(), payloadClass, options::timeout);
		duration("retention", defaults.retention(), payloadClass, options::retention);
		duration("unique", defaults.unique(), payloadClass, options::unique);
		return new PayloadDefaults(defaults.type(), options.build());
	}

	private static void duration(String option, String value, Class<?> payloadClass, Consumer<Duration> setter) {
		if (value.isEmpty()) {
			return;
		}
		try {
			setter.accept(DurationFormatterUtils.detectAndParse(value));
		}
		catch (IllegalArgumentException | InvalidTaskException ex) {
			throw new InvalidTaskException(option, "@TaskDefaults of " + payloadClass.getName() + ": '" + option + "=\""
					+ value + "\"' must be a duration like 30s or PT5M that this option takes: " + ex.getMessage());
		}
	}

}
