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
import org.springframework.scheduling.concurrent.ThreadPoolTaskExecutor;

/** An application with one listener. */
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
			@Value("${bench.polling-interval}") long pollingInterval, ThreadPoolTaskExecutor listenerExecutor) {
		SimpleRqueueListenerContainerFactory factory = new SimpleRqueueListenerContainerFactory();
		factory.setPollingInterval(pollingInterval);
		factory.setTaskExecutor(listenerExecutor);
		return factory;
	}

	/**
	 * RQueue frees a slot before its thread is free, and a task that finds no thread is
	 * lost for 15 minutes; its own pools have neither a spare thread nor a queue.
	 */
	@Bean
	@ConditionalOnProperty("bench.polling-interval")
	ThreadPoolTaskExecutor listenerExecutor(@Value("${bench.concurrency}") int concurrency) {
		ThreadPoolTaskExecutor executor = new ThreadPoolTaskExecutor();
		// One more polls
		executor.setCorePoolSize(concurrency + 1);
		executor.setQueueCapacity(concurrency);
		return executor;
	}

	record BenchListener(IntConsumer handler) {

		@RqueueListener(value = "${bench.queue}", concurrency = "${bench.concurrency}")
		public void run(RqueuePeer.RqueueTask task) {
			this.handler.accept(Payload.number(task.payload()));
		}

	}

}
