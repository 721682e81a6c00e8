package io.asynq.spring.boot.autoconfigure;

import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

import io.asynq.AsynqClient;
import io.asynq.annotation.TaskHandler;
import io.asynq.event.TaskEvent;
import io.asynq.event.TaskListener;
import io.asynq.internal.event.TaskEvents;
import io.asynq.test.RedisExtension;
import io.asynq.test.TestRedis;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.event.EventListener;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Events reach the beans of an application.
 */
@Timeout(120)
@ExtendWith(RedisExtension.class)
class TaskEventsIT {

	@Test
	void eventListenerIsHookForDeadLetters(TestRedis redis) throws Exception {
		try (ConfigurableApplicationContext context = TestApplication.run(DeadLetterApplication.class, redis.port(),
				"asynq.server.publish-events=true")) {
			context.getBean(AsynqClient.class).enqueue("pay", "42", (options) -> options.maxRetry(0));
			TaskEvent.Exhausted dead = context.getBean(DeadLetters.class).next();
			assertThat(dead.facts().type()).isEqualTo("pay");
			assertThat(dead.error()).contains("declined");
		}
	}

	@Test
	void eventsAreNotPublishedUnlessAskedFor(TestRedis redis) {
		try (ConfigurableApplicationContext context = TestApplication.run(DeadLetterApplication.class, redis.port())) {
			assertThat(context.getBean(TaskEvents.class).isOn()).isFalse();
			assertThat(context.getBean(PrometheusMeterRegistry.class).scrape()).doesNotContain("asynq_listeners");
		}
	}

	@Test
	void listenerMayEnqueueAnotherTask(TestRedis redis) throws Exception {
		try (ConfigurableApplicationContext context = TestApplication.run(CompensatingApplication.class,
				redis.port())) {
			context.getBean(AsynqClient.class).enqueue("pay", "42", (options) -> options.maxRetry(0));
			assertThat(context.getBean(Payments.class).refunded.poll(60, TimeUnit.SECONDS)).isEqualTo("42");
			assertThat(context.getBean(PrometheusMeterRegistry.class).scrape())
				.contains("asynq_listeners_failures_total 0.0", "asynq_listeners_dropped_total 0.0");
		}
	}

	@Configuration(proxyBeanMethods = false)
	@EnableAutoConfiguration
	static class DeadLetterApplication {

		@Bean
		Payments payments() {
			return new Payments();
		}

		@Bean
		DeadLetters deadLetters() {
			return new DeadLetters();
		}

	}

	@Configuration(proxyBeanMethods = false)
	@EnableAutoConfiguration
	static class CompensatingApplication {

		@Bean
		Payments payments() {
			return new Payments();
		}

		@Bean
		Refunds refunds(AsynqClient client) {
			return new Refunds(client);
		}

	}

	static class Payments {

		private final BlockingQueue<String> refunded = new LinkedBlockingQueue<>();

		@TaskHandler("pay")
		void pay(String amount) {
			throw new IllegalStateException("declined");
		}

		@TaskHandler("refund")
		void refund(String amount) {
			this.refunded.add(amount);
		}

	}

	static class DeadLetters {

		private final BlockingQueue<TaskEvent.Exhausted> dead = new LinkedBlockingQueue<>();

		@EventListener
		void on(TaskEvent.Exhausted event) {
			this.dead.add(event);
		}

		TaskEvent.Exhausted next() throws InterruptedException {
			TaskEvent.Exhausted next = this.dead.poll(60, TimeUnit.SECONDS);
			assertThat(next).isNotNull();
			return next;
		}

	}

	/**
	 * Needs the client, which tells it of the tasks that it stores.
	 */
	static class Refunds implements TaskListener {

		private final AsynqClient client;

		Refunds(AsynqClient client) {
			this.client = client;
		}

		@Override
		public void onTaskEvent(TaskEvent event) {
			if (event instanceof TaskEvent.Failed failed) {
				this.client.enqueue("refund", new String(failed.facts().task().payload()));
			}
		}

	}

}
