package io.asynq.internal.method;

import java.io.IOException;
import java.time.Duration;
import java.util.Map;

import io.asynq.annotation.InvalidTaskHandlerException;
import io.asynq.annotation.TaskHandler;
import io.asynq.annotation.TaskRetry;
import io.asynq.handler.RetrySettings;
import io.asynq.handler.TaskMux;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.junit.jupiter.api.Test;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.core.env.MapPropertySource;
import org.springframework.util.backoff.BackOff;
import org.springframework.util.backoff.FixedBackOff;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Tests of what handler methods say of retries, attempts and time-outs.
 */
class TaskRetryTests {

	@Test
	void handlerSetsDelayRetriesAndTimeout() {
		try (AnnotationConfigApplicationContext context = HandlerContexts.start(Handlers.class)) {
			TaskMux mux = context.getBean(TaskMux.class);
			assertThat(mux.retry("fixed").delay(4)).hasValue(Duration.ofSeconds(30));
			assertThat(mux.defaults("fixed").maxRetry()).isEqualTo(7);
			assertThat(mux.defaults("fixed").timeout()).isEqualTo(Duration.ofMinutes(2));
			assertThat(mux.defaults("plain").values()).isEmpty();
			assertThat(mux.retry("plain")).isSameAs(RetrySettings.none());
		}
	}

	@Test
	void annotationOfMethodSetsBackOffAndErrors() {
		try (AnnotationConfigApplicationContext context = HandlerContexts.start(Handlers.class)) {
			RetrySettings settings = context.getBean(TaskMux.class).retry("growing");
			assertThat(settings.delay(0)).hasValue(Duration.ofSeconds(5));
			assertThat(settings.delay(1)).hasValue(Duration.ofSeconds(10));
			assertThat(settings.delay(9)).hasValue(Duration.ofSeconds(15));
			assertThat(settings.isRetryable(new IOException())).isTrue();
			assertThat(settings.isRetryable(new IllegalStateException())).isFalse();
		}
	}

	@Test
	void annotationOfMethodReplacesThatOfItsClass() {
		try (AnnotationConfigApplicationContext context = HandlerContexts.start(Careful.class)) {
			TaskMux mux = context.getBean(TaskMux.class);
			assertThat(mux.retry("inherited").delay(0)).hasValue(Duration.ofSeconds(3));
			assertThat(mux.retry("inherited").isRetryable(new IOException())).isFalse();
			assertThat(mux.retry("own").isRetryable(new IOException())).isTrue();
			assertThat(mux.retry("own").hasDelay()).isFalse();
			assertThat(mux.retry("delayed").delay(0)).hasValue(Duration.ofSeconds(8));
			assertThat(mux.retry("delayed").isRetryable(new IOException())).isFalse();
		}
	}

	@Test
	void backOffMayBeBean() {
		try (AnnotationConfigApplicationContext context = HandlerContexts.start(WithBackOff.class)) {
			RetrySettings settings = context.getBean(TaskMux.class).retry("bean");
			assertThat(settings.delay(1)).hasValue(Duration.ofSeconds(6));
			assertThat(settings.delay(2)).isEmpty();
		}
	}

	@Test
	void textsMayHavePlaceholders() {
		AnnotationConfigApplicationContext context = new AnnotationConfigApplicationContext();
		context.getEnvironment()
			.getPropertySources()
			.addFirst(new MapPropertySource("test", Map.of("slow", "40s", "limit", "PT9S")));
		context.register(AnnotatedMethodBeans.class, Placeholders.class);
		try (context) {
			context.refresh();
			TaskMux mux = context.getBean(TaskMux.class);
			assertThat(mux.retry("slow").delay(0)).hasValue(Duration.ofSeconds(40));
			assertThat(mux.defaults("slow").timeout()).isEqualTo(Duration.ofSeconds(9));
		}
	}

