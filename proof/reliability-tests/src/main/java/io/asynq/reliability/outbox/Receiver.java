package io.asynq.reliability.outbox;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

import io.asynq.annotation.TaskHandler;
import io.asynq.handler.TaskContext;
import io.asynq.inspect.AsynqInspector;
import io.asynq.inspect.QueueStats;
import io.asynq.reliability.process.LocalServer;
import io.asynq.test.ledger.TaskKey;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** Nobody kills it: so a task that runs twice was enqueued twice. */
record Receiver(ConfigurableApplicationContext context) implements AutoCloseable {

	static Receiver start(Map<String, String> redis) {
		Map<String, String> properties = new LinkedHashMap<>(redis);
		properties.put("asynq.server.concurrency", "4");
		return new Receiver(LocalServer.start(Application.class, properties, Orders.QUEUES));
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

	/** Handles the tasks and counts the runs of each. Safe for concurrent use. */
	static final class Receipts {

		private final Map<TaskKey, Integer> runs = new ConcurrentHashMap<>();

		@TaskHandler(Orders.TYPE)
		void handle(TaskContext context) {
			this.runs.merge(new TaskKey(context.queue(), context.taskId()), 1, Integer::sum);
		}

		boolean has(TaskKey task) {
			return this.runs.containsKey(task);
		}

		/** Returns the runs of each task so far. */
		Map<TaskKey, Integer> all() {
			return Map.copyOf(this.runs);
		}

	}

}
