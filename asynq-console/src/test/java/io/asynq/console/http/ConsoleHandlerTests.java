package io.asynq.console.http;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.zip.GZIPInputStream;

import io.asynq.BrokerUnavailableException;
import io.asynq.console.AsynqConsoleProperties;
import io.asynq.console.ConsoleRight;
import io.asynq.console.http.ConsoleRequest.Csrf;
import io.asynq.console.http.ConsoleRequest.Origin;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.context.properties.source.MapConfigurationPropertySource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

class ConsoleHandlerTests {

	private static final Map<String, String> OWN_PAGE = Map.of("X-Asynq-Console", "1", "Content-Type",
			"application/json;charset=UTF-8", "Sec-Fetch-Site", "same-origin");

	private final JsonMapper json = new JsonMapper();

	private final List<Map<String, Object>> audited = new ArrayList<>();

	private final FakeRights rights = new FakeRights();

	private Origin origin = origin("/asynq", null);

	@Test
	void pageKnowsWhereItIsAndWhatTheUserMay() {
		this.origin = origin("/shop/asynq", new Csrf("X-CSRF-TOKEN", "_csrf", "</script><b>", null));
		ConsoleResponse page = console("asynq.console.title=A & <b>").handle(get("queue"));
		assertThat(page.status()).isEqualTo(200);
		String text = new String(page.body(), StandardCharsets.UTF_8);
		assertThat(text).contains("<base href=\"/shop/asynq/\">", "<title>A &amp; &lt;b&gt;</title>")
			.doesNotContain("{{")
			.doesNotContain("</script><b>");
		JsonNode config = this.json
			.readTree(text.replaceAll("(?s).*<script type=\"application/json\" id=\"config\">(.*?)</script>.*", "$1"));
		assertThat(config.path("base").asString()).isEqualTo("/shop/asynq");
		assertThat(config.path("access").asString()).isEqualTo("unrestricted");
		assertThat(config.path("principal").asString()).isEqualTo("anonymous");
		assertThat(config.path("csrf").path("token").asString()).isEqualTo("</script><b>");
		assertThat(config.path("authorities").toString()).contains("\"look\":true", "\"admin\":true");
	}

	@ParameterizedTest
	@ValueSource(strings = { "", "queue", "task", "failures/" })
	void everyScreenIsThePage(String path) {
		assertThat(console().handle(get(path)).headers()).containsEntry("Content-Type", "text/html;charset=UTF-8")
			.containsEntry("Cache-Control", "no-store")
			.containsEntry("X-Content-Type-Options", "nosniff")
			.containsEntry("Referrer-Policy", "no-referrer");
	}

	@Test
	void policyAllowsNothingInline() {
		assertThat(console().handle(get("")).headers().get("Content-Security-Policy"))
			.contains("default-src 'none'", "script-src 'self'", "style-src 'self'", "frame-ancestors 'self'",
					"form-action 'none'")
			.doesNotContain("unsafe");
	}

	@Test
	void filesAreKeptForEverUnderTheirHash() throws IOException {
		String prefix = this.json
			.readTree(new String(console().handle(get("")).body(), StandardCharsets.UTF_8)
				.replaceAll("(?s).*id=\"config\">(.*?)</script>.*", "$1"))
			.path("assets")
			.asString();
		assertThat(prefix).matches("assets/[0-9a-f]{12}/");
		ConsoleResponse plain = console().handle(get(prefix + "test-asset.js"));
		assertThat(plain.headers()).containsEntry("Cache-Control", "private, max-age=31536000, immutable")
			.containsEntry("Content-Type", "text/javascript;charset=UTF-8")
			.containsEntry("Vary", "Accept-Encoding")
			.doesNotContainKey("Content-Encoding");
		ConsoleResponse zipped = console().handle(
				request("GET", prefix + "test-asset.js", Map.of(), Map.of("Accept-Encoding", "br, gzip"), new byte[0]));
		assertThat(zipped.headers()).containsEntry("Content-Encoding", "gzip");
		assertThat(new GZIPInputStream(new ByteArrayInputStream(zipped.body())).readAllBytes()).isEqualTo(plain.body());
		assertThat(console().handle(get("assets/000000000000/test-asset.js")).status()).isEqualTo(404);
		assertThat(console().handle(get(prefix + "../../../../logback-test.xml")).status()).isEqualTo(404);
		assertThat(console().handle(get(prefix + "index.html")).status()).isEqualTo(404);
	}

