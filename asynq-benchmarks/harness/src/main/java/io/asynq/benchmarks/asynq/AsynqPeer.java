package io.asynq.benchmarks.asynq;

import java.util.ArrayList;
import java.util.List;
import java.util.function.IntConsumer;

import io.asynq.AsynqClient;
import io.asynq.benchmarks.peer.Peer;
import io.asynq.benchmarks.peer.Producer;
import io.asynq.benchmarks.peer.Settings;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
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

}
