package io.asynq.spring.boot.autoconfigure;

import org.springframework.beans.factory.BeanFactoryUtils;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.boot.autoconfigure.condition.ConditionMessage;
import org.springframework.boot.autoconfigure.condition.ConditionOutcome;
import org.springframework.boot.autoconfigure.condition.SpringBootCondition;
import org.springframework.context.annotation.ConditionContext;
import org.springframework.context.annotation.ConfigurationCondition;
import org.springframework.core.type.AnnotatedTypeMetadata;
import org.springframework.core.type.MethodMetadata;
import org.springframework.util.ClassUtils;

/**
 * Beans of a parent context count unless they belong to a server there.
 */
final class OnMissingHere extends SpringBootCondition implements ConfigurationCondition {

	@Override
	public ConfigurationPhase getConfigurationPhase() {
		return ConfigurationPhase.REGISTER_BEAN;
	}

	@Override
	public ConditionOutcome getMatchOutcome(ConditionContext context, AnnotatedTypeMetadata metadata) {
		ConfigurableListableBeanFactory beans = context.getBeanFactory();
		Class<?> type = ClassUtils.resolveClassName(((MethodMetadata) metadata).getReturnTypeName(),
				context.getClassLoader());
		String[] found = OnHandlersHere.isBelowServer(beans) ? beans.getBeanNamesForType(type, true, false)
				: BeanFactoryUtils.beanNamesForTypeIncludingAncestors(beans, type, true, false);
		ConditionMessage.Builder message = ConditionMessage.forCondition("Asynq server");
		return (found.length == 0) ? ConditionOutcome.match(message.didNotFind("any beans").atAll())
				: ConditionOutcome.noMatch(message.found("bean", "beans").items((Object[]) found));
	}

}
