package io.asynq.spring.boot.autoconfigure;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;

import io.asynq.Task;
import io.asynq.TaskOptions;
import io.asynq.TaskState;
import io.asynq.annotation.PeriodicTask;
import io.asynq.annotation.TaskHandler;
import io.asynq.handler.TaskAggregatorFunction;
import io.asynq.inspect.AsynqInspector;
import io.asynq.inspect.QueueInfo;
import io.asynq.inspect.QueueStats;
import io.asynq.inspect.QueueStats.Counters;
import io.asynq.inspect.ServerInfo;
import io.asynq.spring.boot.fixture.Payloads;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.event.ContextClosedEvent;
import org.springframework.context.event.ContextRefreshedEvent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.mockito.BDDMockito.given;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.verify;
import static org.mockito.Mockito.verifyNoInteractions;

/**
 * Tests of what an application logs when it has started.
 */
@ExtendWith(OutputCaptureExtension.class)
class StartReportTests {

	private final AsynqInspector inspector = mock();

	private final ApplicationContextRunner runner = AsynqContexts.wired()
		.withBean(AsynqInspector.class, () -> this.inspector);

	@BeforeEach
	void serve() {
		given(this.inspector.servers()).willReturn(List.of(new ServerInfo("s", "host", 1, 10, Map.of("low", 1), false,
				"active", Instant.EPOCH, List.of(), Map.of())));
	}

	@Test
	void logsHandlersAggregatorsAndPeriodicTasksInOneBlock(CapturedOutput output) {
		this.runner.withUserConfiguration(Work.class).run((context) -> {
			String block = "asynq in this application:";
			assertThat(output).containsOnlyOnce(block);
			List<String> lines = output.getOut()
				.substring(output.getOut().indexOf(block))
				.lines()
				.limit(7)
				.map(String::strip)
				.toList();
			assertThat(lines).containsExactly(block, "handlers", "report:*: " + Work.class.getName() + ".report()",
					"aggregators", "all groups of all queues: bean 'aggregator'", "periodic tasks",
					"nightly: @daily, report:nightly, queue nobody");
		});
	}

	@Test
	void warnsOfQueuesWrittenToButNotServed(CapturedOutput output) {
		waitInDefault();
		this.runner.withUserConfiguration(Work.class)
			.withPropertyValues("asynq.client.tasks.mail.queue=mails", "asynq.client.tasks.sms.queue=low")
			.run((context) -> {
				new UnservedQueues(context).run();
				assertThat(output).contains(
						"No live server serves queue nobody, to which this application writes periodic task 'nightly'")
					.contains(
							"No live server serves queue mails, to which this application writes tasks of type 'mail'")
					.contains(
							"No live server serves queue default, to which this application writes tasks without a queue")
					.doesNotContain("queue low");
			});
	}

	@Test
	void warnsOfQueuesThatPayloadClassesName(CapturedOutput output) {
		this.runner.withUserConfiguration(Payloads.class)
			.withPropertyValues("asynq.client.tasks.moved.queue=low")
			.run((context) -> {
				new UnservedQueues(context).run();
				assertThat(output)
					.contains("No live server serves queue orphan, to which this application writes payloads")
					.contains("payloads of " + Payloads.Mail.class.getName() + " by its @TaskDefaults")
					.contains("payloads of " + Payloads.Letter.class.getName() + " by its @TaskDefaults")
					.doesNotContain(Payloads.Served.class.getName())
					.doesNotContain(Payloads.Moved.class.getName())
					.doesNotContain(Payloads.Unnamed.class.getName());
			});
	}

	@Test
	void isSilentWhenAllQueuesAreServed(CapturedOutput output) {
		waitInDefault();
		given(this.inspector.servers()).willReturn(List.of(new ServerInfo("s", "host", 1, 10, Map.of("default", 1),
				false, "active", Instant.EPOCH, List.of(), Map.of())));
		this.runner.run((context) -> {
			new UnservedQueues(context).run();
			verify(this.inspector).servers();
			assertThat(output).doesNotContain("No live server").doesNotContain("asynq in this application");
		});
	}

	@Test
	void isSilentAboutDefaultQueueWithoutWaitingTasks(CapturedOutput output) {
		given(this.inspector.queues()).willReturn(Set.of("default"));
		given(this.inspector.queueInfo("default"))
			.willReturn(info(Map.of(TaskState.ARCHIVED, 3L, TaskState.ACTIVE, 1L)));
		this.runner.withPropertyValues("asynq.client.tasks.sms.queue=low").run((context) -> {
			new UnservedQueues(context).run();
			verify(this.inspector).servers();
			assertThat(output).doesNotContain("No live server");
		});
	}

	@Test
	void checksItselfAfterTheStart(CapturedOutput output) {
		waitInDefault();
		this.runner.run((context) -> {
			new StartReport(context, Duration.ZERO).onApplicationEvent(new ContextRefreshedEvent(context));
			await().until(() -> output.getOut().contains("No live server serves queue default"));
		});
	}

	@Test
	void neverChecksOnceItsContextIsBeingClosed() {
		this.runner.run((context) -> {
			StartReport report = new StartReport(context, Duration.ofHours(1));
			report.onApplicationEvent(new ContextRefreshedEvent(context));
			report.onApplicationEvent(new ContextClosedEvent(context));
		});
		await().until(() -> Thread.getAllStackTraces()
			.keySet()
			.stream()
			.noneMatch((thread) -> thread.getName().equals("asynq-start-report")));
		verifyNoInteractions(this.inspector);
	}

	private void waitInDefault() {
		given(this.inspector.queues()).willReturn(Set.of("default"));
		given(this.inspector.queueInfo("default")).willReturn(info(Map.of(TaskState.SCHEDULED, 1L)));
	}

	private static QueueInfo info(Map<TaskState, Long> sizes) {
		Counters none = new Counters(0, 0);
		return new QueueInfo("default", new QueueStats(sizes, 0, Duration.ZERO, none, none, false), Instant.EPOCH);
	}

	@Configuration(proxyBeanMethods = false)
	static class Work {

		@TaskHandler("report:")
		@PeriodicTask(cron = "@daily", id = "nightly", type = "report:nightly", queue = "nobody")
		void report() {
		}

		@Bean
		TaskAggregatorFunction aggregator() {
			return (queue, group, tasks) -> Task.of("batch", "").withOptions(TaskOptions.none());
		}

	}

}
