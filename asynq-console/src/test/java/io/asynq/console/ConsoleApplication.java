package io.asynq.console;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.Stream;

import io.asynq.AsynqClient;
import io.asynq.annotation.TaskHandler;
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
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;

/**
 * A web application with the console and a URL of its own, asked over HTTP.
 */
public final class ConsoleApplication implements AutoCloseable {

	public static final String TOKEN = "token-of-the-tests";

	private final ConfigurableApplicationContext context;

	private final int port;

	private final @Nullable String token;

	private ConsoleApplication(ConfigurableApplicationContext context) {
		this.token = context.getEnvironment().getProperty("asynq.console.token");
		this.context = context;
		this.port = context.getEnvironment().getRequiredProperty("local.server.port", Integer.class);
	}

	/**
	 * Starts it as if Spring Security were not on the class path. Its browsers come with
	 * a token.
	 */
	public static ConsoleApplication withoutSecurity(WebApplicationType web, TestRedis redis, String... properties) {
		return withoutSecurity(web, redis, Nothing.class, properties);
	}

	/**
	 * Starts it as if Spring Security were not on the class path.
	 * @param more beans of the application
	 */
	public static ConsoleApplication withoutSecurity(WebApplicationType web, TestRedis redis, Class<?> more,
			String... properties) {
		boolean decided = Stream.of(properties)
			.anyMatch((each) -> each.matches("asynq\\.console\\.(security=none|token=.*)"));
		String[] all = Stream
			.concat(decided ? Stream.empty() : Stream.of("asynq.console.token=" + TOKEN), Stream.of(properties))
			.toArray(String[]::new);
		return withoutSecurity(web, more, arguments(redis, all));
	}

	private static ConsoleApplication withoutSecurity(WebApplicationType web, Class<?> more, String[] arguments) {
		return new ConsoleApplication(builder(more).web(web)
			.resourceLoader(new DefaultResourceLoader(
					new FilteredClassLoader("org.springframework.security", "org.springframework.boot.security")))
			.run(arguments));
	}

	/**
	 * Starts it as if Spring Security were not on the class path; the log has the token.
	 */
	public static ConsoleApplication withLoggedToken(WebApplicationType web, TestRedis redis, String... properties) {
		return withoutSecurity(web, Nothing.class, arguments(redis, properties));
	}

	/**
	 * Starts it with Spring Security.
	 * @param security users and chains of the application
	 */
	public static ConsoleApplication withSecurity(WebApplicationType web, TestRedis redis, Class<?> security,
			String... properties) {
		return new ConsoleApplication(builder(security).web(web).run(arguments(redis, properties)));
	}

	/**
	 * Returns a browser with cookies of its own, that sends credentials unless told no
	 * user.
	 */
	public Browser browser(@Nullable String user) {
		return new Browser("http://localhost:" + this.port, user).with(this.token);
	}

	/** Returns the port of the application's own server. */
	public int port() {
		return this.port;
	}

	/** Returns a browser that speaks to the actuator's own port. */
	public Browser managementBrowser(@Nullable String user) {
		return new Browser(
				"http://localhost:" + this.context.getEnvironment().getRequiredProperty("local.management.port"), user)
			.with(this.token);
	}

	public <T> T bean(Class<T> type) {
		return this.context.getBean(type);
	}

	public List<AuditEvent> audit() {
		return bean(Audit.class).events;
	}

	/** Enqueues a task of a type that has a handler, in a queue that has no server. */
	public String enqueue(String queue) {
		return bean(AsynqClient.class).enqueue("t", "payload".getBytes(), (options) -> options.queue(queue)).id();
	}

	@Override
	public void close() {
		this.context.close();
	}

	private static SpringApplicationBuilder builder(Class<?> more) {
		return new SpringApplicationBuilder(Application.class, more).properties("asynq.server.preflight=off",
				"asynq.server.queues.served=2", "server.port=0", "management.endpoints.web.exposure.include=*");
	}

	private static String[] arguments(TestRedis redis, String... properties) {
		List<String> arguments = new ArrayList<>(
				List.of("--spring.data.redis.client-type=jedis", "--spring.data.redis.host=127.0.0.1",
						"--spring.data.redis.port=" + redis.port(), "--spring.data.redis.timeout=30s"));
		List.of(properties).forEach((property) -> arguments.add("--" + property));
		return arguments.toArray(String[]::new);
	}

	@Configuration(proxyBeanMethods = false)
	static class Nothing {

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
		Shop shop() {
			return new Shop();
		}

	}

	static class Handler {

		@TaskHandler("t")
		void handle() {
		}

	}

	@RestController
	static class Shop {

		@GetMapping("/orders")
		String orders() {
			return "orders";
		}

		/** Takes what nobody else takes, as pages of a single-page application do. */
		@GetMapping("/{page:[a-z]+}")
		String page() {
			return "page";
		}

	}

	static class Audit {

		private final List<AuditEvent> events = new CopyOnWriteArrayList<>();

		@EventListener
		void on(AuditApplicationEvent event) {
			if (event.getAuditEvent().getType().startsWith("ASYNQ_")) {
				this.events.add(event.getAuditEvent());
			}
		}

	}

}
