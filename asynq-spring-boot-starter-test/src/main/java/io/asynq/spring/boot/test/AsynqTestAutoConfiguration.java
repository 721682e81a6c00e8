package io.asynq.spring.boot.test;

import java.time.Clock;
import java.util.Map;

import io.asynq.ClientOptions;
import io.asynq.handler.TaskAggregators;
import io.asynq.handler.TaskMux;
import io.asynq.internal.enqueue.DefaultAsynqClient;
import io.asynq.internal.event.Observers;
import io.asynq.internal.schedule.DefaultAsynqScheduler;
import io.asynq.payload.PayloadConverter;
import io.asynq.schedule.AsynqScheduler;
import io.asynq.schedule.SchedulerListener;
import io.asynq.schedule.SchedulerOptions;
import io.asynq.server.ServerOptions;
import io.asynq.server.ServerPolicies;
import io.asynq.spring.boot.autoconfigure.AsynqAutoConfiguration;
import io.asynq.spring.boot.autoconfigure.AsynqSchedulerAutoConfiguration;
import io.asynq.spring.boot.autoconfigure.AsynqServerAutoConfiguration;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Import;

/**
 * Puts the fake in front of everything that would need Redis. Only
 * {@code @AutoConfigureAsynq} imports it.
 */
@AutoConfiguration(before = { AsynqAutoConfiguration.class, AsynqServerAutoConfiguration.class,
		AsynqSchedulerAutoConfiguration.class })
@Import(TestsOnly.class)
final class AsynqTestAutoConfiguration {

	private static final String CLOCK = "asynqClock";

	/** The clock of client, server and scheduler. */
	@Bean(defaultCandidate = false)
	TestClock asynqClock() {
		return new TestClock(Clock.systemUTC());
	}

	@Bean
	static DirectListeners asynqDirectListeners() {
		return new DirectListeners();
	}

	@Bean
	EnqueuedTasks asynqEnqueuedTasks(@Qualifier(CLOCK) TestClock clock, ObjectProvider<PayloadConverter> converter) {
		return new EnqueuedTasks(clock, converter::getObject);
	}

	@Bean
	InlineRuns asynqInlineRuns(AutoConfigureAsynq.Mode mode, ObjectProvider<TestServer> server) {
		return new InlineRuns(mode, server);
	}

	@Bean
	RecordedTasks asynqRecordedTasks(@Qualifier(CLOCK) TestClock clock, EnqueuedTasks tasks, InlineRuns inline) {
		return new RecordedTasks(clock, (stored) -> {
			tasks.add(stored);
			inline.stored();
		});
	}

	@Bean
	TestInspector asynqInspector(RecordedTasks tasks, @Qualifier(CLOCK) TestClock clock) {
		return new TestInspector(tasks, clock);
	}

	@Bean
	TestBroker asynqBroker(@Qualifier(CLOCK) TestClock clock, RecordedTasks tasks) {
		return new TestBroker(clock, tasks);
	}

	@Bean
	TestAsynq testAsynq(AutoConfigureAsynq.Mode mode, TestBroker broker, EnqueuedTasks tasks,
			@Qualifier(CLOCK) TestClock clock, ClientOptions client, ObjectProvider<TestServer> server,
			ObjectProvider<PeriodicFires> periodic) {
		return new TestAsynq(mode, broker, tasks, clock, client, server, periodic);
	}

	@Bean
	@ConditionalOnBooleanProperty(name = "asynq.server.enabled", matchIfMissing = true)
	TestServer asynqTestServer(RecordedTasks tasks, TaskMux handlers, TaskAggregators aggregators,
			ServerOptions options, ServerPolicies policies, Observers observers, @Qualifier(CLOCK) TestClock clock) {
		return new TestServer(tasks, new AttemptRunner(tasks, handlers, options, policies, observers, clock),
				new GroupRuns(tasks, aggregators, options, policies, observers, clock), policies.waits(), options);
	}

	@Bean
	@ConditionalOnBooleanProperty(name = "asynq.scheduler.enabled", matchIfMissing = true)
	AsynqScheduler asynqScheduler(RecordedTasks tasks, ClientOptions client, Observers observers,
			SchedulerOptions options, ObjectProvider<SchedulerListener> listeners) {
		return new DefaultAsynqScheduler(new DefaultAsynqClient(tasks, client, observers, null), null, () -> false,
				(queues) -> Map.of(), options, listeners.orderedStream().toList());
	}

	@Bean
	@ConditionalOnBooleanProperty(name = "asynq.scheduler.enabled", matchIfMissing = true)
	PeriodicFires asynqPeriodicFires(AsynqScheduler scheduler, SchedulerOptions options) {
		return new PeriodicFires(scheduler, options);
	}

}