	@Test
	void callsGetParametersAndAnswerJson() {
		ConsoleResponse answer = console()
			.handle(request("GET", "api/v1/echo", Map.of("q", "a/b#?<\"'\n☃"), Map.of(), new byte[0]));
		assertThat(answer.status()).isEqualTo(200);
		assertThat(answer.headers()).containsEntry("Content-Type", "application/json")
			.containsEntry("Cache-Control", "no-store");
		assertThat(this.json.readTree(answer.body()).path("queue").asString()).isEqualTo("a/b#?<\"'\n☃");
	}

	@Test
	void answersSayWhichFilesTheyBelongTo() {
		String files = console().handle(get("api/v1/echo")).headers().get("X-Asynq-Assets");
		assertThat(new String(console().handle(get("")).body(), StandardCharsets.UTF_8))
			.contains("src=\"" + files + "app/main.js\"");
		assertThat(console().handle(get("api/v1/nothing")).headers()).doesNotContainKey("X-Asynq-Assets");
	}

	@ParameterizedTest
	@CsvSource({ "GET,api/v1/nothing,404,not-found", "GET,api/v1/change,405,method", "POST,api/v1/echo,405,method",
			"DELETE,api/v1/change,405,method", "GET,api/v1/redis-away,503,redis", "GET,api/v1/filter,400,filter",
			"GET,api/v1/broken,500,error", "GET,api/v1/number,400,parameter" })
	void problemsAreDocuments(String method, String path, int status, String code) {
		ConsoleResponse answer = console().handle(request(method, path, Map.of("n", "x"), OWN_PAGE, new byte[0]));
		assertProblem(answer, status, code);
		assertThat(new String(answer.body(), StandardCharsets.UTF_8)).doesNotContain("secret");
	}

	@Test
	void changeIsAuditedWithItsReason() {
		ConsoleResponse answer = post("{\"q\":\"low\",\"reason\":\"asked by A.\",\"payload\":\"secret\"}");
		assertThat(answer.status()).isEqualTo(200);
		assertThat(this.audited).singleElement()
			.isEqualTo(Map.of("principal", "anonymous", "type", "ASYNQ_CHANGE", "queue", "low", "reason", "asked by A.",
					"count", 7L));
	}

	@ParameterizedTest
	@ValueSource(strings = { "1.10", "12345678901234567.89", "123456789012345678901", "0.1234567890123456789", "7" })
	void numbersOfBodiesKeepTheirDigits(String number) {
		String body = "{\"payload\":" + number + ",\"headers\":{\"n\":" + number + "}}";
		ConsoleResponse answer = console().handle(request("POST", "api/v1/ask", Map.of(), OWN_PAGE, body.getBytes()));
		assertThat(this.json.readTree(answer.body()))
			.isEqualTo(this.json.readTree("{\"text\":\"" + number + "\",\"field\":\"" + number + "\"}"));
	}

	@ParameterizedTest
	@CsvSource({ "X-Asynq-Console,,403,csrf-header", "X-Asynq-Console,2,403,csrf-header",
			"Sec-Fetch-Site,cross-site,403,cross-site", "Sec-Fetch-Site,same-site,403,cross-site",
			"Content-Type,text/plain,415,content-type", "Content-Type,,415,content-type" })
	void changeOfAnotherPageIsRefusedAndAudited(String header, @Nullable String value, int status, String code) {
		Map<String, String> headers = new HashMap<>(OWN_PAGE);
		headers.remove(header);
		if (value != null) {
			headers.put(header, value);
		}
		assertProblem(console().handle(request("POST", "api/v1/change", Map.of(), headers, "{}".getBytes())), status,
				code);
		assertThat(this.audited).singleElement()
			.satisfies((event) -> assertThat(event).containsEntry("status", status));
		assertProblem(console().handle(request("POST", "api/v1/ask", Map.of(), headers, "{}".getBytes())), status,
				code);
	}

