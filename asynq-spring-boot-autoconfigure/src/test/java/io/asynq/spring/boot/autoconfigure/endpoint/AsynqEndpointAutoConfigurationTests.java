package io.asynq.spring.boot.autoconfigure.endpoint;

import java.util.Map;

import io.asynq.operations.Problem;
import io.asynq.spring.boot.autoconfigure.AsynqAutoConfiguration;
import io.asynq.spring.boot.autoconfigure.AsynqServerAutoConfiguration;
import org.junit.jupiter.api.Test;
import org.springframework.boot.actuate.endpoint.Access;
import org.springframework.boot.actuate.endpoint.Show;
import org.springframework.boot.actuate.endpoint.web.annotation.WebEndpoint;
import org.springframework.boot.actuate.info.Info;
import org.springframework.boot.actuate.info.InfoContributor;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.autoconfigure.context.LifecycleAutoConfiguration;
import org.springframework.boot.context.properties.bind.Bindable;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.context.properties.source.MapConfigurationPropertySource;
import org.springframework.boot.data.redis.autoconfigure.DataRedisAutoConfiguration;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

import static org.assertj.core.api.Assertions.assertThat;

class AsynqEndpointAutoConfigurationTests {

	private final ApplicationContextRunner runner = new ApplicationContextRunner()
		.withConfiguration(AutoConfigurations.of(LifecycleAutoConfiguration.class, DataRedisAutoConfiguration.class,
				AsynqAutoConfiguration.class, AsynqServerAutoConfiguration.class, AsynqEndpointAutoConfiguration.class,
				AsynqInfoAutoConfiguration.class))
		.withPropertyValues("spring.data.redis.client-type=jedis", "spring.data.redis.port=1",
				"asynq.server.auto-startup=false", "spring.main.web-application-type=none");

	@Test
	void isThereIfExposed() {
		this.runner.withPropertyValues("management.endpoints.web.exposure.include=asynq")
			.run((context) -> assertThat(context).hasSingleBean(AsynqEndpoint.class));
	}

	@Test
	void isNotThereByDefault() {
		this.runner.run((context) -> assertThat(context).doesNotHaveBean(AsynqEndpoint.class));
	}

	@Test
	void isNotThereWithoutAccess() {
		this.runner
			.withPropertyValues("management.endpoints.web.exposure.include=asynq",
					"management.endpoint.asynq.access=NONE")
			.run((context) -> assertThat(context).doesNotHaveBean(AsynqEndpoint.class));
	}

	@Test
	void isNotThereWithoutRedisAndNeitherIsInfo() {
		new ApplicationContextRunner()
			.withConfiguration(AutoConfigurations.of(AsynqAutoConfiguration.class, AsynqServerAutoConfiguration.class,
					AsynqEndpointAutoConfiguration.class, AsynqInfoAutoConfiguration.class))
			.withPropertyValues("management.endpoints.web.exposure.include=asynq")
			.run((context) -> assertThat(context).hasNotFailed()
				.doesNotHaveBean(AsynqEndpoint.class)
				.doesNotHaveBean("asynqInfoContributor"));
	}

	@Test
	void backsOffForContributorOfApplication() {
		InfoContributor own = (info) -> {
		};
		this.runner.withBean("asynqInfoContributor", InfoContributor.class, () -> own)
			.run((context) -> assertThat(context).hasNotFailed().getBean("asynqInfoContributor").isSameAs(own));
	}

	@Test
	void isReadOnlyByDefaultAndNotForJmx() {
		WebEndpoint endpoint = AsynqEndpoint.class.getAnnotation(WebEndpoint.class);
		assertThat(endpoint.defaultAccess()).isEqualTo(Access.READ_ONLY);
		assertThat(endpoint.id()).isEqualTo("asynq");
	}

	@Test
	void redisThatIsDownIsProblem() {
		this.runner.withPropertyValues("management.endpoints.web.exposure.include=asynq").run((context) -> {
			AsynqEndpoint endpoint = context.getBean(AsynqEndpoint.class);
			assertThat(endpoint.overview(null).getStatus()).isEqualTo(503);
			assertThat(endpoint.overview(null).getBody()).isInstanceOfSatisfying(Problem.class,
					(problem) -> assertThat(problem.detail()).contains("Redis cannot be reached"));
		});
	}

	@Test
	void infoTellsWhatServerIsSetUpFor() {
		this.runner.withPropertyValues("asynq.server.queues.low=1", "asynq.server.concurrency=3").run((context) -> {
			Info.Builder info = new Info.Builder();
			context.getBean("asynqInfoContributor", InfoContributor.class).contribute(info);
			assertThat(info.build().getDetails().get("asynq")).asString()
				.endsWith("server=new, concurrency=3, queues={low=1}, strictPriority=false}");
		});
	}

	@Test
	void infoCanBeSwitchedOff() {
		this.runner.withPropertyValues("management.info.asynq.enabled=false")
			.run((context) -> assertThat(context).doesNotHaveBean("asynqInfoContributor"));
	}

	@Test
	void bindsItsProperties() {
		AsynqEndpointProperties defaults = bind(Map.of());
		assertThat(defaults.showValues()).isEqualTo(Show.NEVER);
		assertThat(defaults.roles()).isEmpty();
		AsynqEndpointProperties set = bind(
				Map.of("asynq.endpoint.show-values", "when-authorized", "asynq.endpoint.roles", "A,B"));
		assertThat(set.showValues()).isEqualTo(Show.WHEN_AUTHORIZED);
		assertThat(set.roles()).containsExactlyInAnyOrder("A", "B");
	}

	private static AsynqEndpointProperties bind(Map<String, String> values) {
		return new Binder(new MapConfigurationPropertySource(values)).bindOrCreate("asynq.endpoint",
				Bindable.of(AsynqEndpointProperties.class));
	}

}
