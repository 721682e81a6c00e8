package io.asynq.spring.boot.autoconfigure;

import io.asynq.annotation.TaskHandler;
import org.junit.jupiter.api.Test;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.scheduling.annotation.Async;

import static org.assertj.core.api.Assertions.assertThat;

class TaskHandlerFailureTests {

	private final ApplicationContextRunner runner = AsynqContexts.wired();

	@Test
	void namesBothHandlersOfType() {
		this.runner.withBean(AsynqContexts.Greeter.class).withBean(SecondGreeter.class).run((context) -> {
			FailureAnalysis analysis = FailureAnalyses.of(context.getStartupFailure());
			assertThat(analysis.getDescription()).contains("greet", "Greeter.greet", "SecondGreeter.welcome");
			assertThat(analysis.getAction()).contains("Leave one @TaskHandler method per task type");
		});
	}

	@Test
	void namesMethodThatCannotBeCalled() {
		this.runner.withBean(Impossible.class).run((context) -> {
			FailureAnalysis analysis = FailureAnalyses.of(context.getStartupFailure());
			assertThat(analysis.getDescription()).contains("Impossible.two");
			assertThat(analysis.getAction()).contains("Correct the @TaskHandler methods");
		});
	}

	@Test
	void namesAsynchronousMethod() {
		this.runner.withBean(InBackground.class)
			.run((context) -> assertThat(FailureAnalyses.of(context.getStartupFailure()).getDescription())
				.contains("InBackground.mail(String) of bean", "remove @Async"));
	}

	@Test
	void namesMethodWithBlankType() {
		this.runner.withBean(Blank.class)
			.run((context) -> assertThat(FailureAnalyses.of(context.getStartupFailure()).getDescription())
				.contains("Blank.nothing", "blank"));
	}

	static class SecondGreeter {

		@TaskHandler("greet")
		void welcome() {
		}

	}

	static class Impossible {

		@TaskHandler("impossible")
		void two(String one, String another) {
		}

	}

	static class InBackground {

		@Async
		@TaskHandler("mail")
		void mail(String to) {
		}

	}

	static class Blank {

		@TaskHandler(" ")
		void nothing() {
		}

	}

}