	@ParameterizedTest
	@CsvSource({ "http://shop:8080,http://shop:8080", "http://Shop:8080,http://shop:8080", "http://shop,http://shop:80",
			"https://shop:443,https://shop:443", "https://my_shop,https://my_shop:443",
			"http://[::1]:9,http://[::1]:9" })
	void changeMayComeFromTheSiteThatWasAskedFor(String origin, String site) {
		assertThat(changeFrom(origin, site).status()).isEqualTo(200);
	}

	@ParameterizedTest
	@CsvSource({ "http://evil.example,http://shop:80", "null,http://shop:80", "'',http://shop:80",
			"https://shop,http://shop:80", "http://shop,https://shop:443", "http://shop:8081,http://shop:8080",
			"http://shop:80,https://shop:80", "http://shop.evil.example,http://shop:80", "http://shop/,http://shop:80",
			"http://shop:8080,http://127.0.0.1:8080" })
	void changeFromAnotherOriginIsRefusedWithTheWayOut(String origin, String site) {
		ConsoleResponse answer = changeFrom(origin, site);
		assertProblem(answer, 403, "origin");
		assertThat(new String(answer.body(), StandardCharsets.UTF_8)).contains(site, "proxy_set_header Host $http_host",
				"X-Forwarded-Proto", "server.forward-headers-strategy");
		assertThat(this.audited).singleElement()
			.satisfies((event) -> assertThat(event).containsEntry("code", "origin"));
	}

	private ConsoleResponse changeFrom(String origin, String site) {
		this.origin = new Origin("/asynq", site, "HTTP/1.1", null, List.of(), () -> null);
		Map<String, String> headers = new HashMap<>(OWN_PAGE);
		headers.remove("Sec-Fetch-Site");
		headers.put("Origin", origin);
		return console().handle(request("POST", "api/v1/change", Map.of(), headers, "{\"q\":\"low\"}".getBytes()));
	}

	@ParameterizedTest
	@CsvSource({ "GET,''", "GET,api/v1/echo", "GET,api/v1/stream", "POST,api/v1/change" })
	void oldProtocolIsRefusedWithTheWayOut(String method, String path) {
		this.origin = new Origin("/asynq", "http://shop:80", "HTTP/1.0", null, List.of(), () -> null);
		ConsoleResponse answer = console().handle(request(method, path, Map.of("q", "low"), OWN_PAGE, "{}".getBytes()));
		assertThat(answer.status()).isEqualTo(505);
		assertThat(new String(answer.body(), StandardCharsets.UTF_8)).contains("proxy_http_version 1.1");
	}

	@Test
	void changeNeedsNoSecFetchSite() {
		assertThat(console()
			.handle(request("POST", "api/v1/change", Map.of(),
					Map.of("X-Asynq-Console", "1", "Content-Type", "application/json"), "{\"q\":\"low\"}".getBytes()))
			.status()).isEqualTo(200);
	}

	@ParameterizedTest
	@ValueSource(strings = { "", "[1]", "{", "{\"q\":{\"a\":1}}", "null" })
	void bodyMustMakeSense(String body) {
		assertProblem(post(body), 400, "parameter");
		assertThat(this.audited).hasSize(1);
	}

	@Test
	void bodyHasALimit() {
		assertProblem(
				console()
					.handle(request("POST", "api/v1/change", Map.of(), OWN_PAGE, new byte[ConsoleHandler.bodyLimit()])),
				413, "parameter");
	}

	@Test
	void readOnlyConsoleChangesNothing() {
		assertProblem(post("{\"q\":\"low\"}", "asynq.console.access=read-only"), 403, "read-only");
		assertProblem(post("{\"q\":\"low\"}", "asynq.console.max-access=read-only"), 403, "read-only");
		assertThat(this.audited).hasSize(2).allSatisfy((event) -> assertThat(event).containsEntry("count", 0L));
	}

