package io.asynq.spring.boot.autoconfigure;

import java.util.List;

import io.asynq.payload.AsynqJsonMapper;
import io.asynq.spring.boot.autoconfigure.AsynqProperties.Json.DurationForm;
import org.springframework.beans.factory.ObjectProvider;
import tools.jackson.databind.MapperFeature;
import tools.jackson.databind.json.JsonMapper;

/**
 * The mapper of payloads is no bean: Spring Boot's own mapper would back off.
 */
final class PayloadMapperFactory {

	private final AsynqProperties.Json properties;

	private final ObjectProvider<JsonMapper> application;

	PayloadMapperFactory(AsynqProperties.Json properties, ObjectProvider<JsonMapper> application) {
		this.properties = properties;
		this.application = application;
	}

	/**
	 * Returns the application's mapper itself if it is asked for and nothing changes it.
	 */
	JsonMapper create(List<AsynqJsonMapperCustomizer> customizers) {
		if (!this.properties.useApplicationMapper()) {
			return customize(AsynqJsonMapper.builder(), customizers);
		}
		JsonMapper mapper = applicationMapper();
		boolean changed = isNanoseconds() || this.properties.caseInsensitiveNames() || !customizers.isEmpty();
		return changed ? customize(mapper.rebuild(), customizers) : mapper;
	}

	private JsonMapper customize(JsonMapper.Builder builder, List<AsynqJsonMapperCustomizer> customizers) {
		if (isNanoseconds()) {
			AsynqJsonMapper.durationsAsNanoseconds(builder);
		}
		if (this.properties.caseInsensitiveNames()) {
			builder.enable(MapperFeature.ACCEPT_CASE_INSENSITIVE_PROPERTIES);
		}
		customizers.forEach((customizer) -> customizer.customize(builder));
		return builder.build();
	}

	private boolean isNanoseconds() {
		return this.properties.durations() == DurationForm.NANOSECONDS;
	}

	private JsonMapper applicationMapper() {
		JsonMapper mapper = this.application.getIfAvailable();
		if (mapper == null) {
			throw new InvalidAsynqPropertyException("asynq.json.use-application-mapper", true,
					"This application has no JsonMapper bean: declare one, or leave the property out, and payloads are"
							+ " read and written by a mapper of the queue's own.");
		}
		return mapper;
	}

}
