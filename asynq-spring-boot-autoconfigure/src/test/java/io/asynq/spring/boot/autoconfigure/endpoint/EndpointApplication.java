package io.asynq.spring.boot.autoconfigure.endpoint;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.CookieManager;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublisher;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.ArrayList;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import io.asynq.Task;
import io.asynq.annotation.TaskHandler;
import io.asynq.schedule.PeriodicTaskDefinition;
import io.asynq.test.TestRedis;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.actuate.audit.AuditEvent;
import org.springframework.boot.actuate.audit.listener.AuditApplicationEvent;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.event.EventListener;
import org.springframework.core.io.DefaultResourceLoader;
import org.springframework.data.redis.connection.RedisConnection;
import org.springframework.data.redis.connection.RedisConnectionFactory;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * A web application with the endpoint, asked over HTTP.
 */
final class EndpointApplication implements AutoCloseable {

	private static final JsonMapper json = new JsonMapper();

	/** Keeps the session, which keeps the CSRF token. */
	private final HttpClient http = HttpClient.newBuilder().cookieHandler(new CookieManager()).build();

	private final ConfigurableApplicationContext context;

	private final String port;

	private @Nullable String credentials;

	private @Nullable String csrfToken;

	private EndpointApplication(ConfigurableApplicationContext context) {
		this.context = context;
		this.port = String.valueOf(context.getEnvironment()
			.getProperty("local.management.port", context.getEnvironment().getProperty("local.server.port", "")));
	}

	/**
	 * Starts it as if Spring Security were not on the class path.
	 */
	static EndpointApplication withoutSecurity(TestRedis redis, String... properties) {
		return withoutSecurity(WebApplicationType.SERVLET, redis, properties);
	}

	/**
	 * Starts it with WebFlux, as if Spring Security were not on the class path.
	 */
	static EndpointApplication withWebFlux(TestRedis redis, String... properties) {
		return withoutSecurity(WebApplicationType.REACTIVE, redis, properties);
	}

	static EndpointApplication withoutSecurity(WebApplicationType web, TestRedis redis, String... properties) {
		return new EndpointApplication(builder(Application.class).web(web)
			.resourceLoader(new DefaultResourceLoader(
					new FilteredClassLoader("org.springframework.security", "org.springframework.boot.security")))
			.run(arguments(redis.port(), properties)));
	}

	static EndpointApplication withSecurity(WebApplicationType web, TestRedis redis, Class<?> security,
			String... properties) {
		return new EndpointApplication(
				builder(Application.class, security).web(web).run(arguments(redis.port(), properties)));
	}

	private static SpringApplicationBuilder builder(Class<?>... sources) {
		return new SpringApplicationBuilder(sources).properties("asynq.server.preflight=off",
				"spring.data.redis.timeout=10s", "asynq.server.queues.served=2", "server.port=0",
				"management.endpoints.web.exposure.include=*", "management.info.asynq.enabled=true");
	}

	private static String[] arguments(int port, String... properties) {
		List<String> arguments = new ArrayList<>(List.of("--spring.data.redis.client-type=jedis",
				"--spring.data.redis.host=127.0.0.1", "--spring.data.redis.port=" + port));
		List.of(properties).forEach((property) -> arguments.add("--" + property));
		return arguments.toArray(String[]::new);
	}

	/**
	 * Sends these credentials from now on.
	 */
	EndpointApplication as(@Nullable String user) {
		this.credentials = (user != null) ? "Basic " + Base64.getEncoder().encodeToString((user + ":secret").getBytes())
				: null;
		return this;
	}

	/**
	 * Takes the token from the login page and sends it from now on.
	 */
	void takeCsrfToken() {
		String page = send("GET", "/login", BodyPublishers.noBody(), "text/html").body().asString();
		Matcher token = Pattern.compile("name=\"_csrf\"[^>]*value=\"([^\"]+)\"").matcher(page);
		if (!token.find()) {
			throw new IllegalStateException("No token in " + page);
		}
		this.csrfToken = token.group(1);
	}

