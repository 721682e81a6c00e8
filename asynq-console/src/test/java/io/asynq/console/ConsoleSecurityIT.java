package io.asynq.console;

import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import io.asynq.console.ConsoleUsers.BootChain;
import io.asynq.console.ConsoleUsers.ChainElsewhere;
import io.asynq.console.ConsoleUsers.OwnChain;
import io.asynq.console.ConsoleUsers.ReactiveBootChain;
import io.asynq.console.ConsoleUsers.ReactiveOwnChain;
import io.asynq.console.ConsoleUsers.TwoChains;
import io.asynq.test.TestRedis;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.springframework.boot.WebApplicationType;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.arguments;

/**
 * What the console answers: ways of security, times users, times what they do. The page
 * is asked for as a browser does, changes are sent with the token that the page has. Who
 * does not get the page has no token: Spring Security itself refuses then, with 403, of
 * which an error page that needs authentication makes 401.
 */
@Tag("slow")
class ConsoleSecurityIT {

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

	/** Each row: page, look, act, delete a queue with its tasks; a user per column. */
	static Stream<Arguments> table() {
		return Stream.of(arguments(Way.REACTIVE_BOOT, """
				anonymous  302 401 403 403
				nobody     403 403 403 403
				viewer     200 200 403 403
				operator   200 200 200 403
				admin      200 200 200 200
				"""), arguments(Way.NO_SECURITY, """
				anonymous  200 200 200 200
				"""), arguments(Way.BOOT, """
				anonymous  302 401 401 401
				nobody     403 403 401 401
				viewer     200 200 403 403
				operator   200 200 200 403
				admin      200 200 200 200
				"""), arguments(Way.OWN_CHAIN, """
				anonymous  302 401 403 403
				nobody     403 403 403 403
				viewer     200 200 403 403
				operator   200 200 200 403
				admin      200 200 200 200
				"""));
	}

	/** More ways to set up the same. */
	static Stream<Arguments> more() {
		return Stream.of(Way.REACTIVE_OWN_CHAIN, Way.TWO_CHAINS).map((way) -> arguments(way, """
				anonymous  %s 401 403 403
				nobody     403 403 403 403
				viewer     200 200 403 403
				operator   200 200 200 403
				admin      200 200 200 200
				""".formatted((way == Way.TWO_CHAINS) ? "401" : "302")));
	}

	@Tag("full")
	@ParameterizedTest(name = "{0}")
	@MethodSource("more")
	void answersInOtherWays(Way way, String expected) {
		answers(way, expected);
	}

	/** Nobody asks for a login there, so the console refuses by itself. */
	@Tag("full")
	@Test
	void chainThatDoesNotSeeTheConsoleDoesNotOpenIt() {
		try (ConsoleApplication application = Way.CHAIN_ELSEWHERE.start()) {
			assertThat(application.browser("admin").get("").status()).isEqualTo(401);
			assertThat(application.browser("admin").get("/api/v1/queues").code()).isEqualTo("unauthenticated");
		}
	}

	@ParameterizedTest(name = "{0}")
	@MethodSource("table")
	void answers(Way way, String expected) {
		try (ConsoleApplication application = way.start("asynq.console.access=unrestricted")) {
			StringBuilder seen = new StringBuilder();
			for (String line : expected.lines().toList()) {
				String user = line.split(" ")[0];
				seen.append("%-10s %s\n".formatted(user, row(application, user)));
			}
			assertThat(seen).hasToString(expected);
			assertThat(application.audit())
				.anySatisfy((event) -> assertThat(event.getType()).isEqualTo("ASYNQ_QUEUE_DELETE"))
				.allSatisfy((event) -> assertThat(event.getData()).containsEntry("queue", "q").containsKey("count"));
		}
	}

	/**
	 * The console has no filter chain of its own, which would take Boot's away from the
	 * application's other URLs.
	 */
	@ParameterizedTest(name = "{0}")
	@EnumSource(value = Way.class, names = { "NO_SECURITY", "BOOT", "OWN_CHAIN" })
	@Tag("full")
	void otherUrlsAreProtectedAsWithoutConsole(Way way) {
		String with;
		try (ConsoleApplication application = way.start()) {
			with = elsewhere(application);
		}
		try (ConsoleApplication application = way.start("asynq.console.access=none")) {
			assertThat(elsewhere(application)).isEqualTo(with);
			assertThat(application.browser("admin").get("/api/v1/queues").status()).isEqualTo(404);
		}
		assertThat(with).isEqualTo(switch (way) {
			case NO_SECURITY -> "200 200 200 405";
			case BOOT -> "401 200 200 401";
			default -> "401 200 200 403";
		});
	}

	private static String elsewhere(ConsoleApplication application) {
		Browser stranger = application.browser(null);
		Browser user = application.browser("nobody");
		return Stream
			.of(stranger.getElsewhere("/orders"), user.getElsewhere("/orders"), user.getElsewhere("/page"),
					stranger.postPlainly("/orders", "{}"))
			.map((answer) -> String.valueOf(answer.status()))
			.collect(Collectors.joining(" "));
	}

	private static String row(ConsoleApplication application, String user) {
		application.enqueue("q");
		Browser browser = application.browser(user.equals("anonymous") ? null : user);
		int page = browser.open().status();
		int look = browser.get("/api/v1/queues").status();
		int act = browser.post("queue/pause", Map.of("q", "q")).status();
		int delete = browser.post("queue/delete", Map.of("q", "q", "force", true, "expectedCount", 1000)).status();
		return page + " " + look + " " + act + " " + delete;
	}

	private enum Way {

		NO_SECURITY(MVC, null), BOOT(MVC, BootChain.class), OWN_CHAIN(MVC, OwnChain.class),
		TWO_CHAINS(MVC, TwoChains.class), CHAIN_ELSEWHERE(MVC, ChainElsewhere.class),
		REACTIVE_BOOT(WEB_FLUX, ReactiveBootChain.class), REACTIVE_OWN_CHAIN(WEB_FLUX, ReactiveOwnChain.class);

		private final WebApplicationType web;

		private final @Nullable Class<?> configuration;

		Way(WebApplicationType web, @Nullable Class<?> configuration) {
			this.web = web;
			this.configuration = configuration;
		}

		ConsoleApplication start(String... properties) {
			Class<?> security = this.configuration;
			return (security != null) ? ConsoleApplication.withSecurity(this.web, redis, security, properties)
					: ConsoleApplication.withoutSecurity(this.web, redis, properties);
		}

	}

}
