package io.asynq.console;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.CookieManager;
import java.net.CookiePolicy;
import java.net.HttpCookie;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.Base64;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * Does what a browser does with the console: loads the page, keeps cookies, and sends
 * what the page's configuration says. It follows no redirects.
 */
public final class Browser {

	private static final Pattern CONFIG = Pattern.compile("(?s)id=\"config\">(.*?)</script>");

	private static final JsonMapper json = new JsonMapper();

	private final CookieManager cookies = new CookieManager(null, CookiePolicy.ACCEPT_ALL);

	private final HttpClient http = HttpClient.newBuilder()
		.cookieHandler(this.cookies)
		.connectTimeout(Duration.ofSeconds(30))
		.build();

	private final String root;

	private final @Nullable String credentials;

	private String base = "/asynq";

	private @Nullable JsonNode csrf;

	private @Nullable String token;

	public Browser(String root, @Nullable String user) {
		this.root = root;
		this.credentials = (user != null) ? "Basic " + Base64.getEncoder().encodeToString((user + ":secret").getBytes())
				: null;
	}

	/** Has the console at another path, as this browser sees it. */
	public Browser at(String path) {
		this.base = path;
		return this;
	}

	/** Comes with a token before it asks for anything else. */
	public Browser with(@Nullable String newToken) {
		this.token = newToken;
		return this;
	}

	/** Loads the page, and keeps its CSRF token if it is shown. */
	public Answer open() {
		Answer page = get("");
		Matcher config = CONFIG.matcher(page.body());
		if (config.find()) {
			this.csrf = json.readTree(config.group(1)).path("csrf");
		}
		return page;
	}

	/** Returns what the page tells its scripts. */
	public JsonNode config() {
		String page = open().body();
		Matcher config = CONFIG.matcher(page);
		if (!config.find()) {
			throw new IllegalStateException("No configuration in " + page);
		}
		return json.readTree(config.group(1));
	}

	/** Asks for something below the console. */
	public Answer get(String path, String... headers) {
		return send(request(this.base + path, headers).GET());
	}

	/** Asks for a URL of the application. */
	public Answer getElsewhere(String path, String... headers) {
		return send(request(path, headers).GET());
	}

	/** Opens a stream. */
	public HttpResponse<InputStream> stream(String path) {
		try {
			return this.http.send(request(this.base + path).GET().build(), BodyHandlers.ofInputStream());
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
		catch (InterruptedException ex) {
			throw new IllegalStateException(ex);
		}
	}

	/** Changes something as the page does. */
	public Answer post(String route, Map<String, ?> body) {
		HttpRequest.Builder request = request(this.base + "/api/v1/" + route, "Content-Type", "application/json",
				"X-Asynq-Console", "1", "Sec-Fetch-Site", "same-origin");
		JsonNode token = this.csrf;
		if (token != null && token.isObject()) {
			String cookie = token.path("cookie").asString("");
			String value = cookie.isEmpty() ? token.path("token").asString("") : cookie(cookie);
			request.header(token.path("header").asString(""), value);
		}
		return send(request.POST(BodyPublishers.ofString(json.writeValueAsString(body))));
	}

	/** Sends a POST as it is, with no more than these headers. */
	public Answer postPlainly(String path, String body, String... headers) {
		return send(request(path, headers).POST(BodyPublishers.ofString(body)));
	}

	private String cookie(String name) {
		return this.cookies.getCookieStore()
			.getCookies()
			.stream()
			.filter((cookie) -> cookie.getName().equals(name))
			.map(HttpCookie::getValue)
			.findFirst()
			.orElse("");
	}

	private HttpRequest.Builder request(String path, String... headers) {
		String first = this.token;
		if (first != null) {
			this.token = null;
			get("/?token=" + first);
		}
		HttpRequest.Builder request = HttpRequest.newBuilder(URI.create(this.root + path))
			.timeout(Duration.ofSeconds(60))
			.header("Accept", path.contains("/asynq") && !path.contains("/api/") ? "text/html" : "application/json");
		if (headers.length > 0) {
			request.headers(headers);
		}
		if (this.credentials != null) {
			request.header("Authorization", this.credentials);
		}
		return request;
	}

	private Answer send(HttpRequest.Builder request) {
		try {
			HttpResponse<String> response = this.http.send(request.build(), BodyHandlers.ofString());
			return new Answer(response.statusCode(), response, response.body());
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
		catch (InterruptedException ex) {
			throw new IllegalStateException(ex);
		}
	}

	/**
	 * What came back.
	 */
	public record Answer(int status, HttpResponse<?> response, String body) {

		public JsonNode json() {
			return Browser.json.readTree(this.body);
		}

		/**
		 * Returns the problem's code, empty if the answer is none of the console's
		 * problems.
		 */
		public String code() {
			return header("Content-Type").startsWith("application/problem+json") ? json().path("code").asString("")
					: "";
		}

		public String header(String name) {
			return this.response.headers().firstValue(name).orElse("");
		}

	}

}
