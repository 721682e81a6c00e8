package io.asynq.outbox.jdbc;

import java.time.Clock;

import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.health.autoconfigure.contributor.ConditionalOnEnabledHealthIndicator;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.context.annotation.Bean;

@AutoConfiguration(after = AsynqOutboxAutoConfiguration.class)
@ConditionalOnClass({ HealthIndicator.class, ConditionalOnEnabledHealthIndicator.class })
@ConditionalOnBean(OutboxRelay.class)
@ConditionalOnEnabledHealthIndicator("asynqoutbox")
public final class AsynqOutboxHealthContributorAutoConfiguration {

	@Bean
	@ConditionalOnMissingBean(name = { "asynqOutboxHealthIndicator", "asynqOutboxHealthContributor" })
	OutboxHealthIndicator asynqOutboxHealthContributor(OutboxRelay relay, RelayCounters counters,
			@Qualifier("asynqClock") Clock clock) {
		return new OutboxHealthIndicator(relay, counters, clock);
	}

}
