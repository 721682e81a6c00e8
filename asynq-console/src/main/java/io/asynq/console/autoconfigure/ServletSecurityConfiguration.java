package io.asynq.console.autoconfigure;

import io.asynq.console.AsynqConsoleAuthorizer;
import io.asynq.console.AsynqConsoleProperties;
import io.asynq.console.http.AuthorityRights;
import io.asynq.console.http.ConsoleRights;
import io.asynq.console.http.ServletSecurity;
import io.asynq.console.http.SpringServletSecurity;

import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication.Type;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.security.access.hierarchicalroles.RoleHierarchy;
import org.springframework.security.web.SecurityFilterChain;

/**
 * The console behind Spring Security, with Spring MVC. It declares no filter chain: that
 * would take Boot's away from the rest of the application.
 */
@Configuration(proxyBeanMethods = false)
@ConditionalOnWebApplication(type = Type.SERVLET)
@ConditionalOnClass(SecurityFilterChain.class)
class ServletSecurityConfiguration {

	@Bean
	ConsoleRights asynqConsoleRights(AsynqConsoleProperties properties,
			ObjectProvider<AsynqConsoleAuthorizer> authorizer, ObjectProvider<RoleHierarchy> hierarchy,
			ListableBeanFactory beans) {
		return new RightsChoice(properties, authorizer).withSpringSecurity(
				() -> new AuthorityRights(properties.authorities(), hierarchy.getIfUnique()),
				// By name: a chain may need the mapping of the console, which needs this
				beans.getBeanNamesForType(SecurityFilterChain.class, true, false).length > 0);
	}

	@Bean
	ServletSecurity asynqConsoleServletSecurity(ObjectProvider<SecurityFilterChain> chains) {
		return new SpringServletSecurity(() -> chains.orderedStream().toList());
	}

}
