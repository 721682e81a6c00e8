package io.asynq.spring.boot.autoconfigure;

import io.asynq.metrics.QueueCollector;
import io.asynq.metrics.QueueMetrics;
import io.micrometer.core.instrument.MeterRegistry;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.annotation.Bean;

/**
 * A class of its own, because it needs to see that there are metrics of queues.
 */
@AutoConfiguration(after = AsynqMetricsAutoConfiguration.class,
		afterName = "org.springframework.boot.micrometer.metrics.autoconfigure.export.prometheus.PrometheusMetricsExportAutoConfiguration")
@ConditionalOnClass({ MeterRegistry.class, PrometheusRegistry.class })
@ConditionalOnBean({ QueueMetrics.class, PrometheusRegistry.class })
public final class AsynqPrometheusAutoConfiguration {

	@Bean
	@ConditionalOnMissingBean
	QueueCollector asynqQueueCollector(QueueMetrics metrics, PrometheusRegistry registry) {
		return QueueCollector.register(metrics, registry);
	}

}
