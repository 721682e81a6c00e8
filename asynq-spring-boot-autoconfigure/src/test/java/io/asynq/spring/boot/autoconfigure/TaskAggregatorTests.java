package io.asynq.spring.boot.autoconfigure;

import java.util.List;

import io.asynq.Task;
import io.asynq.annotation.InvalidTaskAggregatorException;
import io.asynq.annotation.TaskAggregator;
import io.asynq.handler.GroupAggregator;
import io.asynq.handler.GroupAggregators;
import io.asynq.server.AsynqServer;
import io.asynq.server.ServerOptions;
import io.asynq.server.ServerPolicies;
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
	void theServerAsksTheBeansOfTheApplication() {
		GroupAggregator bean = (queue, group, tasks) -> Task.of("x", group);
		this.runner.withBean(GroupAggregator.class, () -> bean).withBean(Digests.class).run((context) -> {
			GroupAggregators aggregators = context.getBean(ServerPolicies.class).aggregators();
			assertThat(aggregators.find("default", "digest:1")).hasToString(Digests.class.getName() + ".digest(List)");
			GroupAggregator other = aggregators.find("default", "other");
			assertThat(other).isNotNull();
			assertThat(other.aggregate("default", "other", List.of()).payload()).asString().isEqualTo("other");
		});
	}

	@Test
	void findsAggregatorsWhenBeansAreLazy() {
		this.runner.withBean(Digests.class)
			.withInitializer(
					(context) -> context.addBeanFactoryPostProcessor(new LazyInitializationBeanFactoryPostProcessor()))
			.run((context) -> assertThat(context.getBean(GroupAggregators.class).isAnyFor("default")).isTrue());
	}

	@Test
	void hasNoAggregatorUnlessThereIsOne() {
		this.runner.run((context) -> assertThat(context.getBean(GroupAggregators.class).isEmpty()).isTrue());
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
	void refusesToStartWithAnAggregatorForAQueueThatNobodyServes() {
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
	void saysNothingOfQueuesWhereThereIsNoServer(CapturedOutput output) {
		AsynqContexts.started()
			.withBean(Digests.class)
			.withPropertyValues("asynq.server.enabled=false", "asynq.server.queues.mail=1")
			.run((context) -> assertThat(context).hasNotFailed());
		assertThat(output).doesNotContain("'default'");
	}

	@Test
	void warnsOfAnAggregatorThatCodeAddsForAQueueThatIsNotServed(CapturedOutput output) {
		GroupAggregators aggregators = new GroupAggregators().add("mial", "", new Joining());
		AsynqContexts.started()
			.withBean(GroupAggregators.class, () -> aggregators)
			.withPropertyValues("asynq.server.queues.mail=1")
			.run((context) -> assertThat(context).hasNotFailed());
		assertThat(output.getOut().lines().filter((line) -> line.contains("never asked"))).singleElement()
			.asString()
			.contains("WARN", "aggregator joining", "queue 'mial'", "'asynq.server.queues'", "[mail]");
	}

	@Test
	void startsAServerThatTakesNoTasksForAnAggregatorAlone(CapturedOutput output) {
		AsynqContexts.started().withBean(Digests.class).run((context) -> {
			assertThat(context.getBean(AsynqServer.class).state()).isEqualTo(ServerState.STOPPED);
			assertThat(context.getBean("asynqAggregator", SmartLifecycle.class).isRunning()).isTrue();
		});
		assertThat(output.getOut().lines().filter((line) -> line.contains("asynq server started"))).singleElement()
			.asString()
			.contains("INFO", "takes no tasks", "no task handler");
	}

	private static final class Joining implements GroupAggregator {

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
