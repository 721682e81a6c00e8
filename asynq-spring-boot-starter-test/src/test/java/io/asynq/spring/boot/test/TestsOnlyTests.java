package io.asynq.spring.boot.test;

import org.junit.jupiter.api.Test;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.annotation.Configuration;

import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

class TestsOnlyTests {

	@Test
	void applicationWithATestModeDoesNotStart() {
		assertThatIllegalStateException()
			.isThrownBy(
					() -> new SpringApplicationBuilder(Application.class).web(WebApplicationType.NONE).run().close())
			.withMessageStartingWith("@AutoConfigureAsynq works in tests only, because it keeps tasks in memory")
			.withMessageContaining("scope 'test'");
	}

	@Configuration(proxyBeanMethods = false)
	@EnableAutoConfiguration
	@AutoConfigureAsynq
	static class Application {

	}

}
