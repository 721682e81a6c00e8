package io.asynq.spring.boot.autoconfigure;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.stream.Stream;

import io.asynq.annotation.TaskHandler;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.autoconfigure.context.LifecycleAutoConfiguration;
import org.springframework.boot.context.annotation.ImportCandidates;
import org.springframework.boot.data.redis.autoconfigure.DataRedisAutoConfiguration;
import org.springframework.boot.jackson.autoconfigure.JacksonAutoConfiguration;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.ApplicationContextInitializer;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.DeferredImportSelector;
import org.springframework.context.annotation.Import;
import org.springframework.core.env.MapPropertySource;
import org.springframework.core.type.AnnotationMetadata;
import org.springframework.util.ClassUtils;

/**
 * Contexts with all our auto-configurations, found as Spring Boot finds them. Redis is
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

	/**
	 * Sets properties whose names or values {@code withPropertyValues} would alter.
	 * @param properties names and values, separated by the first equals sign
	 */
	static ApplicationContextInitializer<ConfigurableApplicationContext> properties(String... properties) {
		Map<String, Object> map = new LinkedHashMap<>();
		for (String property : properties) {
			int separator = property.indexOf('=');
			map.put(property.substring(0, separator), property.substring(separator + 1));
		}
		return (context) -> context.getEnvironment()
			.getPropertySources()
			.addFirst(new MapPropertySource("asynq-test", map));
	}

	/**
	 * Imports auto-configurations by name as an application does, without loading those
	 * whose conditions do not match.
	 */
	@Configuration(proxyBeanMethods = false)
	@Import(Names.class)
	static class Application {

	}

	static class Names implements DeferredImportSelector {

		@Override
		public String[] selectImports(AnnotationMetadata importing) {
			Stream<String> names = Stream.of(ours()).map(Class::getName);
			return Stream.concat(Stream.of(DataRedisAutoConfiguration.class.getName()), names).toArray(String[]::new);
		}

	}

	static class Greeter {

		@TaskHandler("greet")
		String greet(String name) {
			return "Hello, " + name;
		}

	}

}
