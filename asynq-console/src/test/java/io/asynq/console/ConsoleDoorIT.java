package io.asynq.console;

import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

import io.asynq.test.TestRedis;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

import static io.asynq.console.RawHttp.status;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * How browsers come in without Spring Security, and what is refused, byte by byte.
 */
@Tag("slow")
@ExtendWith(OutputCaptureExtension.class)
class ConsoleDoorIT {

	private static final Pattern LINK = Pattern.compile("used once: http://localhost:(\\d+)(/\\S+)\\?token=(\\S+)");

	private static final String UNRESTRICTED = "asynq.console.access=unrestricted";

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

	/** Each row: a server, a property that moves the console, and where it is then. */
	@ParameterizedTest
	@CsvSource({ "SERVLET,server.servlet.context-path=/shop,/shop/asynq/",
			"SERVLET,spring.mvc.servlet.path=/mvc,/mvc/asynq/", "REACTIVE,spring.webflux.base-path=/shop,/shop/asynq/",
			"SERVLET,management.server.base-path=/admin,/admin/asynq/",
			"REACTIVE,management.server.base-path=/admin,/admin/asynq/" })
	void linkInTheLogLetsOneBrowserInOnce(WebApplicationType web, String property, String path, CapturedOutput output) {
		boolean management = property.startsWith("management");
		try (ConsoleApplication application = ConsoleApplication.withLoggedToken(web, redis, property, UNRESTRICTED,
				ONE_SERVER, management ? "management.server.port=0" : "any.property=x",
				"asynq.console.server=" + (management ? "management" : "application"))) {
			application.enqueue("low");
			Matcher link = LINK.matcher(output);
			assertThat(link.find()).isTrue();
			int port = Integer.parseInt(link.group(1));
			String token = link.group(3);
			assertThat(link.group(2)).isEqualTo(path);
			assertThat(port == application.port()).isEqualTo(!management);
			assertThat(get(port, path)).startsWith("HTTP/1.1 401").contains("Open the link with the token");
			assertThat(get(port, path + "api/v1/queues")).startsWith("HTTP/1.1 401").contains("unauthenticated");
			assertThat(status(get(port, path + "api/v1/stream"))).isEqualTo(401);
			String entered = get(port, path + "queue?q=a%2Fb%26&token=" + token + "&state=retry");
			assertThat(status(entered)).isEqualTo(302);
			assertThat(entered).containsIgnoringCase("Location: " + path + "queue?q=a%2Fb%26&state=retry\r\n")
				.containsIgnoringCase("Referrer-Policy: no-referrer")
				.containsIgnoringCase("Cache-Control: no-store")
				.doesNotContain(token);
			assertThat(RawHttp.attributes(entered))
				.contains("; HttpOnly", "; SameSite=Strict", "; Path=" + path.substring(0, path.length() - 1) + ";")
				.doesNotContain("Secure");
			String cookie = "Cookie: other=1; " + RawHttp.cookie(entered);
			assertThat(status(get(port, path + "queue?q=x", cookie))).isEqualTo(200);
			assertThat(status(get(port, path + "api/v1/queues", cookie))).isEqualTo(200);
			assertThat(status(change(port, path, cookie, "Origin: http://localhost:" + port))).isEqualTo(200);
			assertThat(get(port, path + "?token=" + token)).startsWith("HTTP/1.1 403")
				.contains("used already", "asynq.console.token")
				.doesNotContain(token);
			assertThat(output.toString().split(Pattern.quote(token), -1)).as("once in the log").hasSize(2);
		}
	}

	@ParameterizedTest
	@EnumSource(value = WebApplicationType.class, names = { "SERVLET", "REACTIVE" })
	void instancesWithOneTokenKnowEachOthersCookies(WebApplicationType web, CapturedOutput output) {
		try (ConsoleApplication one = ConsoleApplication.withoutSecurity(web, redis, UNRESTRICTED);
				ConsoleApplication two = ConsoleApplication.withoutSecurity(web, redis);
				ConsoleApplication stranger = ConsoleApplication.withoutSecurity(web, redis,
						"asynq.console.token=another-token-16")) {
			String cookie = "Cookie: " + enter(one.port());
			assertThat(status(get(one.port(), "/asynq", cookie))).isEqualTo(200);
			assertThat(status(get(two.port(), "/asynq", cookie))).isEqualTo(200);
			assertThat(status(get(two.port(), "/asynq/api/v1/queues", cookie))).isEqualTo(200);
			assertThat(status(get(stranger.port(), "/asynq", cookie))).isEqualTo(401);
			assertThat(status(get(one.port(), "/asynq", cookie.replace("=1", "=2")))).isEqualTo(401);
			assertThat(status(get(one.port(), "/asynq", cookie + "x"))).isEqualTo(401);
			assertThat(status(get(one.port(), "/asynq", "Cookie: asynq-console-80=1.x; asynq-console-=; x")))
				.isEqualTo(401);
			// The token is taken again, a wrong one never
			assertThat(enter(one.port())).isNotEmpty();
			assertThat(get(one.port(), "/asynq/queues")).contains("<form method=\"post\">", "form-action 'self'");
			String[] form = lines("POST /asynq/queues HTTP/1.1", one.port(),
					"Content-Type: application/x-www-form-urlencoded", "Origin: null");
			String typed = RawHttp.send(one.port(), "token=" + ConsoleApplication.TOKEN, form);
			assertThat(status(typed)).isEqualTo(302);
			assertThat(typed).containsIgnoringCase("Location: /asynq/queues\r\n");
			assertThat(status(get(two.port(), "/asynq/queues", "Cookie: " + RawHttp.cookie(typed)))).isEqualTo(200);
			assertThat(status(RawHttp.send(one.port(), "token=not-the-token-16", form))).isEqualTo(403);
			assertThat(status(RawHttp.send(one.port(), "tok=x", form))).isEqualTo(401);
			assertThat(get(one.port(), "/asynq/?token=not-the-token-16")).startsWith("HTTP/1.1 403")
				.contains("not the token of the console")
				.doesNotContain(ConsoleApplication.TOKEN);
			assertThat(output).doesNotContain(ConsoleApplication.TOKEN)
				.doesNotContain("not-the-token-16")
				.contains("which asks for the value of asynq.console.token");
		}
	}

