package io.asynq.sample.redis;

import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.data.redis.autoconfigure.DataRedisAutoConfiguration;
import org.springframework.boot.data.redis.autoconfigure.DataRedisConnectionDetails;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Conditional;

/**
 * Starts an embedded Redis when neither a property nor a service connection names one. It
 * is an auto-configuration because it depends on the beans of the application.
 */
@AutoConfiguration(before = DataRedisAutoConfiguration.class)
@Conditional(NoRedisConfigured.class)
public final class EmbeddedRedisAutoConfiguration {

	@Bean
	@ConditionalOnMissingBean(DataRedisConnectionDetails.class)
	EmbeddedRedisConnectionDetails embeddedRedisConnectionDetails() {
		return new EmbeddedRedisConnectionDetails();
	}

}
