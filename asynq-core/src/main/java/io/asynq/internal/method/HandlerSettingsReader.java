package io.asynq.internal.method;

import java.lang.reflect.Method;
import java.time.Duration;
import java.util.List;

import io.asynq.InvalidTaskException;
import io.asynq.TaskOption;
import io.asynq.TaskOptions;
import io.asynq.annotation.TaskHandler;
import io.asynq.annotation.TaskRetry;
import io.asynq.handler.HandlerLimits;
import io.asynq.handler.HandlerSettings;
import io.asynq.handler.RetrySettings;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.BeansException;
import org.springframework.beans.factory.config.ConfigurableBeanFactory;
import org.springframework.core.annotation.AnnotatedElementUtils;
import org.springframework.util.backoff.BackOff;

final class HandlerSettingsReader {

	private final ConfigurableBeanFactory beanFactory;

	private final AttributeResolver resolver;

	HandlerSettingsReader(ConfigurableBeanFactory beanFactory) {
		this.beanFactory = beanFactory;
		this.resolver = new AttributeResolver(beanFactory);
	}

	/**
	 * The message of what it throws names the attribute.
	 */
	HandlerSettings read(TaskHandler annotation, Class<?> targetClass, Method method, HandlerLimits limits) {
		return new HandlerSettings(limits, defaults(annotation), retry(annotation, targetClass, method));
	}

	private TaskOptions defaults(TaskHandler annotation) {
		TaskOptions.Builder options = TaskOptions.builder();
		if (annotation.maxRetry() >= 0) {
			options.maxRetry(annotation.maxRetry());
		}
		Duration timeout = duration("timeout", annotation.timeout());
		if (timeout != null) {
			try {
				options.timeout(timeout);
			}
			catch (InvalidTaskException ex) {
				throw new IllegalArgumentException(
						"timeout = \"" + annotation.timeout() + "\" cannot work: " + ex.getMessage(), ex);
			}
		}
		return options.build();
	}

	private RetrySettings retry(TaskHandler annotation, Class<?> targetClass, Method method) {
		RetrySettings.Builder settings = RetrySettings.builder();
		TaskRetry own = AnnotatedElementUtils.findMergedAnnotation(method, TaskRetry.class);
		TaskRetry retry = (own != null) ? own
				: AnnotatedElementUtils.findMergedAnnotation(targetClass, TaskRetry.class);
		boolean delayed = retry != null && hasDelay(retry);
		if (retry != null) {
			settings.includes(List.of(retry.includes())).excludes(List.of(retry.excludes()));
		}
		if (!annotation.retryDelay().isEmpty()) {
			if (own != null && delayed) {
				throw new IllegalArgumentException("has both retryDelay and @TaskRetry with delays; keep one of them");
			}
			settings.delay(notNegative("retryDelay", annotation.retryDelay()));
		}
		else if (delayed) {
			applyDelays(retry, settings);
		}
		try {
			return settings.build();
		}
		catch (IllegalArgumentException ex) {
			throw new IllegalArgumentException("@TaskRetry cannot work: " + ex.getMessage(), ex);
		}
	}

	private void applyDelays(TaskRetry retry, RetrySettings.Builder settings) {
		settings.backOff(backOff(retry.backOff()))
			.delay(notNegative("delay", retry.delay()))
			.jitter(notNegative("jitter", retry.jitter()))
			.maxDelay(notNegative("maxDelay", retry.maxDelay()));
		if (retry.multiplier() != 1) {
			settings.multiplier(retry.multiplier());
		}
	}

	private static boolean hasDelay(TaskRetry retry) {
		return retry.multiplier() != 1
				|| !(retry.delay() + retry.jitter() + retry.maxDelay() + retry.backOff()).isEmpty();
	}

	private @Nullable BackOff backOff(String name) {
		if (name.isEmpty()) {
			return null;
		}
		try {
			return this.beanFactory.getBean(this.resolver.resolve(name), BackOff.class);
		}
		catch (BeansException ex) {
			throw new IllegalArgumentException(
					"backOff = \"" + name + "\" must be the name of a BackOff bean: " + ex.getMessage(), ex);
		}
	}

	private @Nullable Duration notNegative(String attribute, String value) {
		Duration duration = duration(attribute, value);
		if (duration != null && duration.isNegative()) {
			throw new IllegalArgumentException(attribute + " = \"" + value + "\" must not be negative");
		}
		return duration;
	}

	private @Nullable Duration duration(String attribute, String value) {
		if (value.isEmpty()) {
			return null;
		}
		try {
			String text = this.resolver.resolve(value);
			return text.isEmpty() ? null : (Duration) TaskOption.TIMEOUT.parse(text);
		}
		catch (IllegalArgumentException ex) {
			throw new IllegalArgumentException(attribute + " = \"" + value + "\" " + ex.getMessage(), ex);
		}
	}

}
