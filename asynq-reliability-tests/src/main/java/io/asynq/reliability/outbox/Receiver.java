package io.asynq.reliability.outbox;

import java.util.LinkedHashMap;
import java.util.Map;

import io.asynq.info.QueueStats;
import io.asynq.inspect.AsynqInspector;

import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/**
 * A server in this JVM, which nobody kills: so a task that runs twice was enqueued twice.
 */
final class Receiver implements AutoCloseable {

	private final ConfigurableApplicationContext context;

	private Receiver(ConfigurableApplicationContext context) {
		this.context = context;
	}

	static Receiver start(Map<String, String> redis) {
		Map<String, String> properties = new LinkedHashMap<>(redis);
		properties.put("spring.main.banner-mode", "off");
		properties.put("asynq.server.concurrency", "4");
		Orders.QUEUES.forEach((queue) -> properties.put("asynq.server.queues." + queue, "1"));
		String[] arguments = properties.entrySet()
			.stream()
			.map((entry) -> "--" + entry.getKey() + "=" + entry.getValue())
			.toArray(String[]::new);
		return new Receiver(
				new SpringApplicationBuilder(Application.class).web(WebApplicationType.NONE).run(arguments));
	}

	Receipts receipts() {
		return this.context.getBean(Receipts.class);
	}

	QueueStats stats(String queue) {
		return this.context.getBean(AsynqInspector.class).queueInfo(queue).stats();
	}

	@Override
	public void close() {
		this.context.close();
	}

	@Configuration(proxyBeanMethods = false)
	@EnableAutoConfiguration
	static class Application {

		@Bean
		Receipts receipts() {
			return new Receipts();
		}

	}

}
