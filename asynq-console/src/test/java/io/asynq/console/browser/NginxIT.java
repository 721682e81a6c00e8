package io.asynq.console.browser;

import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.security.cert.CertificateFactory;
import java.util.stream.Stream;

import javax.net.SocketFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;

import io.asynq.console.ConsoleApplication;
import io.asynq.console.RawHttp;
import io.asynq.test.TestRedis;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.springframework.boot.WebApplicationType;

import static io.asynq.console.RawHttp.status;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * The console without Spring Security behind a real nginx: with its defaults, below a
 * path, and with TLS that ends there.
 */
@Tag("slow")
class NginxIT {

	private static final String UNRESTRICTED = "asynq.console.access=unrestricted";

	private static final String TRUSTING = "server.forward-headers-strategy=framework";

	private static final String DEFAULTS = """
			listen 127.0.0.1:%1$d;
			location / { proxy_pass http://127.0.0.1:%2$d; }
			location %3$s/ { proxy_pass http://127.0.0.1:%2$d/; }
			""";

	/** As newer versions have it. */
	private static final String NEWER_DEFAULTS = DEFAULTS + "proxy_http_version 1.1;";

	private static final String TLS = Nginx.SET_UP.replace("listen 127.0.0.1:%1$d;", """
			listen 127.0.0.1:%1$d ssl;
			ssl_certificate %4$s/certificate.pem;
			ssl_certificate_key %4$s/key.pem;
			""");

	/** Tomcat itself takes no port from the host's name. */
	private static final String TLS_WITH_PORT = TLS.replace("proxy_http_version",
			"proxy_set_header X-Forwarded-Port $server_port; proxy_http_version");

	private static TestRedis redis;

	@TempDir
	private Path folder;

	private SocketFactory sockets = SocketFactory.getDefault();

	@BeforeAll
	static void start() {
		redis = TestRedis.startOwn();
	}

	@AfterAll
	static void stop() {
		redis.stop();
	}

	@ParameterizedTest
	@EnumSource(value = WebApplicationType.class, names = { "SERVLET", "REACTIVE" })
	void defaultsLetNobodyInAndAreExplained(WebApplicationType web) {
		try (ConsoleApplication application = ConsoleApplication.withoutSecurity(web, redis, UNRESTRICTED);
				Nginx nginx = Nginx.start(this.folder, application.port(), DEFAULTS)) {
			application.enqueue("low");
			for (String path : new String[] { "/asynq", "/asynq/api/v1/queues", "/ops/asynq/",
					"/asynq/?token=" + ConsoleApplication.TOKEN }) {
				assertThat(get(nginx, path)).as(path)
					.contains(" 505 ", "proxy_http_version 1.1", "proxy_set_header Host $http_host",
							"server.forward-headers-strategy=framework")
					.doesNotContainIgnoringCase("Set-Cookie");
			}
			assertThat(change(nginx, "/asynq", "", "http://127.0.0.1:" + nginx.port())).contains(" 505 ",
					"\"protocol\"");
		}
	}

	@ParameterizedTest
	@EnumSource(value = WebApplicationType.class, names = { "SERVLET", "REACTIVE" })
	void newerDefaultsNeedTheTokenAndLetNobodyChangeAnything(WebApplicationType web) {
		try (ConsoleApplication application = ConsoleApplication.withoutSecurity(web, redis, UNRESTRICTED);
				ConsoleApplication open = ConsoleApplication.withoutSecurity(web, redis, UNRESTRICTED,
						"asynq.console.security=none");
				Nginx nginx = Nginx.start(this.folder.resolve("1"), application.port(), NEWER_DEFAULTS);
				Nginx nginxOfOpen = Nginx.start(this.folder.resolve("2"), open.port(), NEWER_DEFAULTS)) {
			application.enqueue("low");
			assertThat(status(get(nginx, "/asynq"))).isEqualTo(401);
			assertThat(status(get(nginx, "/ops/asynq"))).isEqualTo(401);
			assertThat(status(get(nginx, "/asynq/api/v1/queues"))).isEqualTo(401);
			String cookie = RawHttp.cookie(enter(nginx, "/asynq"));
			assertThat(status(get(nginx, "/asynq", "Cookie: " + cookie))).isEqualTo(200);
			for (String origin : new String[] { "http://127.0.0.1:" + nginx.port(), "https://evil.example", "null" }) {
				assertThat(change(nginx, "/asynq", cookie, origin)).startsWith("HTTP/1.1 403")
					.contains("\"origin\"", "proxy_set_header Host $http_host");
				assertThat(change(nginxOfOpen, "/asynq", "", origin)).startsWith("HTTP/1.1 403").contains("\"origin\"");
			}
		}
	}

