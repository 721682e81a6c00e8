package io.asynq.console.autoconfigure;

import io.asynq.console.AsynqConsoleProperties.Access;

import org.springframework.boot.autoconfigure.condition.ConditionMessage;
import org.springframework.boot.autoconfigure.condition.ConditionOutcome;
import org.springframework.boot.autoconfigure.condition.SpringBootCondition;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.context.annotation.ConditionContext;
import org.springframework.core.type.AnnotatedTypeMetadata;

final class OnConsoleAccess extends SpringBootCondition {

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
