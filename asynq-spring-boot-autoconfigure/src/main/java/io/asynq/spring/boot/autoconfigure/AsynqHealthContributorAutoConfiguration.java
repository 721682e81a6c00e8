package io.asynq.spring.boot.autoconfigure;

import java.time.Clock;

import io.asynq.Broker;
import io.asynq.internal.broker.RedisBroker;
import io.asynq.internal.schedule.PeriodicTaskManager;
import io.asynq.schedule.AsynqScheduler;
import io.asynq.server.AsynqServer;
import io.asynq.server.ServerOptions;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.health.autoconfigure.contributor.ConditionalOnEnabledHealthIndicator;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.context.annotation.Bean;

@AutoConfiguration(after = { AsynqServerAutoConfiguration.class, AsynqSchedulerAutoConfiguration.class })
@ConditionalOnClass({ HealthIndicator.class, ConditionalOnEnabledHealthIndicator.class })
@ConditionalOnBean(Broker.class)
@ConditionalOnEnabledHealthIndicator("asynq")
public final class AsynqHealthContributorAutoConfiguration {

	@Bean
	@ConditionalOnMissingBean(name = { "asynqHealthIndicator", "asynqHealthContributor" })
	AsynqHealthIndicator asynqHealthContributor(Broker broker, ObjectProvider<AsynqServer> server,
			ObjectProvider<ServerOptions> options, ObjectProvider<AsynqScheduler> scheduler,
			ObjectProvider<PeriodicTaskManager> manager, @Qualifier("asynqClock") Clock clock) {
		return new AsynqHealthIndicator(() -> RedisBroker.of(broker).enqueuer().ping(), clock, server.getIfAvailable(),
				options.getIfAvailable(), scheduler.getIfAvailable(), manager.getIfAvailable());
	}

}
