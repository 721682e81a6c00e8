package io.asynq.benchmarks.asynq;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.IntConsumer;

import io.asynq.AsynqClient;
import io.asynq.EnqueueAttempt;
import io.asynq.RetryDelayPolicy;
import io.asynq.Task;
import io.asynq.TaskOptions;
import io.asynq.annotation.TaskHandler;
import io.asynq.benchmarks.peer.Payload;
import io.asynq.benchmarks.peer.Peer;
import io.asynq.benchmarks.peer.Producer;
import io.asynq.benchmarks.peer.Settings;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.support.GenericApplicationContext;

/** The starter with its defaults. */
final class AsynqPeer implements Peer {

	private @Nullable ConfigurableApplicationContext worker;

	@Override
	public String version() {
		return "jdk-" + Runtime.version().feature();
	}

	@Override
	public void serve(Settings settings, IntConsumer handler) {
		List<String> properties = redis(settings);
		properties.add("asynq.server.concurrency=" + settings.text("concurrency"));
		settings.queues().forEach((queue, weight) -> properties.add("asynq.server.queues." + queue + "=" + weight));
		properties.add("spring.threads.virtual.enabled=" + "virtual".equals(settings.text("threads", "platform")));
		this.worker = start(properties, handler);
	}

	@Override
	public void stop() {
		if (this.worker != null) {
			this.worker.close();
		}
	}

	@Override
	public Producer producer(Settings settings) {
		List<String> properties = redis(settings);
		properties.add("asynq.server.enabled=false");
		// An enqueue that was given up would end the measure
		properties.add("spring.data.redis.timeout=60s");
		ConfigurableApplicationContext context = start(properties, (number) -> {
		});
		return new AsynqProducer(context.getBean(AsynqClient.class), settings, context);
	}

	private static List<String> redis(Settings settings) {
		List<String> properties = new ArrayList<>();
		if (settings.text("redis").contains(",")) {
			properties.add("spring.data.redis.cluster.nodes=" + settings.text("redis"));
		}
		else {
			properties.add("spring.data.redis.host=" + settings.host());
			properties.add("spring.data.redis.port=" + settings.port());
		}
		properties.add("spring.data.redis.client-type=" + settings.text("driver", "jedis"));
		switch (settings.text("variant", "default")) {
			case "tuned" -> {
				properties.add("spring.data.redis.jedis.pool.max-active=16");
				properties.add("spring.data.redis.jedis.pool.max-idle=16");
			}
			case "apart" -> properties.add("asynq.client.share-calls=false");
			case "not-ahead" -> properties.add("asynq.server.fetch-ahead=false");
			case "unobserved" -> properties.add("spring.autoconfigure.exclude="
					+ "io.asynq.spring.boot.autoconfigure.AsynqObservationAutoConfiguration");
			default -> {
			}
		}
		return properties;
	}

	private static ConfigurableApplicationContext start(List<String> properties, IntConsumer handler) {
		return new SpringApplicationBuilder(BenchApplication.class).web(WebApplicationType.NONE)
			.properties(properties.toArray(String[]::new))
			.properties("spring.main.banner-mode=off", "logging.level.root=WARN", "spring.jmx.enabled=false")
			.initializers(
					(context) -> ((GenericApplicationContext) context).registerBean(IntConsumer.class, () -> handler))
			.run();
	}

	/** Enqueues with {@link AsynqClient}. */
	static final class AsynqProducer implements Producer {

		private final AsynqClient client;

		private final TaskOptions options;

		private final AutoCloseable context;

		AsynqProducer(AsynqClient client, Settings settings, AutoCloseable context) {
			this.client = client;
			this.options = options(settings);
			this.context = context;
		}

		@Override
		public void one(String payload) {
			this.client.enqueue(task(payload), this.options);
		}

		@Override
		public void many(List<String> payloads) {
			List<Task> tasks = new ArrayList<>(payloads.size());
			for (String payload : payloads) {
				tasks.add(task(payload));
			}
			this.client.enqueueAll(tasks, this.options).forEach(EnqueueAttempt::orThrow);
		}

		@Override
		public void close() throws Exception {
			this.context.close();
		}

		private static Task task(String payload) {
			return Task.of("bench", payload.getBytes(StandardCharsets.US_ASCII));
		}

		private static TaskOptions options(Settings settings) {
			TaskOptions.Builder options = TaskOptions.builder().queue(settings.firstQueue());
			String mode = settings.text("mode", "single");
			if ("unique".equals(mode)) {
				options.unique(Duration.ofHours(1));
			}
			else if ("scheduled".equals(mode)) {
				options.processIn(Duration.ofHours(1));
			}
			return options.build();
		}

	}

	/** An application with one handler. */
	@SpringBootConfiguration(proxyBeanMethods = false)
	@EnableAutoConfiguration
	static class BenchApplication {

		/** Long enough to be seen in Redis on a machine that stands still meanwhile. */
		private static final Duration RETRY_DELAY = Duration.ofSeconds(6);

		@Bean
		BenchHandler benchHandler(IntConsumer handler) {
			return new BenchHandler(handler);
		}

		@Bean
		RetryDelayPolicy retryDelayPolicy() {
			return (retried, error, task) -> RETRY_DELAY;
		}

		record BenchHandler(IntConsumer handler) {

			@TaskHandler("bench")
			void run(byte[] payload) {
				this.handler.accept(Payload.number(payload));
			}

		}

	}

}
