package io.asynq.spring.boot.autoconfigure;

import java.io.IOException;
import java.time.Clock;
import java.time.Duration;

import io.asynq.AsynqClient;
import io.asynq.ClientOptions;
import io.asynq.Task;
import io.asynq.TaskOptions;
import io.asynq.annotation.TaskHandler;
import io.asynq.annotation.TaskRetry;
import io.asynq.handler.HandlerLimits;
import io.asynq.handler.HandlerSettings;
import io.asynq.handler.RetrySettings;
import io.asynq.handler.TaskMux;
import io.asynq.handler.TypePattern;
import io.asynq.schedule.AsynqScheduler;
import io.asynq.schedule.PeriodicTaskDefinition;
import io.asynq.test.FakeBroker;
import org.junit.jupiter.api.Test;
import org.springframework.boot.LazyInitializationBeanFactoryPostProcessor;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests of what handlers say of their tasks, and of properties that override it.
 */
class HandlerPropertiesTests {

	private final ApplicationContextRunner runner = AsynqContexts.wired().withBean(Mailer.class);

	@Test
	void propertiesOfTypeOverrideHandlerOneByOne() {
		this.runner.withInitializer(AsynqContexts.properties("asynq.server.retry.[mail:send].delay=20s",
				"asynq.server.retry.[mail:].excludes=java.lang.IllegalStateException",
				"asynq.server.retry.other.max-delay=1m", "asynq.server.retry.other.jitter=0s"))
			.run((context) -> {
				TaskMux mux = context.getBean(TaskMux.class);
				RetrySettings send = mux.retry("mail:send");
				assertThat(send.delay(1)).hasValue(Duration.ofSeconds(60));
				assertThat(send.isRetryable(new IOException())).isFalse();
				assertThat(send.isRetryable(new IllegalStateException())).isTrue();
				assertThat(mux.retry("mail:later").isRetryable(new IllegalStateException())).isFalse();
				assertThat(mux.retry("other").hasDelay()).isTrue();
			});
	}

	@Test
	void clientUsesRetriesAndTimeoutOfHandler() {
		this.runner.run((context) -> {
			TaskOptions options = context.getBean(ClientOptions.class).handlerDefaults().apply("mail:send");
			assertThat(options.maxRetry()).isEqualTo(4);
			assertThat(options.timeout()).isEqualTo(Duration.ofSeconds(30));
		});
	}

	@Test
	void clientUsesThemIfBeansAreLazy() {
		this.runner.withPropertyValues("spring.main.lazy-initialization=true")
			.withInitializer(
					(context) -> context.addBeanFactoryPostProcessor(new LazyInitializationBeanFactoryPostProcessor()))
			.run((context) -> assertThat(
					context.getBean(ClientOptions.class).handlerDefaults().apply("mail:send").maxRetry())
				.isEqualTo(4));
	}

	@Test
	void clientAndSchedulerUseThemWithClientOptionsOfTheApplication() {
		withoutServer(ClientOptions.builder()).run((context) -> {
			FakeBroker broker = context.getBean(FakeBroker.class);
			context.getBean(AsynqClient.class).enqueue("mail:send");
			assertThat(broker.lastRequest().message().maxRetry()).isEqualTo(4);
			AsynqScheduler scheduler = context.getBean(AsynqScheduler.class);
			String id = scheduler.register(PeriodicTaskDefinition.of("@daily", Task.of("mail:send", "{}")));
			scheduler.enqueueNow(id);
			assertThat(broker.lastRequest().message().payload()).asString().isEqualTo("{}");
			assertThat(broker.lastRequest().message().maxRetry()).isEqualTo(4);
		});
	}

	@Test
	void clientOptionsOfTheApplicationKeepTheirOwn() {
		ClientOptions.Builder own = ClientOptions.builder()
			.handlerDefaults((type) -> TaskOptions.of((options) -> options.maxRetry(1)));
		withoutServer(own).run((context) -> {
			context.getBean(AsynqClient.class).enqueue("mail:send");
			assertThat(context.getBean(FakeBroker.class).lastRequest().message().maxRetry()).isEqualTo(1);
		});
	}

	@Test
	void clientWithoutServerHasNoHandlers() {
		this.runner.withPropertyValues("asynq.server.enabled=false")
			.run((context) -> assertThat(
					context.getBean(ClientOptions.class).handlerDefaults().apply("mail:send").values())
				.isEmpty());
	}

	@Test
	void failureNamesPropertyThatCannotWork() {
		this.runner.withInitializer(AsynqContexts.properties("asynq.server.retry.[mail:send].multiplier=0.1"))
			.run((context) -> {
				FailureAnalysis analysis = FailureAnalyses.of(context.getStartupFailure());
				assertThat(analysis.getDescription()).contains("asynq.server.retry.[mail:send]");
			});
	}

	/** The handler is in the mux, because nothing looks for handlers. */
	private static ApplicationContextRunner withoutServer(ClientOptions.Builder own) {
		TaskMux mux = new TaskMux();
		mux.handle(TypePattern.exact("mail:send"), (task, context) -> null, new HandlerSettings(HandlerLimits.none(),
				TaskOptions.of((options) -> options.maxRetry(4)), RetrySettings.none()));
		return AsynqContexts.wired()
			.withPropertyValues("asynq.server.enabled=false")
			.withBean(FakeBroker.class)
			.withBean(TaskMux.class, () -> mux)
			.withBean(ClientOptions.class, () -> own.clock(Clock.systemUTC()).build());
	}

	static class Mailer {

		@TaskHandler(type = "mail:send", maxRetry = 4, timeout = "30s")
		@TaskRetry(delay = "10s", multiplier = 3, excludes = IOException.class)
		void send() {
		}

	}

}
