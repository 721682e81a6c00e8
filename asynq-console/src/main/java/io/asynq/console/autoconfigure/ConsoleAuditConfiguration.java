package io.asynq.console.autoconfigure;

import io.asynq.console.http.ConsoleAudit;

import org.springframework.boot.actuate.audit.AuditEvent;
import org.springframework.boot.actuate.audit.listener.AuditApplicationEvent;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.context.ApplicationEventPublisher;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

@Configuration(proxyBeanMethods = false)
@ConditionalOnClass(AuditApplicationEvent.class)
class ConsoleAuditConfiguration {

	@Bean
	ConsoleAudit asynqConsoleAudit(ApplicationEventPublisher events) {
		return new ConsoleAudit((principal, type, data) -> events
			.publishEvent(new AuditApplicationEvent(new AuditEvent(principal, type, data))));
	}

}