	@ParameterizedTest
	@EnumSource(value = WebApplicationType.class, names = { "SERVLET", "REACTIVE" })
	void consoleIsBelowThePathOfAProxyThatIsSetUp(WebApplicationType web) {
		try (ConsoleApplication application = ConsoleApplication.withoutSecurity(web, redis, UNRESTRICTED, TRUSTING);
				Nginx nginx = Nginx.start(this.folder, application.port())) {
			application.enqueue("low");
			assertThat(status(get(nginx, "/ops/asynq"))).isEqualTo(401);
			String entered = enter(nginx, "/ops/asynq");
			assertThat(entered).containsIgnoringCase("Location: /ops/asynq/\r\n");
			assertThat(RawHttp.attributes(entered)).contains("; Path=/ops/asynq;").doesNotContain("Secure");
			String cookie = RawHttp.cookie(entered);
			assertThat(status(get(nginx, "/ops/asynq/", "Cookie: " + cookie))).isEqualTo(200);
			assertThat(status(change(nginx, "/ops/asynq", cookie, "http://127.0.0.1:" + nginx.port()))).isEqualTo(200);
			assertThat(status(change(nginx, "/ops/asynq", cookie, "http://127.0.0.1:" + application.port())))
				.isEqualTo(403);
			assertThat(status(change(nginx, "/ops/asynq", cookie, "https://127.0.0.1:" + nginx.port()))).isEqualTo(403);
		}
	}

	@ParameterizedTest
	@CsvSource({ "SERVLET,framework", "SERVLET,native", "REACTIVE,framework", "REACTIVE,native" })
	void tlsMayEndAtTheProxy(WebApplicationType web, String strategy) throws Exception {
		certify();
		try (ConsoleApplication application = ConsoleApplication.withoutSecurity(web, redis, UNRESTRICTED,
				"server.forward-headers-strategy=" + strategy);
				Nginx nginx = Nginx.start(this.folder, application.port(),
						strategy.equals("native") ? TLS_WITH_PORT : TLS)) {
			application.enqueue("low");
			String entered = enter(nginx, "/ops/asynq");
			assertThat(RawHttp.attributes(entered)).contains("; HttpOnly", "; SameSite=Strict", "; Secure");
			String cookie = RawHttp.cookie(entered);
			assertThat(status(change(nginx, "/ops/asynq", cookie, "https://127.0.0.1:" + nginx.port()))).isEqualTo(200);
			for (String origin : new String[] { "http://127.0.0.1:" + nginx.port(), "https://127.0.0.1",
					"https://localhost:" + nginx.port() }) {
				assertThat(status(change(nginx, "/ops/asynq", cookie, origin))).as(origin).isEqualTo(403);
			}
		}
	}

	/** Makes a certificate that nobody has signed, and trusts it. */
	private void certify() throws Exception {
		Process openssl = new ProcessBuilder("openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt",
				"ec_paramgen_curve:prime256v1", "-nodes", "-days", "2", "-subj", "/CN=localhost", "-keyout", "key.pem",
				"-out", "certificate.pem")
			.directory(this.folder.toFile())
			.redirectErrorStream(true)
			.start();
		String output = new String(openssl.getInputStream().readAllBytes());
		assertThat(openssl.waitFor()).as(output).isZero();
		KeyStore trusted = KeyStore.getInstance(KeyStore.getDefaultType());
		trusted.load(null, null);
		try (InputStream certificate = Files.newInputStream(this.folder.resolve("certificate.pem"))) {
			trusted.setCertificateEntry("nginx",
					CertificateFactory.getInstance("X.509").generateCertificate(certificate));
		}
		TrustManagerFactory trust = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
		trust.init(trusted);
		SSLContext tls = SSLContext.getInstance("TLS");
		tls.init(null, trust.getTrustManagers(), null);
		this.sockets = tls.getSocketFactory();
	}

	private String enter(Nginx nginx, String console) {
		String answer = get(nginx, console + "/?token=" + ConsoleApplication.TOKEN);
		assertThat(status(answer)).as(answer).isEqualTo(302);
		return answer;
	}

	private String get(Nginx nginx, String path, String... headers) {
		return RawHttp.send(this.sockets, nginx.port(), "",
				Stream
					.concat(Stream.of("GET " + path + " HTTP/1.1", "Host: 127.0.0.1:" + nginx.port()),
							Stream.of(headers))
					.toArray(String[]::new));
	}

	private String change(Nginx nginx, String console, String cookie, String origin) {
		return RawHttp.send(this.sockets, nginx.port(), "{\"q\":\"low\"}",
				"POST " + console + "/api/v1/queue/pause HTTP/1.1", "Host: 127.0.0.1:" + nginx.port(),
				"X-Asynq-Console: 1", "Content-Type: application/json", "Cookie: " + cookie, "Origin: " + origin);
	}

}
