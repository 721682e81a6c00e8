package io.asynq.console.autoconfigure;

import io.asynq.console.http.ConsoleHandler;
import org.springframework.boot.actuate.autoconfigure.web.ManagementContextConfiguration;
import org.springframework.boot.actuate.autoconfigure.web.ManagementContextType;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.context.annotation.Conditional;
import org.springframework.context.annotation.Import;

@ManagementContextConfiguration(value = ManagementContextType.CHILD, proxyBeanMethods = false)
@ConditionalOnBean(ConsoleHandler.class)
@Conditional(ConsolePlace.OnManagementPort.class)
@Import(ConsoleMapping.class)
class ConsoleManagementConfiguration {

}
