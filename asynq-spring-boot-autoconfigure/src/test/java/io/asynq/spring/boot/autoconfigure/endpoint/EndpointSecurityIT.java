package io.asynq.spring.boot.autoconfigure.endpoint;

import java.util.Map;
import java.util.function.ToIntFunction;
import java.util.stream.Stream;

import io.asynq.AsynqClient;
import io.asynq.test.TestRedis;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.actuate.audit.AuditEvent;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.http.HttpMethod;
import org.springframework.security.config.Customizer;
import org.springframework.security.config.annotation.web.builders.HttpSecurity;
import org.springframework.security.config.annotation.web.configurers.CsrfConfigurer;
import org.springframework.security.config.web.server.ServerHttpSecurity;
import org.springframework.security.core.userdetails.MapReactiveUserDetailsService;
import org.springframework.security.core.userdetails.User;
import org.springframework.security.core.userdetails.UserDetails;
import org.springframework.security.core.userdetails.UserDetailsService;
import org.springframework.security.provisioning.InMemoryUserDetailsManager;
import org.springframework.security.web.SecurityFilterChain;
import org.springframework.security.web.server.SecurityWebFilterChain;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.arguments;

/**
 * What the endpoint answers: the three ways of security, times the three kinds of access,
 * with Spring MVC and with WebFlux. Each answer is that to an anonymous caller, a viewer
 * and an operator. With Boot's default chain a write without a CSRF token is refused with
 * 403; with Spring MVC the error page, which needs authentication as well, makes a 401 of
 * it.
 */
@Tag("slow")
class EndpointSecurityIT {

	private static final WebApplicationType MVC = WebApplicationType.SERVLET;

	private static final WebApplicationType WEB_FLUX = WebApplicationType.REACTIVE;

	private static TestRedis redis;

	@BeforeAll
	static void start() {
		redis = TestRedis.startOwn();
	}

	@AfterAll
	static void stop() {
		redis.stop();
	}

	static Stream<Arguments> table() {
		return Stream.of(row(MVC, Way.NO_SECURITY, "none", "404 404 404", "404 404 404"),
				row(MVC, Way.NO_SECURITY, "read-only", "200 200 200", "405 405 405"),
				row(MVC, Way.NO_SECURITY, "unrestricted", "200 200 200", "200 200 200"),
				row(MVC, Way.DEFAULT_CHAIN, "none", "401 404 404", "401 401 401"),
				row(MVC, Way.DEFAULT_CHAIN, "read-only", "401 200 200", "401 401 401"),
				row(MVC, Way.DEFAULT_CHAIN, "unrestricted", "401 200 200", "401 401 401"),
				row(MVC, Way.OWN_CHAIN, "none", "401 404 404", "401 403 404"),
				row(MVC, Way.OWN_CHAIN, "read-only", "401 200 200", "401 403 405"),
				row(MVC, Way.OWN_CHAIN, "unrestricted", "401 200 200", "401 403 200"),
				row(WEB_FLUX, Way.NO_SECURITY, "none", "404 404 404", "404 404 404"),
				row(WEB_FLUX, Way.NO_SECURITY, "read-only", "200 200 200", "405 405 405"),
				row(WEB_FLUX, Way.NO_SECURITY, "unrestricted", "200 200 200", "200 200 200"),
				row(WEB_FLUX, Way.DEFAULT_CHAIN, "none", "401 404 404", "403 403 403"),
				row(WEB_FLUX, Way.DEFAULT_CHAIN, "read-only", "401 200 200", "403 403 403"),
				row(WEB_FLUX, Way.DEFAULT_CHAIN, "unrestricted", "401 200 200", "403 403 403"),
				row(WEB_FLUX, Way.OWN_CHAIN, "none", "401 404 404", "401 403 404"),
				row(WEB_FLUX, Way.OWN_CHAIN, "read-only", "401 200 200", "401 403 405"),
				row(WEB_FLUX, Way.OWN_CHAIN, "unrestricted", "401 200 200", "401 403 200"));
	}

	/** The row in which roles and access decide, and that of whom Boot protects. */
	static Stream<Arguments> representative() {
		return Stream.of(row(MVC, Way.OWN_CHAIN, "unrestricted", "401 200 200", "401 403 200"),
				row(WEB_FLUX, Way.OWN_CHAIN, "unrestricted", "401 200 200", "401 403 200"),
				row(WEB_FLUX, Way.DEFAULT_CHAIN, "unrestricted", "401 200 200", "403 403 403"));
	}

	@Tag("full")
	@ParameterizedTest(name = "{0}, {1}, access {2}: GET {3}, POST {4}")
	@MethodSource("table")
	void answers(WebApplicationType web, Way way, String access, String reads, String writes) {
		assertAnswers(web, way, access, reads, writes);
	}

	@ParameterizedTest(name = "{0}, {1}, access {2}: GET {3}, POST {4}")
	@MethodSource("representative")
	void answersOfFew(WebApplicationType web, Way way, String access, String reads, String writes) {
		assertAnswers(web, way, access, reads, writes);
	}

	private static void assertAnswers(WebApplicationType web, Way way, String access, String reads, String writes) {
		try (EndpointApplication application = way.start(web, "management.endpoint.asynq.access=" + access)) {
			application.bean(AsynqClient.class).enqueue("t", new byte[0], (options) -> options.queue("q"));
			assertThat(all(application, (caller) -> caller.get("/actuator/asynq/queues").status())).isEqualTo(reads);
			assertThat(
					all(application, (caller) -> caller.post("/actuator/asynq/pause", Map.of("queue", "q")).status()))
				.isEqualTo(writes);
			if (writes.endsWith("200")) {
				assertThat(application.audit()).last()
					.extracting(AuditEvent::getPrincipal)
					.isEqualTo((way == Way.OWN_CHAIN) ? "operator" : "anonymous");
			}
		}
	}

