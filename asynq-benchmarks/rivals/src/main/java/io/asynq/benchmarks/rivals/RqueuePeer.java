package io.asynq.benchmarks.rivals;

import java.util.ArrayList;
import java.util.List;
import java.util.function.IntConsumer;

import com.github.sonus21.rqueue.core.RqueueEndpointManager;
import com.github.sonus21.rqueue.core.RqueueMessageEnqueuer;
import io.asynq.benchmarks.peer.Peer;
import io.asynq.benchmarks.peer.Producer;
import io.asynq.benchmarks.peer.Settings;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.support.GenericApplicationContext;

/** RQueue's starter in an application. */
final class RqueuePeer implements Peer {

	private @Nullable ConfigurableApplicationContext worker;

	@Override
	public String version() {
		return Jar.name(RqueueMessageEnqueuer.class);
	}

	@Override
	public void serve(Settings settings, IntConsumer handler) {
		Demands.serve(settings, true);
		List<String> properties = properties(settings);
		properties.add("bench.queue=" + Demands.queue(settings));
		properties.add("bench.concurrency=" + settings.number("concurrency"));
		if (Demands.tuned(settings)) {
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
		Demands.enqueue(settings, "single");
		String queue = Demands.queue(settings);
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
		if (Demands.tuned(settings)) {
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

}
