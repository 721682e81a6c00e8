package io.asynq.benchmarks.rivals;

import java.util.function.IntConsumer;

import com.github.sonus21.rqueue.annotation.RqueueListener;
import com.github.sonus21.rqueue.config.SimpleRqueueListenerContainerFactory;
import io.asynq.benchmarks.peer.Payload;

import org.springframework.beans.factory.annotation.Value;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.context.annotation.Bean;

/**
 * An application with one listener.
 */
@SpringBootConfiguration(proxyBeanMethods = false)
@EnableAutoConfiguration
class RqueueWorker {

	@Bean
	BenchListener benchListener(IntConsumer handler) {
		return new BenchListener(handler);
	}

	@Bean
	@ConditionalOnProperty("bench.polling-interval")
	SimpleRqueueListenerContainerFactory listenerContainerFactory(
			@Value("${bench.polling-interval}") long pollingInterval) {
		SimpleRqueueListenerContainerFactory factory = new SimpleRqueueListenerContainerFactory();
		factory.setPollingInterval(pollingInterval);
		return factory;
	}

	record BenchListener(IntConsumer handler) {

		@RqueueListener(value = "${bench.queue}", concurrency = "${bench.concurrency}",
				batchSize = "${bench.batch-size:-1}")
		public void run(String payload) {
			this.handler.accept(Payload.number(payload));
		}

	}

}
