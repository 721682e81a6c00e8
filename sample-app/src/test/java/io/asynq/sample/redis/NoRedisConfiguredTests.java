package io.asynq.sample.redis;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.data.redis.autoconfigure.DataRedisConnectionDetails;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.util.TestPropertyValues;
import org.springframework.boot.test.util.TestPropertyValues.Type;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Conditional;
import org.springframework.context.annotation.Configuration;

import static org.assertj.core.api.Assertions.assertThat;

class NoRedisConfiguredTests {

	private final ApplicationContextRunner runner = new ApplicationContextRunner().withUserConfiguration(Marked.class);

	@Test
	void matchesWithoutAnySetting() {
		this.runner.run((context) -> assertThat(context).hasBean("marker"));
	}

	@ParameterizedTest
	@ValueSource(strings = { "spring.data.redis.url=redis://example.org:6379", "spring.data.redis.host=example.org",
			"spring.data.redis.port=6380", "spring.data.redis.database=1", "spring.data.redis.password=secret",
			"spring.data.redis.sentinel.master=mine", "spring.data.redis.cluster.nodes=a:1,b:2",
			"spring.data.redis.cluster.nodes[0]=a:1", "spring.data.redis.masterreplica.nodes=a:1",
			"spring.data.redis.ssl.enabled=true", "SPRING.DATA.REDIS.HOST=example.org" })
	void doesNotMatchWhenPropertyNamesRedis(String property) {
		this.runner.withPropertyValues(property).run((context) -> assertThat(context).doesNotHaveBean("marker"));
	}

	@ParameterizedTest
	@ValueSource(strings = { "SPRING_DATA_REDIS_HOST=example.org", "SPRING_DATA_REDIS_URL=redis://example.org:6379",
			"SPRING_DATA_REDIS_CLUSTER_NODES=a:1" })
	void doesNotMatchWhenEnvironmentVariableNamesRedis(String variable) {
		this.runner.withInitializer(
				(context) -> TestPropertyValues.of(variable).applyTo(context.getEnvironment(), Type.SYSTEM_ENVIRONMENT))
			.run((context) -> assertThat(context).doesNotHaveBean("marker"));
	}

	@ParameterizedTest
	@ValueSource(strings = { "spring.data.redis.client-type=lettuce", "spring.data.redis.jedis.pool.max-active=20",
			"spring.data.redis.timeout=2s", "spring.data.redis.connectTimeout=2s",
			"spring.data.redis.repositories.enabled=false" })
	void matchesWhenPropertiesOnlyTuneTheClient(String property) {
		this.runner.withPropertyValues(property).run((context) -> assertThat(context).hasBean("marker"));
	}

	@Test
	void matchesWhenEnvironmentVariableOnlyTunesClient() {
		this.runner
			.withInitializer((context) -> TestPropertyValues.of("SPRING_DATA_REDIS_CLIENTTYPE=lettuce")
				.applyTo(context.getEnvironment(), Type.SYSTEM_ENVIRONMENT))
			.run((context) -> assertThat(context).hasBean("marker"));
	}

	@Test
	void doesNotAffectServiceConnections() {
		new ApplicationContextRunner().withConfiguration(AutoConfigurations.of(EmbeddedRedisAutoConfiguration.class))
			.withUserConfiguration(ServiceConnection.class)
			.run((context) -> assertThat(context).hasSingleBean(DataRedisConnectionDetails.class)
				.doesNotHaveBean(EmbeddedRedisConnectionDetails.class));
	}

	@Configuration(proxyBeanMethods = false)
	@Conditional(NoRedisConfigured.class)
	static class Marked {

		@Bean
		String marker() {
			return "";
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class ServiceConnection {

		@Bean
		DataRedisConnectionDetails elsewhere() {
			return new DataRedisConnectionDetails() {
			};
		}

	}

}
