package io.asynq.benchmarks.rivals;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.IntConsumer;

import com.github.sonus21.rqueue.core.RqueueEndpointManager;
import com.github.sonus21.rqueue.core.RqueueMessageEnqueuer;
import io.asynq.benchmarks.peer.Peer;
import io.asynq.benchmarks.peer.PeerProgram;
import io.asynq.benchmarks.peer.Producer;
import io.asynq.benchmarks.peer.Settings;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.support.GenericApplicationContext;

/** RQueue's starter in an application. */
final class RqueuePeer implements Peer {

	private @Nullable ConfigurableApplicationContext worker;

	public static void main(String[] args) throws IOException {
		PeerProgram.run(new RqueuePeer());
	}

	@Override
	public String version() {
		return Rivals.version(RqueueMessageEnqueuer.class);
	}

	@Override
	public void serve(Settings settings, IntConsumer handler) {
		Rivals.serve(settings, true);
		List<String> properties = properties(settings);
		properties.add("bench.queue=" + Rivals.queue(settings));
		properties.add("bench.concurrency=" + settings.number("concurrency"));
		if (Rivals.tuned(settings)) {
			properties.add("bench.polling-interval=1");
		}
		this.worker = application(RqueueWorker.class, properties)
			.initializers(
					(context) -> ((GenericApplicationContext) context).registerBean(IntConsumer.class, () -> handler))
			.run();
	}

	@Override
	public void stop() {
		if (this.worker != null) {
			this.worker.close();
			this.worker = null;
		}
	}

	@Override
	public Producer producer(Settings settings) {
		Rivals.enqueue(settings, "single");
		String queue = Rivals.queue(settings);
		if (this.worker != null) {
			// RQueue registers its queues per process: a second application would drop
			// those of the first
			return new RqueueProducer(this.worker.getBean(RqueueMessageEnqueuer.class), queue, () -> {
			});
		}
		List<String> properties = properties(settings);
		properties.add("rqueue.system.mode=PRODUCER");
		ConfigurableApplicationContext context = application(RqueueApplication.class, properties).run();
		context.getBean(RqueueEndpointManager.class).registerQueue(queue);
		return new RqueueProducer(context.getBean(RqueueMessageEnqueuer.class), queue, context);
	}

	private static List<String> properties(Settings settings) {
		List<String> properties = new ArrayList<>();
		properties.add("spring.data.redis.host=" + settings.host());
		properties.add("spring.data.redis.port=" + settings.port());
		// Otherwise it asks the Internet for its latest version
		properties.add("rqueue.latest.version.check.enabled=false");
		if (Rivals.tuned(settings)) {
			properties.add("rqueue.job.enabled=false");
			properties.add("rqueue.web.collect.listener.stats=false");
		}
		return properties;
	}

	private static SpringApplicationBuilder application(Class<?> type, List<String> properties) {
		return new SpringApplicationBuilder(type).web(WebApplicationType.NONE)
			.properties(properties.toArray(String[]::new))
			.properties("spring.main.banner-mode=off", "logging.level.root=WARN", "spring.jmx.enabled=false");
	}

	/** Enqueues with RQueue, which has no batch call. */
	record RqueueProducer(RqueueMessageEnqueuer enqueuer, String queue, AutoCloseable context) implements Producer {

		@Override
		public void one(String payload) {
			// Errors are logged and no id is returned
			if (this.enqueuer.enqueue(this.queue, new RqueueTask(payload)) == null) {
				throw new IllegalStateException("RQueue did not accept " + payload);
			}
		}

		@Override
		public void close() throws Exception {
			this.context.close();
		}

	}

	/** Plain text would reach a listener without JSON. */
	record RqueueTask(String payload) {

	}

	/** An application that only enqueues. */
	@SpringBootConfiguration(proxyBeanMethods = false)
	@EnableAutoConfiguration
	static class RqueueApplication {

	}

}
