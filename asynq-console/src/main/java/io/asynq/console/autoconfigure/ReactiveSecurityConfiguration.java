package io.asynq.console.autoconfigure;

import io.asynq.console.AsynqConsoleAuthorizer;
import io.asynq.console.AsynqConsoleProperties;
import io.asynq.console.http.AuthorityRights;
import io.asynq.console.http.ConsoleRights;
import io.asynq.console.http.ReactiveSecurity;
import io.asynq.console.http.SpringReactiveSecurity;

import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication.Type;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.security.access.hierarchicalroles.RoleHierarchy;
import org.springframework.security.web.server.SecurityWebFilterChain;

@Configuration(proxyBeanMethods = false)
@ConditionalOnWebApplication(type = Type.REACTIVE)
@ConditionalOnClass(SecurityWebFilterChain.class)
class ReactiveSecurityConfiguration {

	@Bean
	ConsoleRights asynqConsoleRights(AsynqConsoleProperties properties,
			ObjectProvider<AsynqConsoleAuthorizer> authorizer, ObjectProvider<RoleHierarchy> hierarchy,
			ListableBeanFactory beans) {
		return new RightsChoice(properties, authorizer).withSpringSecurity(
				() -> new AuthorityRights(properties.authorities(), hierarchy.getIfUnique()),
				// By name: a chain may need the mapping of the console, which needs this
				beans.getBeanNamesForType(SecurityWebFilterChain.class, true, false).length > 0);
	}

	@Bean
	ReactiveSecurity asynqConsoleReactiveSecurity(ObjectProvider<SecurityWebFilterChain> chains) {
		return new SpringReactiveSecurity(() -> chains.orderedStream().toList());
	}

}
