package io.asynq.console.autoconfigure;

import io.asynq.AsynqClient;
import io.asynq.console.AsynqConsoleAuthorizer;
import io.asynq.console.AsynqConsoleProperties;
import io.asynq.console.AsynqConsoleProperties.Access;
import io.asynq.console.http.AuthorityRights;
import io.asynq.console.http.ConsoleAudit;
import io.asynq.console.http.ConsoleEvents;
import io.asynq.console.http.ConsoleHandler;
import io.asynq.console.http.ConsoleRights;
import io.asynq.console.http.ConsoleScreen;
import io.asynq.console.http.ReactiveSecurity;
import io.asynq.console.http.ServletSecurity;
import io.asynq.console.view.ConsoleViewConfiguration;
import io.asynq.inspect.AsynqInspector;
import io.asynq.spring.boot.autoconfigure.AsynqSchedulerAutoConfiguration;
import io.asynq.spring.boot.autoconfigure.AsynqServerAutoConfiguration;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.actuate.audit.AuditEvent;
import org.springframework.boot.actuate.audit.listener.AuditApplicationEvent;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionMessage;
import org.springframework.boot.autoconfigure.condition.ConditionOutcome;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication.Type;
import org.springframework.boot.autoconfigure.condition.SpringBootCondition;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.context.ApplicationContext;
import org.springframework.context.ApplicationEventPublisher;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.ConditionContext;
import org.springframework.context.annotation.Conditional;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.core.type.AnnotatedTypeMetadata;
import org.springframework.security.access.hierarchicalroles.RoleHierarchy;
import org.springframework.security.web.SecurityFilterChain;
import org.springframework.security.web.server.SecurityWebFilterChain;

/**
 * Auto-configuration of the web console.
 */
@AutoConfiguration(after = { AsynqServerAutoConfiguration.class, AsynqSchedulerAutoConfiguration.class },
		afterName = { "org.springframework.boot.security.autoconfigure.web.servlet.ServletWebSecurityAutoConfiguration",
				"org.springframework.boot.security.autoconfigure.web.reactive.ReactiveWebSecurityAutoConfiguration" })
@ConditionalOnWebApplication
@ConditionalOnBean({ AsynqInspector.class, AsynqClient.class })
@Conditional(AsynqConsoleAutoConfiguration.OnAccess.class)
@EnableConfigurationProperties(AsynqConsoleProperties.class)
@Import(ConsoleViewConfiguration.class)
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
		return new ConsoleHandler(properties, rights, screens.orderedStream().toList(), audit, events.getIfAvailable());
	}

	@Bean
	ConsoleLink asynqConsoleLink(ConsoleRights rights, AsynqConsoleProperties properties) {
		return new ConsoleLink(rights, properties);
	}

	@Configuration(proxyBeanMethods = false)
	@Conditional(ConsolePlace.OnApplicationServer.class)
	@Import(ConsoleMapping.class)
	static class Server {

	}

	@Configuration(proxyBeanMethods = false)
	@ConditionalOnClass(AuditApplicationEvent.class)
	static class Audit {

		@Bean
		ConsoleAudit asynqConsoleAudit(ApplicationEventPublisher events) {
			return new ConsoleAudit((principal, type, data) -> events
				.publishEvent(new AuditApplicationEvent(new AuditEvent(principal, type, data))));
		}

	}

	/**
	 * Declares no filter chain: that would take Boot's away from the rest of the
	 * application.
	 */
	@Configuration(proxyBeanMethods = false)
	@ConditionalOnWebApplication(type = Type.SERVLET)
	@ConditionalOnClass(SecurityFilterChain.class)
	static class SecuredServlet {

		@Bean
		ConsoleRights asynqConsoleRights(AsynqConsoleProperties properties,
				ObjectProvider<AsynqConsoleAuthorizer> authorizer, ObjectProvider<RoleHierarchy> hierarchy,
				ListableBeanFactory beans) {
			return new RightsChoice(properties, authorizer).withSpringSecurity(
					() -> new AuthorityRights(properties.authorities(), hierarchy.getIfUnique()),
					// By name: a chain may need the mapping of the console, which needs
					// this
					beans.getBeanNamesForType(SecurityFilterChain.class, true, false).length > 0);
		}

		@Bean
		ServletSecurity asynqConsoleServletSecurity(ObjectProvider<SecurityFilterChain> chains) {
			return new ServletSecurity(() -> chains.orderedStream().toList());
		}

	}

	@Configuration(proxyBeanMethods = false)
	@ConditionalOnWebApplication(type = Type.REACTIVE)
	@ConditionalOnClass(SecurityWebFilterChain.class)
	static class SecuredReactive {

		@Bean
		ConsoleRights asynqConsoleRights(AsynqConsoleProperties properties,
				ObjectProvider<AsynqConsoleAuthorizer> authorizer, ObjectProvider<RoleHierarchy> hierarchy,
				ListableBeanFactory beans) {
			return new RightsChoice(properties, authorizer).withSpringSecurity(
					() -> new AuthorityRights(properties.authorities(), hierarchy.getIfUnique()),
					beans.getBeanNamesForType(SecurityWebFilterChain.class, true, false).length > 0);
		}

		@Bean
		ReactiveSecurity asynqConsoleReactiveSecurity(ObjectProvider<SecurityWebFilterChain> chains) {
			return new ReactiveSecurity(() -> chains.orderedStream().toList());
		}

	}

	static final class OnAccess extends SpringBootCondition {

		@Override
		public ConditionOutcome getMatchOutcome(ConditionContext context, AnnotatedTypeMetadata metadata) {
			Binder binder = Binder.get(context.getEnvironment());
			ConditionMessage.Builder message = ConditionMessage.forCondition("asynq console");
			for (String property : new String[] { "asynq.console.access", "asynq.console.max-access" }) {
				if (binder.bind(property, Access.class).orElse(Access.READ_ONLY) == Access.NONE) {
					return ConditionOutcome.noMatch(message.because(property + " is none"));
				}
			}
			return ConditionOutcome.match(message.because("it may look at least"));
		}

	}

}
