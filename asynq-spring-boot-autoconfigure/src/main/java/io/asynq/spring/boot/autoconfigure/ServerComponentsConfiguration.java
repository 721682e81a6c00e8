package io.asynq.spring.boot.autoconfigure;

import io.asynq.internal.lifecycle.ServerPhase;
import io.asynq.internal.server.ServerComponents;
import org.springframework.context.SmartLifecycle;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/**
 * Components are beans, so that Spring starts and stops them in the order of their
 * phases.
 */
@Configuration(proxyBeanMethods = false)
class ServerComponentsConfiguration {

	@Bean
	SmartLifecycle asynqHeartbeater(ServerComponents components) {
		return components.part(ServerPhase.HEARTBEATER);
	}

	@Bean
	SmartLifecycle asynqHealthChecker(ServerComponents components) {
		return components.part(ServerPhase.HEALTH_CHECKER);
	}

	@Bean
	SmartLifecycle asynqAggregator(ServerComponents components) {
		return components.part(ServerPhase.AGGREGATOR);
	}

	@Bean
	SmartLifecycle asynqJanitor(ServerComponents components) {
		return components.part(ServerPhase.JANITOR);
	}

	@Bean
	SmartLifecycle asynqUnhandledTasks(ServerComponents components) {
		return components.part(ServerPhase.UNHANDLED);
	}

	@Bean
	SmartLifecycle asynqSubscriber(ServerComponents components) {
		return components.part(ServerPhase.SUBSCRIBER);
	}

	@Bean
	SmartLifecycle asynqOutcomeWriter(ServerComponents components) {
		return components.part(ServerPhase.OUTCOME_WRITER);
	}

	@Bean
	SmartLifecycle asynqLimits(ServerComponents components) {
		return components.part(ServerPhase.LIMITS);
	}

	@Bean
	SmartLifecycle asynqDeadlineWatch(ServerComponents components) {
		return components.part(ServerPhase.DEADLINE_WATCH);
	}

	@Bean
	SmartLifecycle asynqRecoverer(ServerComponents components) {
		return components.part(ServerPhase.RECOVERER);
	}

	@Bean
	SmartLifecycle asynqProcessor(ServerComponents components) {
		return components.part(ServerPhase.PROCESSOR);
	}

	@Bean
	SmartLifecycle asynqArrivalWatch(ServerComponents components) {
		return components.part(ServerPhase.ARRIVAL_WATCH);
	}

	@Bean
	SmartLifecycle asynqForwarder(ServerComponents components) {
		return components.part(ServerPhase.FORWARDER);
	}

}
