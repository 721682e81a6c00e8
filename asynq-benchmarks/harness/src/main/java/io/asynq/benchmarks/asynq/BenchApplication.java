package io.asynq.benchmarks.asynq;

import java.time.Duration;
import java.util.function.IntConsumer;

import io.asynq.RetryDelayPolicy;
import io.asynq.annotation.TaskHandler;
import io.asynq.benchmarks.peer.Payload;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.annotation.Bean;

/** An application with one handler. */
@SpringBootConfiguration(proxyBeanMethods = false)
@EnableAutoConfiguration
class BenchApplication {

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
