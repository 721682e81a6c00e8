package io.asynq.console.autoconfigure;

import io.asynq.console.AsynqConsoleProperties;
import io.asynq.console.http.ConsoleHandler;
import io.asynq.console.http.ReactiveConsole;
import io.asynq.console.http.ReactiveSecurity;
import io.asynq.console.http.ServletConsole;
import io.asynq.console.http.ServletSecurity;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication.Type;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.web.reactive.DispatcherHandler;
import org.springframework.web.servlet.DispatcherServlet;
import org.springframework.web.servlet.handler.SimpleUrlHandlerMapping;

@Configuration(proxyBeanMethods = false)
class ConsoleMapping {

	@Configuration(proxyBeanMethods = false)
	@ConditionalOnWebApplication(type = Type.SERVLET)
	@ConditionalOnClass(DispatcherServlet.class)
	static class Servlet {

		@Bean(defaultCandidate = false)
		SimpleUrlHandlerMapping asynqConsoleHandlerMapping(ConsoleHandler console, AsynqConsoleProperties properties,
				ObjectProvider<ServletSecurity> security) {
			return ServletConsole.mapping(console, properties.path(), security.getIfAvailable());
		}

	}

	@Configuration(proxyBeanMethods = false)
	@ConditionalOnWebApplication(type = Type.REACTIVE)
	@ConditionalOnClass(DispatcherHandler.class)
	static class Reactive {

		@Bean(defaultCandidate = false)
		ReactiveConsole.Mapping asynqConsoleHandlerMapping(ConsoleHandler console, AsynqConsoleProperties properties,
				ObjectProvider<ReactiveSecurity> security) {
			return new ReactiveConsole.Mapping(console, properties.path(), security.getIfAvailable());
		}

	}

}
