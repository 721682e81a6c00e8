package io.asynq.console.autoconfigure;

import org.springframework.context.annotation.Condition;
import org.springframework.context.annotation.ConditionContext;
import org.springframework.core.type.AnnotatedTypeMetadata;

final class OnApplicationServer implements Condition {

	@Override
	public boolean matches(ConditionContext context, AnnotatedTypeMetadata metadata) {
		return ConsolePlace.of(context.getEnvironment(), context.getClassLoader()) == ConsolePlace.APPLICATION;
	}

}