	@ParameterizedTest
	@EnumSource(value = WebApplicationType.class, names = { "SERVLET", "REACTIVE" })
	void whatNoPageOfTheConsoleSendsChangesNothing(WebApplicationType web) {
		try (ConsoleApplication application = ConsoleApplication.withoutSecurity(web, redis, UNRESTRICTED,
				"server.forward-headers-strategy=framework");
				ConsoleApplication open = ConsoleApplication.withoutSecurity(web, redis, UNRESTRICTED,
						"asynq.console.security=none")) {
			application.enqueue("low");
			int port = application.port();
			String cookie = "Cookie: " + enter(port);
			String own = "Origin: http://localhost:" + port;
			assertThat(status(change(port, "/asynq/", own))).as("no cookie").isEqualTo(401);
			assertThat(status(change(port, "/asynq/", cookie))).as("a script").isEqualTo(200);
			assertThat(status(change(port, "/asynq/", cookie, own))).isEqualTo(200);
			assertThat(status(change(port, "/asynq/", cookie, own.replace("localhost", "LOCALHOST")))).isEqualTo(200);
			for (String origin : new String[] { "https://evil.example", "null", "http://localhost",
					"http://localhost:1", "https://localhost:" + port, "http://127.0.0.1:" + port,
					"http://localhost:" + port + ".evil.example" }) {
				for (int each : new int[] { port, open.port() }) {
					assertThat(change(each, "/asynq/", cookie, "Origin: " + origin)).as(origin)
						.startsWith("HTTP/1.1 403")
						.contains("\"code\":\"origin\"", "proxy_set_header Host $http_host");
				}
			}
			assertThat(status(change(open.port(), "/asynq/", "Origin: http://localhost:" + open.port())))
				.isEqualTo(200);
			assertThat(change(port, "/asynq/", cookie, own, "Sec-Fetch-Site: same-site"))
				.contains("\"code\":\"cross-site\"");
			// As a proxy that is trusted tells it
			assertThat(status(change(port, "/asynq/", cookie, "Origin: https://ops.example", "X-Forwarded-Proto: https",
					"X-Forwarded-Host: ops.example")))
				.isEqualTo(200);
			assertThat(status(change(port, "/asynq/", cookie, "Origin: https://ops.example:8443",
					"X-Forwarded-Proto: https", "X-Forwarded-Host: ops.example:8443")))
				.isEqualTo(200);
			assertThat(status(
					change(port, "/asynq/", cookie, "Origin: https://ops.example", "X-Forwarded-Host: ops.example")))
				.isEqualTo(403);
			// Nobody has said that this one may be trusted
			assertThat(status(change(open.port(), "/asynq/", "Origin: https://ops.example", "X-Forwarded-Proto: https",
					"X-Forwarded-Host: ops.example")))
				.isEqualTo(403);
		}
	}

	@ParameterizedTest
	@EnumSource(value = WebApplicationType.class, names = { "SERVLET", "REACTIVE" })
	void oldProtocolAndNoHostAreRefused(WebApplicationType web) {
		try (ConsoleApplication application = ConsoleApplication.withoutSecurity(web, redis, UNRESTRICTED)) {
			int port = application.port();
			String cookie = "Cookie: " + enter(port);
			for (String path : new String[] { "/asynq", "/asynq/api/v1/queues",
					"/asynq/?token=" + ConsoleApplication.TOKEN }) {
				assertThat(RawHttp.send(port, "", "GET " + path + " HTTP/1.0", "Host: localhost:" + port, cookie))
					.as(path)
					.contains(" 505 ", "proxy_http_version 1.1")
					.doesNotContainIgnoringCase("Set-Cookie");
			}
			assertThat(RawHttp.send(port, "{\"q\":\"low\"}", "POST /asynq/api/v1/queue/pause HTTP/1.0", cookie,
					"X-Asynq-Console: 1", "Content-Type: application/json"))
				.contains(" 505 ");
			assertThat(status(RawHttp.send(port, "{\"q\":\"low\"}", "POST /asynq/api/v1/queue/pause HTTP/1.1", cookie,
					"Origin: http://localhost:" + port, "X-Asynq-Console: 1", "Content-Type: application/json")))
				.isIn(400, 403);
			assertThat(status(RawHttp.send(port, "", "GET /orders HTTP/1.0"))).isEqualTo(200);
		}
	}

	private static String enter(int port) {
		return RawHttp.cookie(get(port, "/asynq/?token=" + ConsoleApplication.TOKEN));
	}

	private static String get(int port, String path, String... headers) {
		return RawHttp.send(port, "", lines("GET " + path + " HTTP/1.1", port, headers));
	}

	private static String change(int port, String console, String... headers) {
		return RawHttp.send(port, "{\"q\":\"low\"}",
				lines("POST " + console
						+ "api/v1/queue/pause HTTP/1.1\r\nX-Asynq-Console: 1\r\nContent-Type: application/json", port,
						headers));
	}

	private static String[] lines(String first, int port, String... headers) {
		return Stream.concat(Stream.of(first, "Host: localhost:" + port), Stream.of(headers)).toArray(String[]::new);
	}

}