	@Test
	void consoleIsReadOnlyUnlessToldOtherwise() {
		assertThat(new Binder(new MapConfigurationPropertySource(Map.of()))
			.bindOrCreate("asynq.console", AsynqConsoleProperties.class)
			.effectiveAccess()).isEqualTo(AsynqConsoleProperties.Access.READ_ONLY);
	}

	@Test
	void changeNeedsAReasonIfToldSo() {
		assertProblem(post("{\"q\":\"low\",\"reason\":\" \"}", "asynq.console.require-reason=true"), 400, "reason");
		assertThat(post("{\"q\":\"low\",\"reason\":\"x\"}", "asynq.console.require-reason=true").status())
			.isEqualTo(200);
	}

	@Test
	void rightsAreAskedForTheQueue() {
		this.rights.refuse(ConsoleRight.ACT, "low");
		assertProblem(post("{\"q\":\"low\"}"), 403, "forbidden");
		assertThat(post("{\"q\":\"high\"}").status()).isEqualTo(200);
		this.rights.refuse(ConsoleRight.LOOK, "high");
		assertProblem(console().handle(request("GET", "api/v1/echo", Map.of("q", "high"), Map.of(), new byte[0])), 403,
				"forbidden");
		assertThat(console().handle(get("")).status()).isEqualTo(200);
	}

	@Test
	void whoMayNotLookIsAskedToLogInOnPagesOnly() {
		this.rights.refuse(ConsoleRight.LOOK, null);
		this.rights.byLogin = true;
		assertThat(console().handle(get(""))).satisfies((page) -> {
			assertThat(page.status()).isEqualTo(401);
			assertThat(page.pageDenied()).isTrue();
		});
		ConsoleResponse call = console().handle(get("api/v1/echo"));
		assertProblem(call, 401, "unauthenticated");
		assertThat(call.pageDenied()).isFalse();
		assertThat(console().handle(get("assets/x/y.js")).status()).isEqualTo(401);
		assertProblem(console().handle(get("api/v1/stream")), 401, "unauthenticated");
	}

	@ParameterizedTest
	@CsvSource({ "never,false,false", "when-authorized,true,false", "always,true,true" })
	void payloadsAreShownToWhomTheyAreFor(String show, boolean toAuthorized, boolean toOthers) {
		ConsoleHandler console = console("asynq.console.show-payloads=" + show);
		assertThat(shown(console)).isEqualTo(toAuthorized);
		this.rights.refuse(ConsoleRight.SEE_PAYLOADS, "low");
		assertThat(shown(console)).isEqualTo(toOthers);
	}

	@Test
	void fileIsDownloadedUnderAHarmlessName() {
		ConsoleResponse file = console().handle(get("api/v1/file"));
		assertThat(file.headers()).containsEntry("Content-Type", "application/octet-stream")
			.containsEntry("X-Content-Type-Options", "nosniff");
		assertThat(file.headers().get("Content-Disposition")).startsWith("attachment;")
			.doesNotContain("\n")
			.doesNotContain("/");
		assertThat(file.body()).containsExactly(0, -1, 7);
	}

	@Test
	void routeIsRegisteredOnce() {
		ConsoleRoutes routes = new ConsoleRoutes().get("a", (call) -> "");
		assertThatThrownBy(() -> routes.get("a", (call) -> "")).hasMessageContaining("'a'");
	}

	@ParameterizedTest
	@CsvSource({ "asynq.console.path,/,asynq.console.path", "asynq.console.path,asynq,asynq.console.path",
			"asynq.console.path,/a/**,asynq.console.path", "asynq.console.refresh,1ms,asynq.console.refresh",
			"asynq.console.scan-limit,0,asynq.console.scan-limit",
			"asynq.console.authorities.viewer,'',asynq.console.authorities" })
	void settingThatMakesNoSenseIsRefused(String property, String value, String named) {
		assertThatThrownBy(() -> console(property + "=" + value)).rootCause().hasMessageContaining(named);
	}

	@Test
	void whoSeesSomeQueuesOnlyGetsNoEventsOfAll() {
		assertProblem(console().handle(get("api/v1/stream")), 503, "streams");
	}

