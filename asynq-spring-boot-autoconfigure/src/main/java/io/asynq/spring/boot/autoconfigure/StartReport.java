package io.asynq.spring.boot.autoconfigure;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

import io.asynq.handler.TaskAggregators;
import io.asynq.handler.TaskMux;
import io.asynq.internal.text.OneLineLogger;
import io.asynq.schedule.AsynqScheduler;
import org.slf4j.Logger;
import org.springframework.beans.factory.DisposableBean;
import org.springframework.context.ApplicationContext;
import org.springframework.context.ApplicationListener;
import org.springframework.context.event.ApplicationContextEvent;
import org.springframework.context.event.ContextClosedEvent;
import org.springframework.context.event.ContextRefreshedEvent;

/**
 * Checks for unserved queues a little later, when servers that were started at the same
 * time have registered themselves in Redis.
 */
final class StartReport implements ApplicationListener<ApplicationContextEvent>, DisposableBean {

	static final Duration PAUSE = Duration.ofSeconds(10);

	private static final Logger logger = OneLineLogger.of(StartReport.class);

	private final ApplicationContext context;

	private final Duration pause;

	private final CountDownLatch closed = new CountDownLatch(1);

	StartReport(ApplicationContext context, Duration pause) {
		this.context = context;
		this.pause = pause;
	}

	@Override
	public void onApplicationEvent(ApplicationContextEvent event) {
		// Events of child contexts arrive as well
		if (event.getApplicationContext() != this.context) {
			return;
		}
		if (event instanceof ContextClosedEvent) {
			// The server stops long before the beans are destroyed
			destroy();
		}
		else if (event instanceof ContextRefreshedEvent) {
			tell();
			// The start must not wait, neither for the pause nor for Redis
			Thread thread = new Thread(this::checkLater, "asynq-start-report");
			thread.setDaemon(true);
			thread.start();
		}
	}

	@Override
	public void destroy() {
		this.closed.countDown();
	}

	private void checkLater() {
		try {
			if (!this.closed.await(this.pause.toNanos(), TimeUnit.NANOSECONDS)) {
				new UnservedQueues(this.context).run();
			}
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
		}
	}

	private void tell() {
		StringBuilder pattern = new StringBuilder();
		List<String> values = new ArrayList<>();
		this.context.getBeansOfType(TaskMux.class)
			.values()
			.forEach((handlers) -> add(pattern, values, "handlers", handlers.describe()));
		this.context.getBeansOfType(TaskAggregators.class)
			.values()
			.forEach((aggregators) -> add(pattern, values, "aggregators", aggregators.describe()));
		this.context.getBeansOfType(AsynqScheduler.class)
			.values()
			.forEach((scheduler) -> add(pattern, values, "periodic tasks",
					scheduler.entries()
						.stream()
						.map((entry) -> entry.id() + ": " + entry.spec()
								+ (entry.type().isEmpty() ? "" : ", " + entry.type()) + ", queue " + entry.queue())
						.toList()));
		if (!values.isEmpty()) {
			logger.info("asynq in this application:" + pattern, values.toArray());
		}
	}

	private static void add(StringBuilder pattern, List<String> values, String title, List<String> lines) {
		if (!lines.isEmpty()) {
			pattern.append("%n  ".formatted()).append(title).append("%n    {}".formatted().repeat(lines.size()));
			values.addAll(lines);
		}
	}

}
