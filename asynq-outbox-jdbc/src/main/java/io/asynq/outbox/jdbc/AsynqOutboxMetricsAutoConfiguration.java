package io.asynq.outbox.jdbc;

import java.time.Clock;

import io.micrometer.core.instrument.MeterRegistry;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.context.annotation.Bean;

@AutoConfiguration(after = AsynqOutboxAutoConfiguration.class,
		afterName = { "org.springframework.boot.micrometer.metrics.autoconfigure.MetricsAutoConfiguration",
				"org.springframework.boot.micrometer.metrics.autoconfigure.CompositeMeterRegistryAutoConfiguration" })
@ConditionalOnClass(MeterRegistry.class)
@ConditionalOnBean({ MeterRegistry.class, OutboxRelay.class })
public final class AsynqOutboxMetricsAutoConfiguration {

	@Bean
	OutboxMetrics asynqOutboxMetrics(RelayCounters counters, @Qualifier("asynqClock") Clock clock) {
		return new OutboxMetrics(counters, clock);
	}

}
