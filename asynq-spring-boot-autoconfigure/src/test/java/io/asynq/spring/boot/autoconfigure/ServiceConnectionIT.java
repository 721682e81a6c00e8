package io.asynq.spring.boot.autoconfigure;

import io.asynq.AsynqClient;
import io.asynq.spring.boot.autoconfigure.TestApplication.Greetings;
import io.asynq.spring.boot.autoconfigure.TestApplication.Person;
import org.junit.jupiter.api.Test;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.testcontainers.service.connection.ServiceConnection;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.testcontainers.DockerClientFactory;
import org.testcontainers.containers.GenericContainer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

class ServiceConnectionIT {

	@Test
	void connectsToRedisOfContainer() throws Exception {
		assumeThat(DockerClientFactory.instance().isDockerAvailable())
			.as("Docker does not answer here, so @ServiceConnection is only compiled, not run")
			.isTrue();
		try (ConfigurableApplicationContext context = new SpringApplicationBuilder(ContainerApplication.class)
			.web(WebApplicationType.NONE)
			.run("--spring.data.redis.client-type=jedis")) {
			context.getBean(AsynqClient.class).enqueue("greet", new Person("Ada"));
			assertThat(context.getBean(Greetings.class).next()).isEqualTo(new Person("Ada"));
		}
	}

	@Configuration(proxyBeanMethods = false)
	@Import(TestApplication.class)
	static class ContainerApplication {

		@Bean
		@ServiceConnection(name = "redis")
		GenericContainer<?> redis() {
			return new GenericContainer<>("redis:7.2-alpine").withExposedPorts(6379);
		}

	}

}
