package io.asynq.console.autoconfigure;

import io.asynq.console.AsynqConsoleAuthorizer;
import io.asynq.console.http.ConsoleHandler;
import io.asynq.spring.boot.autoconfigure.AsynqAutoConfiguration;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.data.redis.autoconfigure.DataRedisAutoConfiguration;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.boot.security.autoconfigure.SecurityAutoConfiguration;
import org.springframework.boot.security.autoconfigure.web.servlet.ServletWebSecurityAutoConfiguration;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.context.runner.ReactiveWebApplicationContextRunner;
import org.springframework.boot.test.context.runner.WebApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.boot.webmvc.autoconfigure.WebMvcAutoConfiguration;
import org.springframework.security.web.SecurityFilterChain;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Whether there is a console, and what makes the application not start. Redis is not
 * asked.
 */
@ExtendWith(OutputCaptureExtension.class)
class AsynqConsoleAutoConfigurationTests {

	private static final FilteredClassLoader WITHOUT_SECURITY = new FilteredClassLoader("org.springframework.security",
			"org.springframework.boot.security");

	private final WebApplicationContextRunner runner = new WebApplicationContextRunner()
		.withConfiguration(AutoConfigurations.of(DataRedisAutoConfiguration.class, AsynqAutoConfiguration.class,
				WebMvcAutoConfiguration.class, AsynqConsoleAutoConfiguration.class))
		.withPropertyValues("spring.data.redis.client-type=jedis");

	private final WebApplicationContextRunner insecure = this.runner.withClassLoader(WITHOUT_SECURITY);

	@Test
	void isThere() {
		this.insecure.run((context) -> assertThat(context).hasSingleBean(ConsoleHandler.class)
			.hasBean("asynqConsoleHandlerMapping"));
	}

	@ParameterizedTest
	@ValueSource(strings = { "asynq.console.access=none", "asynq.console.max-access=none" })
	void isNotThereIfItMayDoNothing(String property) {
		this.insecure.withPropertyValues(property)
			.run((context) -> assertThat(context).hasNotFailed().doesNotHaveBean(ConsoleHandler.class));
	}

	@Test
	void isNotThereWithoutWeb() {
		new ApplicationContextRunner()
			.withConfiguration(AutoConfigurations.of(DataRedisAutoConfiguration.class, AsynqAutoConfiguration.class,
					AsynqConsoleAutoConfiguration.class))
			.withPropertyValues("spring.data.redis.client-type=jedis")
			.run((context) -> assertThat(context).hasNotFailed().doesNotHaveBean(ConsoleHandler.class));
	}

	@Test
	void needsNoActuator() {
		this.insecure
			.withClassLoader(new FilteredClassLoader("org.springframework.security",
					"org.springframework.boot.security", "org.springframework.boot.actuate"))
			.run((context) -> assertThat(context).hasSingleBean(ConsoleHandler.class));
	}

	@Test
	void declaresNoFilterChain() {
		this.runner
			.withConfiguration(
					AutoConfigurations.of(SecurityAutoConfiguration.class, ServletWebSecurityAutoConfiguration.class))
			.run((context) -> assertThat(context.getBeanNamesForType(SecurityFilterChain.class))
				.containsExactly("defaultSecurityFilterChain"));
	}

	@Test
	void failsIfNobodyCanLogIn() {
		this.runner.run((context) -> assertThat(analysis(context.getStartupFailure())).satisfies((told) -> {
			assertThat(told.getDescription()).contains("no security filter chain");
			assertThat(told.getAction()).contains("SecurityFilterChain", "AsynqConsoleAuthorizer",
					"asynq.console.security=none", "asynq.console.access=none");
		}));
		new ReactiveWebApplicationContextRunner()
			.withConfiguration(AutoConfigurations.of(DataRedisAutoConfiguration.class, AsynqAutoConfiguration.class,
					AsynqConsoleAutoConfiguration.class))
			.withPropertyValues("spring.data.redis.client-type=jedis")
			.run((context) -> assertThat(analysis(context.getStartupFailure()).getDescription())
				.contains("no security filter chain"));
	}

