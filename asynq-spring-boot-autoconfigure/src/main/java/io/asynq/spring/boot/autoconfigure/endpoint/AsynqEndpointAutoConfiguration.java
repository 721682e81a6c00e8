package io.asynq.spring.boot.autoconfigure.endpoint;

import java.time.Clock;
import java.time.Duration;

import io.asynq.AsynqClient;
import io.asynq.Broker;
import io.asynq.inspect.AsynqInspector;
import io.asynq.internal.schedule.PeriodicTaskManager;
import io.asynq.operations.QueueOperations;
import io.asynq.operations.RepairOperations;
import io.asynq.operations.SchedulerOperations;
import io.asynq.operations.ServerOperations;
import io.asynq.operations.TaskOperations;
import io.asynq.operations.attention.Remembered;
import io.asynq.operations.attention.SituationReader;
import io.asynq.operations.survey.TaskSearch;
import io.asynq.schedule.AsynqScheduler;
import io.asynq.server.AsynqServer;
import io.asynq.spring.boot.autoconfigure.AsynqSchedulerAutoConfiguration;
import io.asynq.spring.boot.autoconfigure.AsynqServerAutoConfiguration;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.boot.actuate.autoconfigure.endpoint.condition.ConditionalOnAvailableEndpoint;
import org.springframework.boot.actuate.endpoint.web.annotation.WebEndpoint;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.ApplicationEventPublisher;
import org.springframework.context.annotation.Bean;

@AutoConfiguration(after = { AsynqServerAutoConfiguration.class, AsynqSchedulerAutoConfiguration.class })
@ConditionalOnClass({ WebEndpoint.class, ConditionalOnAvailableEndpoint.class })
@ConditionalOnBean({ AsynqInspector.class, AsynqClient.class, Broker.class })
@ConditionalOnAvailableEndpoint(AsynqEndpoint.class)
@EnableConfigurationProperties(AsynqEndpointProperties.class)
public final class AsynqEndpointAutoConfiguration {

	/** However many ask, Redis is read once in this time. */
	private static final Duration AGE = Duration.ofSeconds(2);

	@Bean
	@ConditionalOnMissingBean
	AsynqEndpoint asynqEndpoint(AsynqInspector inspector, AsynqClient client, ObjectProvider<AsynqServer> server,
			ObjectProvider<AsynqScheduler> scheduler, ObjectProvider<PeriodicTaskManager> manager,
			AsynqEndpointProperties properties, ApplicationEventPublisher events, Broker broker,
			@Qualifier("asynqClock") Clock clock) {
		QueueOperations queues = new QueueOperations(inspector);
		TaskOperations tasks = new TaskOperations(inspector, client, clock);
		ServerOperations servers = new ServerOperations(inspector, broker, clock, server.getIfAvailable());
		SchedulerOperations schedulers = new SchedulerOperations(inspector, client, scheduler.getIfAvailable(),
				manager.getIfAvailable());
		RepairOperations repair = new RepairOperations(inspector, broker);
		SituationReader situation = SituationReader.create(broker, clock, AGE);
		return new AsynqEndpoint(
				new Reads(queues, tasks, new TaskSearch(broker, clock), servers, schedulers, repair,
						new Remembered<>(situation::read, AGE)),
				new Writes(queues, tasks, servers, schedulers, repair), new WriteAudit(events), properties);
	}

}
