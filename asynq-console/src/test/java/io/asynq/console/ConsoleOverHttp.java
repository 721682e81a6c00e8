package io.asynq.console;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.net.URLEncoder;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

import io.asynq.AsynqClient;
import io.asynq.console.Browser.Answer;
import io.asynq.console.http.ConsoleEvents.Event;
import io.asynq.test.TestRedis;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.WebApplicationType;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * What every web framework has to pass on, without Spring Security.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@Timeout(120)
abstract class ConsoleOverHttp {

	private TestRedis redis;

	private ConsoleApplication application;

	private Browser browser;

	abstract WebApplicationType web();

	@BeforeAll
	void start() {
		this.redis = TestRedis.startOwn();
		this.application = ConsoleApplication.withoutSecurity(web(), this.redis, FakeLive.Beans.class,
				"asynq.console.access=unrestricted");
		this.browser = this.application.browser(null);
	}

	@AfterAll
	void stop() {
		this.application.close();
		this.redis.stop();
	}

	@ParameterizedTest
	@ValueSource(strings = { "", "/", "/queue?q=a%2Fb", "/task?q=%F0%9F%98%80&id=%3Cb%3E" })
	void pageIsAtItsPathAndAtDeepLinks(String link) {
		Answer page = this.browser.get(link);
		assertThat(page.status()).isEqualTo(200);
		assertThat(page.body()).contains("<base href=\"/asynq/\">");
		assertThat(page.header("Content-Security-Policy")).contains("default-src 'none'");
		assertThat(page.header("Cache-Control")).isEqualTo("no-store");
	}

	@Test
	void otherUrlsStayTheApplications() {
		assertThat(this.browser.getElsewhere("/orders").body()).isEqualTo("orders");
		assertThat(this.browser.getElsewhere("/asynqx").body()).isEqualTo("page");
		assertThat(this.browser.getElsewhere("/%61synq/api/v1/queues").status()).isEqualTo(404);
		assertThat(this.browser.getElsewhere("/asynq;a=b/api/v1/queues").status()).isEqualTo(404);
	}

	@Test
	void filesAreZipped() {
		String assets = this.browser.config().path("assets").asString();
		Answer file = this.browser.get("/" + assets + "test-asset.js", "Accept-Encoding", "gzip");
		assertThat(file.status()).isEqualTo(200);
		assertThat(file.header("Content-Encoding")).isEqualTo("gzip");
		assertThat(file.header("Cache-Control")).contains("immutable");
		assertThat(this.browser.get("/assets/../../application.properties").status()).isEqualTo(404);
	}

	@ParameterizedTest
	@ValueSource(strings = { "/ # % ? < > \" '", "a\nb\r\n", "😀", "1 KB é" })
	void queueMayHaveAnyName(String name) {
		String queue = name.equals("1 KB é") ? name.repeat(146) : name;
		this.application.bean(AsynqClient.class).enqueue("t", new byte[0], (options) -> options.queue(queue));
		Answer tasks = this.browser
			.get("/api/v1/tasks?state=pending&q=" + URLEncoder.encode(queue, StandardCharsets.UTF_8));
		assertThat(tasks.status()).isEqualTo(200);
		assertThat(tasks.json().path("entries")).hasSize(1);
		assertThat(this.browser.post("queue/pause", Map.of("q", queue)).status()).isEqualTo(200);
		assertThat(this.application.audit()).last()
			.satisfies((event) -> assertThat(event.getData()).containsEntry("queue", queue));
	}

	@Test
	void queueThatIsNotUtf8IsNotFound() {
		assertThat(this.browser.get("/api/v1/tasks?state=pending&q=%FF%FE").status()).isIn(400, 404);
	}

	@Test
	void changeNeedsTheHeadersOfTheOwnPage() {
		this.application.enqueue("low");
		assertThat(this.browser
			.postPlainly("/asynq/api/v1/queue/pause", "{\"q\":\"low\"}", "Content-Type", "application/json")
			.code()).isEqualTo("csrf-header");
		assertThat(this.browser
			.postPlainly("/asynq/api/v1/queue/pause", "q=low", "Content-Type", "application/x-www-form-urlencoded",
					"X-Asynq-Console", "1")
			.code()).isEqualTo("content-type");
		assertThat(this.browser
			.postPlainly("/asynq/api/v1/queue/pause", "{\"q\":\"low\"}", "Content-Type", "application/json",
					"X-Asynq-Console", "1", "Sec-Fetch-Site", "cross-site")
			.code()).isEqualTo("cross-site");
		assertThat(this.browser.post("queue/pause", Map.of("q", "low")).json().path("changed").asBoolean()).isTrue();
		assertThat(this.browser.post("queue/pause", Map.of("q", "not there")).code()).isEqualTo("not-found");
	}