	@Test
	void authorizerTakesThePlaceOfALogin() {
		this.runner.withBean(AsynqConsoleAuthorizer.class, () -> (who, right, queue) -> false)
			.run((context) -> assertThat(context).hasNotFailed());
	}

	@Test
	void failsIfAnAuthorizerWouldNotBeAsked() {
		this.insecure.withBean(AsynqConsoleAuthorizer.class, () -> (who, right, queue) -> false)
			.withPropertyValues("asynq.console.security=none")
			.run((context) -> assertThat(analysis(context.getStartupFailure()).getDescription())
				.contains("asynq.console.security is none", "AsynqConsoleAuthorizer"));
	}

	@Test
	void failsIfATokenWouldNotBeAskedFor() {
		String token = "asynq.console.token=0123456789abcdef";
		this.insecure.withPropertyValues(token, "asynq.console.security=none")
			.run((context) -> assertThat(analysis(context.getStartupFailure()).getDescription())
				.contains("asynq.console.token", "asynq.console.security is none")
				.doesNotContain("0123456789abcdef"));
		this.insecure.withPropertyValues(token)
			.withBean(AsynqConsoleAuthorizer.class, () -> (who, right, queue) -> false)
			.run((context) -> assertThat(analysis(context.getStartupFailure()).getDescription())
				.contains("AsynqConsoleAuthorizer"));
		this.runner.withPropertyValues(token)
			.withConfiguration(
					AutoConfigurations.of(SecurityAutoConfiguration.class, ServletWebSecurityAutoConfiguration.class))
			.run((context) -> assertThat(analysis(context.getStartupFailure()).getDescription())
				.contains("Spring Security"));
	}

	@ParameterizedTest
	@ValueSource(strings = { "", "short", "with spaces 0123456789", "0123456789abcde&" })
	void tokenThatIsShortOrDoesNotFitInAUrlIsRefusedUnquoted(String token) {
		this.insecure.withPropertyValues("asynq.console.token=" + token)
			.run((context) -> assertThat(context).getFailure()
				.rootCause()
				.hasMessageContaining("asynq.console.token must have at least 16 characters")
				.matches((ex) -> token.isEmpty() || !ex.getMessage().contains(token)));
	}

	@Test
	void saysThatItIsOpen(CapturedOutput output) {
		this.insecure.withPropertyValues("asynq.console.security=none")
			.run((context) -> assertThat(output).contains("WARN").contains("open to everybody"));
	}

	@ParameterizedTest
	@ValueSource(strings = { "", "management.server.port=-1" })
	void failsIfTheActuatorsServerIsMissing(String property) {
		WebApplicationContextRunner runner = property.isEmpty()
				? this.runner.withClassLoader(new FilteredClassLoader("org.springframework.security",
						"org.springframework.boot.security", "org.springframework.boot.actuate"))
				: this.insecure.withPropertyValues(property);
		runner.withPropertyValues("asynq.console.server=management")
			.run((context) -> assertThat(analysis(context.getStartupFailure())).satisfies((told) -> {
				assertThat(told.getDescription()).contains("asynq.console.server=management");
				assertThat(told.getAction()).contains("spring-boot-starter-actuator", "management.server.port");
			}));
	}

	@ParameterizedTest
	@ValueSource(strings = { "asynq.console.access=everything", "asynq.console.max-access=write",
			"asynq.console.security=off", "asynq.console.server=other", "asynq.console.path=/", "asynq.console.path=a",
			"asynq.console.show-payloads=sometimes", "asynq.console.authorities.admin=" })
	void failsIfASettingMakesNoSense(String property) {
		this.insecure.withPropertyValues(property).run((context) -> assertThat(context).hasFailed());
	}

	private static FailureAnalysis analysis(@Nullable Throwable failure) {
		assertThat(failure).isNotNull();
		FailureAnalysis analysis = new ConsoleConfigurationFailureAnalyzer().analyze(failure);
		assertThat(analysis).isNotNull();
		return analysis;
	}

}
