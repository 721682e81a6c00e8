package io.asynq.spring.boot.autoconfigure;

import java.util.List;

import io.asynq.Task;
import io.asynq.annotation.InvalidTaskAggregatorException;
import io.asynq.annotation.TaskAggregator;
import io.asynq.handler.TaskAggregatorFunction;
import io.asynq.handler.TaskAggregators;
import io.asynq.server.AsynqServer;
import io.asynq.server.ServerState;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.boot.LazyInitializationBeanFactoryPostProcessor;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.SmartLifecycle;

import static org.assertj.core.api.Assertions.assertThat;

@ExtendWith(OutputCaptureExtension.class)
class TaskAggregatorTests {

	private final ApplicationContextRunner runner = AsynqContexts.wired();

	@Test
	void serverUsesAggregatorBeans() {
		TaskAggregatorFunction bean = (queue, group, tasks) -> Task.of("x", group);
		this.runner.withBean(TaskAggregatorFunction.class, () -> bean).withBean(Digests.class).run((context) -> {
			TaskAggregators aggregators = context.getBean(TaskAggregators.class);
			assertThat(aggregators.find("default", "digest:1")).hasToString(Digests.class.getName() + ".digest(List)");
			TaskAggregatorFunction other = aggregators.find("default", "other");
			assertThat(other).isNotNull();
			assertThat(other.aggregate("default", "other", List.of()).payload()).asString().isEqualTo("other");
		});
	}

	@Test
	void findsLazyAggregatorBeans() {
		this.runner.withBean(Digests.class)
			.withInitializer(
					(context) -> context.addBeanFactoryPostProcessor(new LazyInitializationBeanFactoryPostProcessor()))
			.run((context) -> assertThat(context.getBean(TaskAggregators.class).isAnyFor("default")).isTrue());
	}

	@Test
	void hasNoAggregatorByDefault() {
		this.runner.run((context) -> assertThat(context.getBean(TaskAggregators.class).isEmpty()).isTrue());
	}

	@Test
	void explainsAllMistakesAtOnce() {
		this.runner.withBean("first", Digests.class)
			.withBean("second", Digests.class)
			.withBean(Impossible.class)
			.run((context) -> {
				FailureAnalysis analysis = FailureAnalyses.of(context.getStartupFailure());
				assertThat(analysis.getDescription()).contains("groups beginning with 'digest:' of queue 'default'",
						"bean 'first'", "bean 'second'", "Impossible.untyped(List)", "must name the 'type'");
				assertThat(analysis.getAction()).contains("Correct the @TaskAggregator methods");
			});
	}

	@Test
	void rejectsAggregatorForUnservedQueue() {
		this.runner.withBean("digests", Digests.class)
			.withBean(AsynqContexts.Greeter.class)
			.withPropertyValues("asynq.server.queues.mail=1")
			.run((context) -> {
				assertThat(context.getStartupFailure()).isInstanceOf(InvalidTaskAggregatorException.class);
				assertThat(FailureAnalyses.of(context.getStartupFailure()).getDescription()).contains(
						Digests.class.getName() + ".digest(List) of bean 'digests'", "queue 'default'", "only [mail]",
						"'asynq.server.queues'", "by a profile or a condition", "a placeholder");
			});
	}

	@Test
	void isSilentWithoutServer(CapturedOutput output) {
		AsynqContexts.started()
			.withBean(Digests.class)
			.withPropertyValues("asynq.server.enabled=false", "asynq.server.queues.mail=1")
			.run((context) -> assertThat(context).hasNotFailed());
		assertThat(output).doesNotContain("'default'");
	}

	@Test
	void warnsOfProgrammaticAggregatorForUnservedQueue(CapturedOutput output) {
		TaskAggregators aggregators = new TaskAggregators().add("mial", "", new Joining());
		AsynqContexts.started()
			.withBean(TaskAggregators.class, () -> aggregators)
			.withPropertyValues("asynq.server.queues.mail=1")
			.run((context) -> assertThat(context).hasNotFailed());
		assertThat(output.getOut().lines().filter((line) -> line.contains("never called"))).singleElement()
			.asString()
			.contains("WARN", "aggregator joining", "queue mial", "'asynq.server.queues'", "[mail]");
	}

	@Test
	void startsAggregatorWithoutHandlers(CapturedOutput output) {
		AsynqContexts.started().withBean(Digests.class).run((context) -> {
			assertThat(context.getBean(AsynqServer.class).state()).isEqualTo(ServerState.STOPPED);
			assertThat(context.getBean("asynqAggregator", SmartLifecycle.class).isRunning()).isTrue();
		});
		assertThat(output.getOut().lines().filter((line) -> line.contains("asynq server started"))).singleElement()
			.asString()
			.contains("INFO", "takes no tasks", "no task handler");
	}

	private static final class Joining implements TaskAggregatorFunction {

		@Override
		public Task aggregate(String queue, String group, List<Task> tasks) {
			return tasks.get(0);
		}

		@Override
		public String toString() {
			return "joining";
		}

	}

	static class Digests {

		@TaskAggregator(queue = "default", group = "digest:", type = "mail:digest")
		String digest(List<String> mails) {
			return String.join(",", mails);
		}

	}

	static class Impossible {

		@TaskAggregator(group = "impossible")
		String untyped(List<String> payloads) {
			return "";
		}

	}

}
