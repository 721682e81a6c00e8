package io.asynq.spring.boot.autoconfigure;

import java.util.function.Supplier;

import io.asynq.annotation.TaskHandler;

import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.autoconfigure.context.LifecycleAutoConfiguration;
import org.springframework.boot.context.annotation.ImportCandidates;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.data.redis.autoconfigure.DataRedisAutoConfiguration;
import org.springframework.boot.jackson.autoconfigure.JacksonAutoConfiguration;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.util.ClassUtils;

/**
 * Contexts with all of our auto-configurations, found as Spring Boot finds them. Redis is
 * not needed until the server starts.
 */
final class AsynqContexts {

	private AsynqContexts() {
	}

	static ApplicationContextRunner wired() {
		return started().withPropertyValues("asynq.server.auto-startup=false");
	}

	static ApplicationContextRunner started() {
		return new ApplicationContextRunner()
			.withConfiguration(AutoConfigurations.of(LifecycleAutoConfiguration.class, DataRedisAutoConfiguration.class,
					JacksonAutoConfiguration.class))
			.withConfiguration(AutoConfigurations.of(ours()))
			.withPropertyValues("spring.data.redis.client-type=jedis", "spring.data.redis.port=1");
	}

	static Class<?>[] ours() {
		ClassLoader classLoader = AsynqContexts.class.getClassLoader();
		return ImportCandidates.load(AutoConfiguration.class, classLoader)
			.getCandidates()
			.stream()
			.filter((name) -> name.startsWith("io.asynq."))
			.map((name) -> ClassUtils.resolveClassName(name, classLoader))
			.toArray(Class<?>[]::new);
	}

	static Supplier<Greeter> greeter() {
		return Greeter::new;
	}

	static class Greeter {

		@TaskHandler("greet")
		String greet(String name) {
			return "Hello, " + name;
		}

	}

}
