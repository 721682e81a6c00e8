package io.asynq.console.autoconfigure;

import io.asynq.client.AsynqClient;
import io.asynq.console.AsynqConsoleAuthorizer;
import io.asynq.console.AsynqConsoleProperties;
import io.asynq.console.http.ConsoleAudit;
import io.asynq.console.http.ConsoleEvents;
import io.asynq.console.http.ConsoleHandler;
import io.asynq.console.http.ConsoleRights;
import io.asynq.console.http.ConsoleScreen;
import io.asynq.console.view.ConsoleViewConfiguration;
import io.asynq.inspect.AsynqInspector;
import io.asynq.spring.boot.autoconfigure.AsynqSchedulerAutoConfiguration;
import io.asynq.spring.boot.autoconfigure.AsynqServerAutoConfiguration;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.ApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Conditional;
import org.springframework.context.annotation.Import;

/**
 * Auto-configuration of the web console.
 */
@AutoConfiguration(after = { AsynqServerAutoConfiguration.class, AsynqSchedulerAutoConfiguration.class },
		afterName = { "org.springframework.boot.security.autoconfigure.web.servlet.ServletWebSecurityAutoConfiguration",
				"org.springframework.boot.security.autoconfigure.web.reactive.ReactiveWebSecurityAutoConfiguration" })
@ConditionalOnWebApplication
@ConditionalOnBean({ AsynqInspector.class, AsynqClient.class })
@Conditional(OnConsoleAccess.class)
@EnableConfigurationProperties(AsynqConsoleProperties.class)
@Import({ ServletSecurityConfiguration.class, ReactiveSecurityConfiguration.class, ConsoleAuditConfiguration.class,
		ServletConsoleConfiguration.class, ReactiveConsoleConfiguration.class, ConsoleViewConfiguration.class })
public final class AsynqConsoleAutoConfiguration {

	@Bean
	@ConditionalOnMissingBean
	ConsoleRights asynqConsoleRights(AsynqConsoleProperties properties,
			ObjectProvider<AsynqConsoleAuthorizer> authorizer) {
		return new RightsChoice(properties, authorizer).withoutSpringSecurity();
	}

	@Bean
	@ConditionalOnMissingBean
	ConsoleAudit asynqConsoleAudit() {
		return new ConsoleAudit(null);
	}

	@Bean
	ConsoleHandler asynqConsoleHandler(AsynqConsoleProperties properties, ConsoleRights rights,
			ObjectProvider<ConsoleScreen> screens, ConsoleAudit audit, ObjectProvider<ConsoleEvents> events,
			ApplicationContext context) {
		ConsolePlace.require(context.getEnvironment(), context.getClassLoader());
		return ConsoleHandler.of(properties, rights, screens.orderedStream().toList(), audit, events.getIfAvailable());
	}

	@Bean
	ConsoleLink asynqConsoleLink(ConsoleRights rights, AsynqConsoleProperties properties) {
		return new ConsoleLink(rights, properties);
	}

	@Bean
	ConsoleLifecycle asynqConsoleLifecycle(ConsoleHandler console) {
		return new ConsoleLifecycle(console);
	}

}