	@Test
	void bodyThatIsTooLargeIsRefused() {
		// By one byte: with more on its way when the answer comes, a connection may be
		// reset
		assertThat(this.browser
			.postPlainly("/asynq/api/v1/queue/pause", "x".repeat((4 << 20) + 1), "Content-Type", "application/json",
					"X-Asynq-Console", "1")
			.status()).isEqualTo(413);
	}

	@Test
	void noOtherSiteMayAsk() {
		Answer answer = this.browser.get("/api/v1/queues", "Origin", "https://evil.example");
		assertThat(answer.response().headers().map().keySet())
			.noneMatch((name) -> name.toLowerCase().startsWith("access-control"));
	}

	@Test
	void redisIsNotAskedOnTheEventLoop() {
		assertThat(this.browser.get("/api/v1/test-thread").json().path("name").asString())
			.doesNotContain("reactor-http")
			.matches("http-nio.*|boundedElastic.*|tomcat.*");
	}

	@Test
	void streamSendsEventsAsTheyCome() throws IOException {
		HttpResponse<InputStream> stream = this.browser.stream("/api/v1/stream?q=low");
		assertThat(stream.headers().firstValue("Content-Type")).hasValue("text/event-stream;charset=UTF-8");
		assertThat(stream.headers().firstValue("X-Accel-Buffering")).hasValue("no");
		assertThat(stream.headers().firstValue("Cache-Control")).hasValue("no-store");
		try (BufferedReader lines = reader(stream)) {
			assertThat(next(lines)).isEqualTo("overview {\"queue\":\"low\"}");
			live().send(new Event("queue", "low", Map.of("text", "a\nb")));
			assertThat(next(lines)).isEqualTo("queue {\"text\":\"a\\nb\"}");
		}
	}

	@Test
	void thereIsAnEndOfStreams() throws Exception {
		awaitNoStreams();
		List<HttpResponse<InputStream>> open = new ArrayList<>();
		for (int i = 0; i < 50; i++) {
			HttpResponse<InputStream> stream = this.application.browser(null).stream("/api/v1/stream");
			assertThat(stream.statusCode()).isEqualTo(200);
			open.add(stream);
		}
		assertThat(this.browser.get("/api/v1/stream").code()).isEqualTo("streams");
		live().ended.drainPermits();
		open.get(0).body().close();
		// A closed connection shows when something is written
		while (!live().ended.tryAcquire(200, TimeUnit.MILLISECONDS)) {
			live().send(new Event("overview", "", Map.of()));
		}
		HttpResponse<InputStream> again = this.browser.stream("/api/v1/stream");
		assertThat(again.statusCode()).isEqualTo(200);
		again.body().close();
		for (HttpResponse<InputStream> stream : open) {
			stream.body().close();
		}
		awaitNoStreams();
	}

	private void awaitNoStreams() throws InterruptedException {
		while (live().subscriberCount() > 0) {
			live().send(new Event("overview", "", Map.of()));
			live().ended.tryAcquire(200, TimeUnit.MILLISECONDS);
		}
	}

	private FakeLive live() {
		return this.application.bean(FakeLive.class);
	}

	private static BufferedReader reader(HttpResponse<InputStream> stream) {
		return new BufferedReader(new InputStreamReader(stream.body(), StandardCharsets.UTF_8));
	}

	/** Returns the next event with its data, and passes over heartbeats. */
	private static String next(BufferedReader lines) throws IOException {
		String name = "";
		for (String line = lines.readLine(); line != null; line = lines.readLine()) {
			if (line.startsWith("event: ")) {
				name = line.substring(7);
			}
			else if (line.startsWith("data: ")) {
				return name + " " + line.substring(6);
			}
		}
		throw new IOException("The stream has ended");
	}

}
