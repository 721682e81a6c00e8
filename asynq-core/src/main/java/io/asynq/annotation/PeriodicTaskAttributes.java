package io.asynq.annotation;

import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.function.Consumer;

import io.asynq.TaskOptions;
import io.asynq.scheduler.InvalidPeriodicTaskException;
import io.asynq.scheduler.MissedFirePolicy;
import org.jspecify.annotations.Nullable;

import org.springframework.beans.factory.config.ConfigurableBeanFactory;
import org.springframework.format.datetime.standard.DurationFormatterUtils;

/**
 * Attributes of {@link PeriodicTask}: placeholders, numbers, durations.
 */
final class PeriodicTaskAttributes {

	private final AttributeResolver resolver;

	PeriodicTaskAttributes(ConfigurableBeanFactory beanFactory) {
		this.resolver = new AttributeResolver(beanFactory);
	}

	/**
	 * Resolves an attribute.
	 * @param attribute its name
	 * @param value its value
	 * @return the text, {@code null} if it is empty
	 */
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

	/**
	 * Sets the options that an annotation names.
	 * @param annotation the annotation
	 * @param options takes them
	 */
	void apply(PeriodicTask annotation, TaskOptions.Builder options) {
		set("queue", annotation.queue(), options::queue);
		set("maxRetry", annotation.maxRetry(), (text) -> options.maxRetry(Integer.parseInt(text)));
		set("taskId", annotation.taskId(), options::taskId);
		duration("timeout", annotation.timeout(), options::timeout);
		duration("unique", annotation.unique(), options::unique);
		duration("processIn", annotation.processIn(), options::processIn);
		duration("retention", annotation.retention(), options::retention);
		set("group", annotation.group(), options::group);
		for (String header : annotation.headers()) {
			set("headers", header, (text) -> {
				int end = text.indexOf('=');
				if (end < 1) {
					throw problem("headers", text, "must be written as name=value");
				}
				options.header(text.substring(0, end), text.substring(end + 1));
			});
		}
	}

	/**
	 * Reads what becomes of missed fires.
	 * @param value the attribute
	 * @return the policy, {@code null} if there is none
	 */
	@Nullable MissedFirePolicy policy(String value) {
		String text = text("missedFires", value);
		try {
			return (text != null) ? MissedFirePolicy.valueOf(text.strip().toUpperCase(Locale.ROOT)) : null;
		}
		catch (IllegalArgumentException ex) {
			throw problem("missedFires", value, "must be skip or once");
		}
	}

	private void duration(String attribute, String value, Consumer<Duration> setter) {
		set(attribute, value, (text) -> {
			Duration duration;
			try {
				duration = DurationFormatterUtils.detectAndParse(text);
			}
			catch (IllegalArgumentException ex) {
				throw problem(attribute, value, "must be a duration like 30s or PT5M");
			}
			setter.accept(duration);
		});
	}

	private void set(String attribute, String value, Consumer<String> setter) {
		String text = text(attribute, value);
		if (text == null) {
			return;
		}
		try {
			setter.accept(text);
		}
		catch (NumberFormatException ex) {
			throw problem(attribute, value, "must be a whole number");
		}
	}

	private static InvalidPeriodicTaskException problem(String attribute, String value, String problem) {
		return new InvalidPeriodicTaskException(
				List.of("the attribute " + attribute + " = \"" + value + "\" " + problem));
	}

}