	@Test
	void mistakesNameMethodAndAttribute() {
		assertThatExceptionOfType(InvalidTaskHandlerException.class)
			.isThrownBy(() -> HandlerContexts.start(Mistakes.class))
			.satisfies((ex) -> assertThat(ex.problems()).satisfiesExactlyInAnyOrder(
					(text) -> assertThat(text).contains("Mistakes.vague()", "retryDelay = \"soon\"",
							"must be a duration"),
					(text) -> assertThat(text).contains("Mistakes.negative()", "retryDelay = \"-1s\"",
							"must not be negative"),
					(text) -> assertThat(text).contains("Mistakes.hasty()", "timeout = \"100ms\"", "at least 1 second"),
					(text) -> assertThat(text).contains("Mistakes.twice()", "both retryDelay and @TaskRetry"),
					(text) -> assertThat(text).contains("Mistakes.both()", "@TaskRetry cannot work",
							"a back-off and a delay"),
					(text) -> assertThat(text).contains("Mistakes.shrinking()", "@TaskRetry cannot work"),
					(text) -> assertThat(text).contains("Mistakes.missing()", "backOff = \"nowhere\"",
							"must be the name of a BackOff bean"),
					(text) -> assertThat(text).contains("Mistakes.unresolved()", "maxDelay = \"${not.there}\"",
							"cannot be resolved")));
	}

	@Test
	void methodThatIsNoHandlerIsNamed() {
		assertThatExceptionOfType(InvalidTaskHandlerException.class)
			.isThrownBy(() -> HandlerContexts.start(Forgotten.class))
			.satisfies((ex) -> assertThat(ex.problems()).singleElement(InstanceOfAssertFactories.STRING)
				.contains("@TaskRetry method", "Forgotten.send(String)", "is no handler", "add @TaskHandler"));
	}

	static class Handlers {

		@TaskHandler(type = "fixed", retryDelay = "30s", maxRetry = 7, timeout = "2m")
		void fixed() {
		}

		@TaskHandler("plain")
		void plain() {
		}

		@TaskHandler("growing")
		@TaskRetry(value = IOException.class, delay = "5s", multiplier = 2, maxDelay = "PT15S")
		void growing() {
		}

	}

	@TaskRetry(excludes = IOException.class, delay = "3s")
	static class Careful {

		@TaskHandler("inherited")
		void inherited() {
		}

		@TaskHandler("own")
		@TaskRetry(excludes = IllegalStateException.class)
		void own() {
		}

		@TaskHandler(type = "delayed", retryDelay = "8s")
		void delayed() {
		}

	}

	static class Forgotten {

		@TaskRetry(delay = "5s")
		void send(String text) {
		}

		@TaskHandler("other")
		void other() {
		}

	}

	static class WithBackOff {

		@Bean
		BackOff twice() {
			return new FixedBackOff(6000, 2);
		}

		@TaskHandler("bean")
		@TaskRetry(backOff = "twice")
		void bean() {
		}

	}

	static class Placeholders {

		@TaskHandler(type = "slow", retryDelay = "${slow}", timeout = "${limit}")
		void slow() {
		}

	}

	static class Mistakes {

		@TaskHandler(type = "a", retryDelay = "soon")
		void vague() {
		}

		@TaskHandler(type = "b", retryDelay = "-1s")
		void negative() {
		}

		@TaskHandler(type = "c", timeout = "100ms")
		void hasty() {
		}

		@TaskHandler(type = "d", retryDelay = "1s")
		@TaskRetry(delay = "2s")
		void twice() {
		}

		@TaskHandler("e")
		@TaskRetry(delay = "2s", backOff = "backOff")
		void both() {
		}

		@TaskHandler("f")
		@TaskRetry(multiplier = 0.5)
		void shrinking() {
		}

		@TaskHandler("g")
		@TaskRetry(backOff = "nowhere")
		void missing() {
		}

		@TaskHandler("h")
		@TaskRetry(maxDelay = "${not.there}")
		void unresolved() {
		}

		@Bean
		BackOff backOff() {
			return new FixedBackOff();
		}

	}

}
