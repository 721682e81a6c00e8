package io.asynq.spring.boot.autoconfigure;

import io.asynq.server.ServerComponents;

import org.springframework.context.SmartLifecycle;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/**
 * Makes each component of the server a bean of its own, so that Spring starts and stops
 * them in the order of their phases.
 */
@Configuration(proxyBeanMethods = false)
class ServerComponentsConfiguration {

	@Bean
	SmartLifecycle asynqHeartbeater(ServerComponents components) {
		return components.heartbeater();
	}

	@Bean
	SmartLifecycle asynqHealthChecker(ServerComponents components) {
		return components.healthChecker();
	}

	@Bean
	SmartLifecycle asynqAggregator(ServerComponents components) {
		return components.aggregator();
	}

	@Bean
	SmartLifecycle asynqJanitor(ServerComponents components) {
		return components.janitor();
	}

	@Bean
	SmartLifecycle asynqSubscriber(ServerComponents components) {
		return components.subscriber();
	}

	@Bean
	SmartLifecycle asynqSyncer(ServerComponents components) {
		return components.syncer();
	}

	@Bean
	SmartLifecycle asynqOutcomeReporter(ServerComponents components) {
		return components.outcomeReporter();
	}

	@Bean
	SmartLifecycle asynqDeadlineWatch(ServerComponents components) {
		return components.deadlineWatch();
	}

	@Bean
	SmartLifecycle asynqRecoverer(ServerComponents components) {
		return components.recoverer();
	}

	@Bean
	SmartLifecycle asynqProcessor(ServerComponents components) {
		return components.processor();
	}

	@Bean
	SmartLifecycle asynqArrivalWatch(ServerComponents components) {
		return components.arrivalWatch();
	}

	@Bean
	SmartLifecycle asynqForwarder(ServerComponents components) {
		return components.forwarder();
	}

}