	@Tag("full")
	@Test
	void defaultChainTakesWritesWithCsrfToken() {
		try (EndpointApplication application = Way.DEFAULT_CHAIN.start(MVC,
				"management.endpoint.asynq.access=unrestricted")) {
			application.bean(AsynqClient.class).enqueue("t", new byte[0], (options) -> options.queue("q"));
			application.as("viewer").takeCsrfToken();
			assertThat(application.post("/actuator/asynq/pause", Map.of("queue", "q")).status()).isEqualTo(200);
			assertThat(application.audit()).last().extracting(AuditEvent::getPrincipal).isEqualTo("viewer");
		}
	}

	@Tag("full")
	@ParameterizedTest(name = "max-permitted with {0}")
	@MethodSource("ways")
	void mostThatIsPermittedCountsMore(Way way) {
		try (EndpointApplication application = way.start(MVC, "management.endpoint.asynq.access=unrestricted",
				"management.endpoints.access.max-permitted=read-only")) {
			assertThat(application.as("operator").get("/actuator/asynq").status()).isEqualTo(200);
			assertThat(application.post("/actuator/asynq/pause", Map.of("queue", "q")).status())
				.isEqualTo((way == Way.DEFAULT_CHAIN) ? 401 : 405);
		}
	}

	@Tag("full")
	@ParameterizedTest(name = "management port with {0}")
	@MethodSource("ways")
	void worksOnManagementPort(Way way) {
		try (EndpointApplication application = way.start(MVC, "management.server.port=0")) {
			assertThat(application.as("operator").get("/actuator/asynq").status()).isEqualTo(200);
		}
	}

	@Tag("full")
	@ParameterizedTest(name = "{0} {1}")
	@MethodSource("shown")
	void showsPayloadsToWhomTheyAreFor(String when, String seen) {
		try (EndpointApplication application = Way.OWN_CHAIN.start(MVC, "asynq.endpoint.show-values=" + when,
				"asynq.endpoint.roles=OPERATOR")) {
			String id = application.bean(AsynqClient.class)
				.enqueue("t", new byte[] { 1 }, (options) -> options.queue("shown"))
				.id();
			assertThat(all(application,
					(caller) -> caller.get("/actuator/asynq/task?queue=shown&id=" + id)
						.body()
						.path("payload")
						.asString("")
						.length()))
				.isEqualTo(seen);
		}
	}

	static Stream<Arguments> shown() {
		return Stream.of(arguments("never", "0 0 0"), arguments("when-authorized", "0 0 4"),
				arguments("always", "0 4 4"));
	}

	static Stream<Way> ways() {
		return Stream.of(Way.values());
	}

	private static UserDetails viewer() {
		return User.withUsername("viewer").password("{noop}secret").roles("VIEWER").build();
	}

	private static UserDetails operator() {
		return User.withUsername("operator").password("{noop}secret").roles("OPERATOR").build();
	}

	private static String all(EndpointApplication application, ToIntFunction<EndpointApplication> call) {
		return call.applyAsInt(application.as(null)) + " " + call.applyAsInt(application.as("viewer")) + " "
				+ call.applyAsInt(application.as("operator"));
	}

	private static Arguments row(WebApplicationType web, Way way, String access, String reads, String writes) {
		return arguments(web, way, access, reads, writes);
	}

	private enum Way {

		NO_SECURITY(null, null), DEFAULT_CHAIN(Users.class, ReactiveUsers.class),
		OWN_CHAIN(OwnChain.class, ReactiveOwnChain.class);

		private final @Nullable Class<?> mvc;

		private final @Nullable Class<?> webFlux;

		Way(@Nullable Class<?> mvc, @Nullable Class<?> webFlux) {
			this.mvc = mvc;
			this.webFlux = webFlux;
		}

		EndpointApplication start(WebApplicationType web, String... properties) {
			Class<?> configuration = (web == MVC) ? this.mvc : this.webFlux;
			return (configuration != null) ? EndpointApplication.withSecurity(web, redis, configuration, properties)
					: EndpointApplication.withoutSecurity(web, redis, properties);
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class Users {

		@Bean
		UserDetailsService users() {
			return new InMemoryUserDetailsManager(viewer(), operator());
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class OwnChain extends Users {

		@Bean
		SecurityFilterChain chain(HttpSecurity http) throws Exception {
			return http
				.authorizeHttpRequests((requests) -> requests.requestMatchers(HttpMethod.GET)
					.hasAnyRole("VIEWER", "OPERATOR")
					.anyRequest()
					.hasRole("OPERATOR"))
				.httpBasic(Customizer.withDefaults())
				.csrf(CsrfConfigurer::disable)
				.build();
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class ReactiveUsers {

		@Bean
		MapReactiveUserDetailsService users() {
			return new MapReactiveUserDetailsService(viewer(), operator());
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class ReactiveOwnChain extends ReactiveUsers {

		@Bean
		SecurityWebFilterChain chain(ServerHttpSecurity http) {
			return http
				.authorizeExchange((exchanges) -> exchanges.pathMatchers(HttpMethod.GET)
					.hasAnyRole("VIEWER", "OPERATOR")
					.anyExchange()
					.hasRole("OPERATOR"))
				.httpBasic(Customizer.withDefaults())
				.csrf(ServerHttpSecurity.CsrfSpec::disable)
				.build();
		}

	}

}
