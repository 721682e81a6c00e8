package io.asynq.spring.boot.autoconfigure;

import java.time.Clock;

import io.asynq.InvalidTaskException;
import io.asynq.PayloadConverter;
import io.asynq.TaskOptions;
import io.asynq.client.ClientOptions;

import org.springframework.boot.context.properties.PropertyMapper;

/**
 * Turns properties and customizers into {@link ClientOptions}.
 */
final class ClientOptionsFactory {

	private static final String PREFIX = "asynq.client.";

	private final AsynqProperties.Client properties;

	ClientOptionsFactory(AsynqProperties.Client properties) {
		this.properties = properties;
	}

	ClientOptions create(Clock clock, PayloadConverter payloadConverter, Iterable<AsynqClientCustomizer> customizers) {
		ClientOptions.Builder options = ClientOptions.builder().clock(clock).payloadConverter(payloadConverter);
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
			return TaskOptions.of((options) -> {
				PropertyMapper map = PropertyMapper.get();
				map.from(defaults::queue).to(options::queue);
				map.from(defaults::maxRetry).to(options::maxRetry);
				map.from(defaults::timeout).to(options::timeout);
				map.from(defaults::retention).to(options::retention);
				map.from(defaults::unique).to(options::unique);
			});
		}
		catch (InvalidTaskException ex) {
			throw new InvalidAsynqPropertyException(PREFIX + "tasks.[" + type + "]", defaults, ex.getMessage() + ".");
		}
	}

}
