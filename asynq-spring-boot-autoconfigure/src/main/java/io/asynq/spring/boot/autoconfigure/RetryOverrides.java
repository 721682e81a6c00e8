package io.asynq.spring.boot.autoconfigure;

import java.util.Map;

import io.asynq.annotation.HandlerMatching;
import io.asynq.handler.RetrySettings;
import io.asynq.handler.TaskMux;

final class RetryOverrides {

	static final String PREFIX = "asynq.server.retry.";

	private final Map<String, AsynqProperties.Retry> properties;

	private final HandlerMatching matching;

	RetryOverrides(AsynqProperties.Server properties) {
		this.properties = properties.retry();
		this.matching = properties.handlerMatching();
	}

	void applyTo(TaskMux handlers) {
		this.properties.forEach((type, retry) -> handlers.retry(this.matching.pattern(type), settings(type, retry)));
	}

	private static RetrySettings settings(String type, AsynqProperties.Retry retry) {
		try {
			return RetrySettings.builder()
				.delay(retry.delay())
				.jitter(retry.jitter())
				.multiplier(retry.multiplier())
				.maxDelay(retry.maxDelay())
				.includes(retry.includes())
				.excludes(retry.excludes())
				.build();
		}
		catch (IllegalArgumentException ex) {
			throw new InvalidAsynqPropertyException(PREFIX + "[" + type + "]", retry, ex.getMessage() + ".");
		}
	}

}
