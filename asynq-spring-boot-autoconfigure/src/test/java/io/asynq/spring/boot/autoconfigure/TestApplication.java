package io.asynq.spring.boot.autoconfigure;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

import io.asynq.annotation.TaskHandler;
import io.asynq.test.TestRedis;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/**
 * An application that greets.
 */
@Configuration(proxyBeanMethods = false)
@EnableAutoConfiguration
class TestApplication {

	@Bean
	Greetings greetings() {
		return new Greetings();
	}

	/**
	 * Starts the application on a Redis; the caller closes its context.
	 */
	static ConfigurableApplicationContext run(TestRedis redis, String... properties) {
		return run(TestApplication.class, redis.port(), properties);
	}

	static ConfigurableApplicationContext run(Class<?> application, int port, String... properties) {
		List<String> arguments = new ArrayList<>(List.of("--spring.data.redis.client-type=jedis",
				"--spring.data.redis.host=127.0.0.1", "--spring.data.redis.port=" + port));
		List.of(properties).forEach((property) -> arguments.add("--" + property));
		// The Redis of tests stores nothing on disk, of which the start would warn
		return new SpringApplicationBuilder(application).web(WebApplicationType.NONE)
			.properties("asynq.server.preflight=off", "spring.data.redis.timeout=10s")
			.run(arguments.toArray(String[]::new));
	}

	/**
	 * Remembers the names it has greeted.
	 */
	static class Greetings {

		private final BlockingQueue<Person> greeted = new LinkedBlockingQueue<>();

		@TaskHandler("greet")
		String greet(Person person) {
			this.greeted.add(person);
			return "Hello, " + person.name();
		}

		@Nullable Person next() throws InterruptedException {
			return this.greeted.poll(60, TimeUnit.SECONDS);
		}

		boolean isEmpty() {
			return this.greeted.isEmpty();
		}

	}

	/**
	 * A person to greet.
	 *
	 * @param name the name
	 */
	record Person(String name) {
	}

}
