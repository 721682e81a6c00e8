package io.asynq.spring.boot.autoconfigure;

import io.asynq.AsynqClient;
import io.asynq.spring.boot.autoconfigure.endpoint.AsynqEndpointAutoConfiguration;
import io.asynq.spring.boot.autoconfigure.endpoint.AsynqInfoAutoConfiguration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.boot.health.contributor.Status;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

import static org.assertj.core.api.Assertions.assertThat;
import static org.mockito.Mockito.mock;

class AsynqHealthContributorAutoConfigurationTests {

	private final ApplicationContextRunner runner = AsynqContexts.wired();

	@Test
	void isDownWithoutRedisAndReportsServer() {
		this.runner.withPropertyValues("asynq.server.queues.low=1", "asynq.server.queues.high=3").run((context) -> {
			Health health = context.getBean(AsynqHealthIndicator.class).health();
			assertThat(health.getStatus()).isEqualTo(Status.DOWN);
			assertThat(health.getDetails()).containsEntry("server", "new").containsKey("error");
			assertThat(health.getDetails().get("queues")).hasToString("{high=3, low=1}");
		});
	}

	@Test
	void reportsNothingOfDisabledServer() {
		this.runner.withPropertyValues("asynq.server.enabled=false")
			.run((context) -> assertThat(context.getBean(AsynqHealthIndicator.class).health().getDetails())
				.doesNotContainKeys("server", "queues"));
	}

	@Test
	void backsOffWhenDisabled() {
		this.runner.withPropertyValues("management.health.asynq.enabled=false")
			.run((context) -> assertThat(context).doesNotHaveBean(AsynqHealthIndicator.class));
	}

	@ParameterizedTest
	@ValueSource(strings = { "asynqHealthIndicator", "asynqHealthContributor" })
	void backsOffForIndicatorOfApplication(String name) {
		this.runner.withBean(name, HealthIndicator.class, () -> mock())
			.run((context) -> assertThat(context).hasNotFailed().doesNotHaveBean(AsynqHealthIndicator.class));
	}

	@Test
	void backsOffWithoutActuator() {
		new ApplicationContextRunner().withUserConfiguration(AsynqContexts.Application.class)
			.withClassLoader(
					new FilteredClassLoader("org.springframework.boot.health", "org.springframework.boot.actuate"))
			.run((context) -> assertThat(context).hasSingleBean(AsynqClient.class)
				.doesNotHaveBean(AsynqHealthContributorAutoConfiguration.class)
				.doesNotHaveBean(AsynqEndpointAutoConfiguration.class)
				.doesNotHaveBean(AsynqInfoAutoConfiguration.class));
	}

}
