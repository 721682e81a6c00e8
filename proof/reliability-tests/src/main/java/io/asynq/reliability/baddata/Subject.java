package io.asynq.reliability.baddata;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;

import io.asynq.reliability.process.LocalServer;
import io.asynq.server.BrokenTask;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.MeterRegistry;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** A server as users have it, except that it recovers tasks every second. */
record Subject(ConfigurableApplicationContext context) implements AutoCloseable {

	/** The beginnings of names of threads that look once and end. */
	private static final List<String> LOOK_ONCE = List.of("asynq-start-report", "asynq-preflight");

	static Subject start(Map<String, String> redis, String... queues) {
		Map<String, String> properties = new LinkedHashMap<>(redis);
		// On a busy machine 64 MiB may take longer than the default time-out of a driver
		properties.put("spring.data.redis.timeout", "20s");
		properties.put("asynq.server.recover-interval", "1s");
		properties.put("asynq.server.recover-grace", "1s");
		properties.put("asynq.server.janitor-interval", "1s");
		properties.put("asynq.server.concurrency", "10");
		return new Subject(LocalServer.start(Application.class, properties, List.of(queues)));
	}

	HealthyTasks.Handled handled() {
		return this.context.getBean(HealthyTasks.Handled.class);
	}

	long counted(BrokenTask.Kind kind) {
		FunctionCounter counter = this.context.getBean(MeterRegistry.class)
			.get("asynq.tasks.broken")
			.tag("kind", kind.name().toLowerCase(Locale.ROOT))
			.functionCounter();
		return (long) counter.count();
	}

	/**
	 * Returns the thread names of the running loops, without the threads that look once
	 * and end.
	 */
	static Set<String> loops() {
		return Thread.getAllStackTraces()
			.keySet()
			.stream()
			.map(Thread::getName)
			.filter((name) -> name.matches("asynq-[a-z-]+[a-z]") && LOOK_ONCE.stream().noneMatch(name::startsWith))
			.collect(Collectors.toCollection(TreeSet::new));
	}

	@Override
	public void close() {
		this.context.close();
	}

	@Configuration(proxyBeanMethods = false)
	@EnableAutoConfiguration
	static class Application {

		@Bean
		HealthyTasks.Handled handled() {
			return new HealthyTasks.Handled();
		}

	}

}