	/** Reads {@code name=value&name=value}, {@code null} for nothing. */
	static Map<String, String> body(@Nullable String parameters) {
		Map<String, String> body = new LinkedHashMap<>();
		if (parameters != null) {
			for (String parameter : parameters.split("&")) {
				String[] parts = parameter.split("=", 2);
				body.put(parts[0], parts[1]);
			}
		}
		return body;
	}

	Answer get(String path) {
		return send("GET", path, BodyPublishers.noBody());
	}

	Answer post(String path, Map<String, String> body) {
		return send("POST", path, BodyPublishers.ofString(json.writeValueAsString(body)));
	}

	/**
	 * Sends what a page of another site can have a browser send without asking first, and
	 * returns the status.
	 */
	int postFromElsewhere(String path, String contentType, String body) {
		HttpRequest.Builder request = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + this.port + path))
			.header("Origin", "https://evil.example")
			.POST(BodyPublishers.ofString(body));
		if (!contentType.isEmpty()) {
			request.header("Content-Type", contentType);
		}
		try {
			return this.http.send(request.build(), BodyHandlers.discarding()).statusCode();
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
		catch (InterruptedException ex) {
			throw new IllegalStateException(ex);
		}
	}

	Answer delete(String path) {
		return send("DELETE", path, BodyPublishers.noBody());
	}

	<T> T bean(Class<T> type) {
		return this.context.getBean(type);
	}

	List<AuditEvent> audit() {
		return bean(Audit.class).events;
	}

	/**
	 * Returns the threads that made writes.
	 */
	List<Thread> writers() {
		return bean(Audit.class).threads;
	}

	void command(String name, String... arguments) {
		byte[][] bytes = new byte[arguments.length][];
		for (int i = 0; i < bytes.length; i++) {
			bytes[i] = arguments[i].getBytes();
		}
		try (RedisConnection connection = bean(RedisConnectionFactory.class).getConnection()) {
			connection.execute(name, bytes);
		}
	}

	@Override
	public void close() {
		this.context.close();
	}

	private Answer send(String method, String path, BodyPublisher body) {
		return send(method, path, body, "application/json");
	}

	private Answer send(String method, String path, BodyPublisher body, String accept) {
		HttpRequest.Builder request = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + this.port + path))
			.header("Accept", accept)
			.header("Content-Type", "application/json")
			.method(method, body);
		if (this.credentials != null) {
			request.header("Authorization", this.credentials);
		}
		if (this.csrfToken != null) {
			request.header("X-CSRF-TOKEN", this.csrfToken);
		}
		try {
			HttpResponse<String> response = this.http.send(request.build(), BodyHandlers.ofString());
			String text = response.body();
			return new Answer(response.statusCode(), response.headers().firstValue("Content-Type").orElse(""),
					text.startsWith("{") || text.startsWith("[") ? json.readTree(text) : json.valueToTree(text));
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
	 *
	 * @param body the JSON, or text as a JSON string
	 */
	record Answer(int status, String contentType, JsonNode body) {
	}

	@Configuration(proxyBeanMethods = false)
	@EnableAutoConfiguration
	static class Application {

		@Bean
		Handler handler() {
			return new Handler();
		}

		@Bean
		Audit audit() {
			return new Audit();
		}

		@Bean
		PeriodicTaskDefinition nightly() {
			return PeriodicTaskDefinition.of("0 3 * * *", Task.of("report", "all"))
				.id("nightly")
				.options((options) -> options.queue("reports"));
		}

	}

	static class Handler {

		@TaskHandler("t")
		void handle() {
		}

	}

	static class Audit {

		private final List<AuditEvent> events = new CopyOnWriteArrayList<>();

		private final List<Thread> threads = new CopyOnWriteArrayList<>();

		@EventListener
		void on(AuditApplicationEvent event) {
			this.threads.add(Thread.currentThread());
			this.events.add(event.getAuditEvent());
		}

	}

}
