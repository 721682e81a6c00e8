package io.asynq.spring.boot.autoconfigure;

import java.time.Clock;

import io.asynq.Broker;
import io.asynq.internal.broker.RedisBroker;
import io.asynq.internal.event.TaskEvents;
import io.asynq.internal.metrics.BrokenTaskMetrics;
import io.asynq.internal.metrics.ListenerMetrics;
import io.asynq.internal.metrics.ServerMetrics;
import io.asynq.internal.redis.ServerConnections;
import io.asynq.internal.schedule.PeriodicTaskManager;
import io.asynq.internal.worker.BrokenTasks;
import io.asynq.metrics.QueueMetrics;
import io.asynq.schedule.AsynqScheduler;
import io.asynq.server.AsynqServer;
import io.micrometer.core.instrument.MeterRegistry;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.annotation.Bean;

@AutoConfiguration(after = { AsynqSchedulerAutoConfiguration.class, AsynqServerAutoConfiguration.class },
		afterName = { "org.springframework.boot.micrometer.metrics.autoconfigure.MetricsAutoConfiguration",
				"org.springframework.boot.micrometer.metrics.autoconfigure.CompositeMeterRegistryAutoConfiguration" })
@ConditionalOnClass(MeterRegistry.class)
@ConditionalOnBean(MeterRegistry.class)
public final class AsynqMetricsAutoConfiguration {

	@Bean
	@ConditionalOnBean(Broker.class)
	@ConditionalOnMissingBean
	@ConditionalOnBooleanProperty(name = "asynq.metrics.queues.enabled", matchIfMissing = true)
	QueueMetrics asynqQueueMetrics(Broker broker, AsynqProperties properties) {
		return QueueMetrics.create(broker, properties.metrics().queues().options());
	}

	@Bean
	@ConditionalOnBean(AsynqServer.class)
	@ConditionalOnMissingBean
	ServerMetrics asynqServerMetrics(AsynqServer server) {
		return new ServerMetrics(server);
	}

	@Bean
	@ConditionalOnBean(AsynqServer.class)
	@ConditionalOnMissingBean
	TaskWaitMetrics asynqTaskWaitMetrics() {
		return new TaskWaitMetrics();
	}

	@Bean
	@ConditionalOnBean(AsynqScheduler.class)
	@ConditionalOnMissingBean
	SchedulerMetrics asynqSchedulerMetrics(AsynqScheduler scheduler, ObjectProvider<PeriodicTaskManager> manager) {
		return new SchedulerMetrics(scheduler, manager.getIfAvailable());
	}

	@Bean
	@ConditionalOnBean({ AsynqScheduler.class, QueueMetrics.class })
	@ConditionalOnMissingBean
	PeriodicMetrics asynqPeriodicMetrics(Broker broker, QueueMetrics queues, ObjectProvider<AsynqScheduler> scheduler,
			@Qualifier("asynqClock") Clock clock) {
		return new PeriodicMetrics(RedisBroker.of(broker), queues, scheduler::getObject, clock);
	}

	@Bean
	@ConditionalOnBean(TaskEvents.class)
	@ConditionalOnMissingBean
	ListenerMetrics asynqListenerMetrics(TaskEvents events) {
		return new ListenerMetrics(events);
	}

	@Bean
	@ConditionalOnBean(ServerConnections.class)
	ConnectionMetrics asynqConnectionMetrics(AsynqConnectionFactory application, ServerConnections server) {
		return new ConnectionMetrics(application, server);
	}

	@Bean
	@ConditionalOnBean(BrokenTasks.class)
	@ConditionalOnMissingBean
	BrokenTaskMetrics asynqBrokenTaskMetrics(BrokenTasks brokenTasks) {
		return new BrokenTaskMetrics(brokenTasks);
	}

}
