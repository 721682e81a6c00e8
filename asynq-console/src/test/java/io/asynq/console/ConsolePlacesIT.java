package io.asynq.console;

import io.asynq.console.ConsoleUsers.BootChain;
import io.asynq.console.ConsoleUsers.ReactiveBootChain;
import io.asynq.test.TestRedis;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.springframework.boot.WebApplicationType;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The console at other places: below a path, behind a proxy, on the actuator's port.
 */
@Tag("slow")
class ConsolePlacesIT {

	/**
	 * Both servers are on the class path of the tests, and then each brings its factory.
	 */
	private static final String ONE_SERVER = "spring.autoconfigure.exclude=org.springframework.boot.tomcat.autoconfigure"
			+ ".actuate.web.server.TomcatReactiveManagementContextAutoConfiguration";

	private static TestRedis redis;

	@BeforeAll
	static void start() {
		redis = TestRedis.startOwn();
	}

	@AfterAll
	static void stop() {
		redis.stop();
	}

	/** WebFlux itself finds nothing below a base path if a proxy has told a prefix. */
	@ParameterizedTest
	@CsvSource({ "SERVLET,server.servlet.context-path,/shop,/front/ops/tasks",
			"REACTIVE,any.property,'',/front/ops/tasks" })
	void isBelowTheContextPathAndThePrefixOfATrustedProxy(WebApplicationType web, String property, String path,
			String behindProxy) {
		try (ConsoleApplication application = ConsoleApplication.withoutSecurity(web, redis, property + "=" + path,
				"asynq.console.path=/ops/tasks", "server.forward-headers-strategy=framework",
				"asynq.console.security=none")) {
			Browser browser = application.browser(null).at(path + "/ops/tasks");
			assertThat(browser.config().path("base").asString()).isEqualTo(path + "/ops/tasks");
			assertThat(browser.get("", "X-Forwarded-Prefix", "/front").body())
				.contains("<base href=\"" + behindProxy + "/\">");
			assertThat(browser.get("/api/v1/queues").status()).isEqualTo(200);
			assertThat(browser.config().path("showPayloads").asBoolean()).isFalse();
		}
	}

	@Tag("full")
	@Test
	void isBelowTheBasePathOfWebFlux() {
		try (ConsoleApplication application = ConsoleApplication.withoutSecurity(WebApplicationType.REACTIVE, redis,
				"spring.webflux.base-path=/shop")) {
			Browser browser = application.browser(null).at("/shop/asynq");
			assertThat(browser.config().path("base").asString()).isEqualTo("/shop/asynq");
			assertThat(browser.get("/api/v1/queues").status()).isEqualTo(200);
		}
	}

	@Tag("full")
	@ParameterizedTest
	@EnumSource(value = WebApplicationType.class, names = { "SERVLET", "REACTIVE" })
	void proxyIsNotTrustedUnlessToldSo(WebApplicationType web) {
		try (ConsoleApplication application = ConsoleApplication.withoutSecurity(web, redis,
				"asynq.console.security=none")) {
			assertThat(application.browser(null).get("", "X-Forwarded-Prefix", "/front").body())
				.contains("<base href=\"/asynq/\">");
		}
	}

	@ParameterizedTest
	@EnumSource(value = WebApplicationType.class, names = { "SERVLET", "REACTIVE" })
	void isOnThePortOfTheActuatorAlone(WebApplicationType web) {
		Class<?> users = (web == WebApplicationType.SERVLET) ? BootChain.class : ReactiveBootChain.class;
		try (ConsoleApplication application = ConsoleApplication.withSecurity(web, redis, users, ONE_SERVER,
				"management.server.port=0", "asynq.console.server=management", "management.server.base-path=/admin")) {
			assertThat(application.managementBrowser("viewer").at("/admin/asynq").config().path("base").asString())
				.isEqualTo("/admin/asynq");
			assertThat(application.managementBrowser("viewer").at("/admin/asynq").get("/api/v1/queues").status())
				.isEqualTo(200);
			assertThat(application.managementBrowser("nobody").at("/admin/asynq").get("/api/v1/queues").status())
				.isEqualTo(403);
			assertThat(application.managementBrowser(null).at("/admin/asynq").get("/api/v1/queues").status())
				.isEqualTo(401);
			assertThat(application.browser("viewer").get("/api/v1/queues").status()).isEqualTo(404);
		}
	}

	@Tag("full")
	@ParameterizedTest
	@EnumSource(value = WebApplicationType.class, names = { "SERVLET", "REACTIVE" })
	void isNotOnThePortOfTheActuatorUnlessToldSo(WebApplicationType web) {
		try (ConsoleApplication application = ConsoleApplication.withoutSecurity(web, redis, ONE_SERVER,
				"management.server.port=0")) {
			assertThat(application.managementBrowser(null).get("/api/v1/queues").status()).isEqualTo(404);
			assertThat(application.browser(null).get("/api/v1/queues").status()).isEqualTo(200);
		}
	}

	@Tag("full")
	@ParameterizedTest
	@EnumSource(value = WebApplicationType.class, names = { "SERVLET", "REACTIVE" })
	void isOnTheApplicationsPortIfTheActuatorHasNoOwn(WebApplicationType web) {
		try (ConsoleApplication application = ConsoleApplication.withoutSecurity(web, redis,
				"asynq.console.server=management")) {
			assertThat(application.browser(null).get("/api/v1/queues").status()).isEqualTo(200);
		}
	}

}