	private boolean shown(ConsoleHandler console) {
		return this.json
			.readTree(console.handle(request("GET", "api/v1/echo", Map.of("q", "low"), Map.of(), new byte[0])).body())
			.path("shown")
			.asBoolean();
	}

	private ConsoleResponse post(String body, String... properties) {
		return console(properties)
			.handle(request("POST", "api/v1/change", Map.of(), OWN_PAGE, body.getBytes(StandardCharsets.UTF_8)));
	}

	private void assertProblem(ConsoleResponse answer, int status, String code) {
		assertThat(answer.status()).isEqualTo(status);
		assertThat(answer.headers()).containsEntry("Content-Type", "application/problem+json");
		JsonNode problem = this.json.readTree(answer.body());
		assertThat(problem.path("status").asInt()).isEqualTo(status);
		assertThat(problem.path("code").asString()).isEqualTo(code);
		assertThat(problem.path("detail").asString()).isNotEmpty();
	}

	private ConsoleHandler console(String... properties) {
		Map<String, String> values = new HashMap<>(Map.of("asynq.console.access", "unrestricted"));
		for (String property : properties) {
			values.put(property.substring(0, property.indexOf('=')), property.substring(property.indexOf('=') + 1));
		}
		AsynqConsoleProperties bound = new Binder(new MapConfigurationPropertySource(values))
			.bindOrCreate("asynq.console", AsynqConsoleProperties.class);
		return new ConsoleHandler(bound, this.rights, List.of(this::register), new ConsoleAudit(this::publish), null);
	}

	private void register(ConsoleRoutes routes) {
		routes.get("echo", (call) -> Map.of("queue", String.valueOf(call.text("q")), "shown",
				call.has("q") && call.caller().showsPayloads(call.queue())));
		routes.get("redis-away", (call) -> {
			throw new BrokerUnavailableException("Redis is away", new IllegalStateException("secret"));
		});
		routes.get("filter", (call) -> {
			throw new ConsoleException(400, "filter", "Unknown word");
		});
		routes.get("broken", (call) -> {
			throw new IllegalStateException("secret");
		});
		routes.get("number", (call) -> call.integer("n", 1, 1, 2));
		routes.get("file",
				(call) -> new ConsoleFile("../a\n\"b.bin", "application/octet-stream", new byte[] { 0, -1, 7 }));
		routes.ask("ask", (call) -> Map.of("text", String.valueOf(call.text("payload")), "field",
				String.valueOf(call.fields("headers").get("n"))));
		routes.post("change", ConsoleRight.ACT, (call) -> ConsoleChange.done(Map.of("q", call.queue()), 7));
	}

	private void publish(String principal, String type, Map<String, Object> data) {
		Map<String, Object> event = new HashMap<>(data);
		event.put("principal", principal);
		event.put("type", type);
		this.audited.add(event);
	}

	private ConsoleRequest get(String path) {
		return request("GET", path, Map.of(), Map.of(), new byte[0]);
	}

	private ConsoleRequest request(String method, String path, Map<String, String> parameters,
			Map<String, String> headers, byte[] body) {
		return new ConsoleRequest(method, path, parameters, headers::get, body, this.origin);
	}

	private static Origin origin(String base, @Nullable Csrf csrf) {
		return new Origin(base, "http://shop:8080", "HTTP/1.1", null, List.of(), () -> csrf);
	}

	private static final class FakeRights implements ConsoleRights {

		private final List<String> refused = new ArrayList<>();

		private boolean byLogin;

		void refuse(ConsoleRight right, @Nullable String queue) {
			this.refused.add(right + " " + queue);
		}

		@Override
		public boolean allow(Origin origin, ConsoleRight right, @Nullable String queue) {
			return !this.refused.contains(right + " " + queue);
		}

		@Override
		public String refusal(Origin origin) {
			return "Not you";
		}

		@Override
		public boolean areByQueue() {
			return true;
		}

		@Override
		public boolean areByLogin() {
			return this.byLogin;
		}

	}

}
