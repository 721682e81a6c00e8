package io.asynq.internal.method;

import java.util.List;
import java.util.Locale;
import java.util.Map;

import io.asynq.TaskOption;
import io.asynq.TaskOptions;
import io.asynq.annotation.PeriodicTask;
import io.asynq.schedule.InvalidPeriodicTaskException;
import io.asynq.schedule.MissedFirePolicy;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.config.ConfigurableBeanFactory;
import org.springframework.core.annotation.AnnotationUtils;

final class PeriodicTaskAttributes {

	private final AttributeResolver resolver;

	PeriodicTaskAttributes(ConfigurableBeanFactory beanFactory) {
		this.resolver = new AttributeResolver(beanFactory);
	}

	@Nullable String text(String attribute, String value) {
		if (value.isEmpty()) {
			return null;
		}
		try {
			String text = this.resolver.resolve(value);
			return text.isEmpty() ? null : text;
		}
		catch (IllegalArgumentException ex) {
			throw problem(attribute, value, ex.getMessage());
		}
	}

	void apply(PeriodicTask annotation, TaskOptions.Builder options) {
		Map<String, @Nullable Object> attributes = AnnotationUtils.getAnnotationAttributes(annotation);
		for (TaskOption option : TaskOption.values()) {
			if (option.isForPeriodicTasks()) {
				Object value = attributes.get(option.key());
				for (String text : (value instanceof String[] texts) ? texts : new String[] { (String) value }) {
					set(options, option, text);
				}
			}
		}
	}

	@Nullable MissedFirePolicy policy(String value) {
		String text = text("missedFires", value);
		try {
			return (text != null) ? MissedFirePolicy.valueOf(text.strip().toUpperCase(Locale.ROOT)) : null;
		}
		catch (IllegalArgumentException ex) {
			throw problem("missedFires", value, "must be skip or once");
		}
	}

	private void set(TaskOptions.Builder options, TaskOption option, String value) {
		String text = text(option.key(), value);
		if (text == null) {
			return;
		}
		Object parsed;
		try {
			parsed = option.parse(text);
		}
		catch (IllegalArgumentException ex) {
			throw problem(option.key(), value, ex.getMessage());
		}
		option.set(options, parsed);
	}

	private static InvalidPeriodicTaskException problem(String attribute, String value, String problem) {
		return new InvalidPeriodicTaskException(
				List.of("the attribute " + attribute + " = \"" + value + "\" " + problem));
	}

}
