package io.asynq.spring.boot.autoconfigure;

import java.time.Clock;
import java.util.List;

import io.asynq.ClientOptions;
import io.asynq.EnqueueInterceptor;
import io.asynq.InvalidTaskException;
import io.asynq.TaskOptions;
import io.asynq.payload.PayloadConverter;

final class ClientOptionsFactory {

	private static final String PREFIX = "asynq.client.";

	private final AsynqProperties.Client properties;

	private final List<EnqueueInterceptor> interceptors;

	ClientOptionsFactory(AsynqProperties.Client properties, List<EnqueueInterceptor> interceptors) {
		this.properties = properties;
		this.interceptors = interceptors;
	}

	ClientOptions create(Clock clock, PayloadConverter payloadConverter, Iterable<AsynqClientCustomizer> customizers) {
		ClientOptions.Builder options = ClientOptions.builder()
			.clock(clock)
			.payloadConverter(payloadConverter)
			.shareCalls(this.properties.shareCalls())
			.afterCommit(this.properties.afterCommit());
		this.interceptors.forEach(options::interceptor);
		maxPayloadSize(options);
		this.properties.tasks().forEach((type, defaults) -> options.defaults(type, taskOptions(type, defaults)));
		customizers.forEach((customizer) -> customizer.customize(options));
		return options.build();
	}

	private void maxPayloadSize(ClientOptions.Builder options) {
		try {
			options.maxPayloadSize(this.properties.maxPayloadSize().toBytes());
		}
		catch (IllegalArgumentException ex) {
			throw new InvalidAsynqPropertyException(PREFIX + "max-payload-size", this.properties.maxPayloadSize(),
					"It must be at least 1 byte.");
		}
	}

	private TaskOptions taskOptions(String type, AsynqProperties.TaskDefaults defaults) {
		try {
			return TaskOptions.of((options) -> RecordOptions.apply(defaults, options));
		}
		catch (InvalidTaskException ex) {
			throw new InvalidAsynqPropertyException(PREFIX + "tasks.[" + type + "]", defaults, ex.getMessage() + ".");
		}
	}

}
