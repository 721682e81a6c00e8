package io.asynq.console.autoconfigure;

import io.asynq.console.AsynqConsoleProperties;
import io.asynq.console.http.ConsoleHandler;
import io.asynq.console.http.ReactiveConsole;
import io.asynq.console.http.ReactiveSecurity;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication.Type;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.web.reactive.DispatcherHandler;

@Configuration(proxyBeanMethods = false)
@ConditionalOnWebApplication(type = Type.REACTIVE)
@ConditionalOnClass(DispatcherHandler.class)
class ReactiveMappingConfiguration {

	@Bean(defaultCandidate = false)
	ReactiveConsole.Mapping asynqConsoleHandlerMapping(ConsoleHandler console, AsynqConsoleProperties properties,
			ObjectProvider<ReactiveSecurity> security) {
		return new ReactiveConsole.Mapping(console, properties.path(), security.getIfAvailable());
	}

}
