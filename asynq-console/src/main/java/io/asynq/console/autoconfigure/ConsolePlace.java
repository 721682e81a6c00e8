package io.asynq.console.autoconfigure;

import io.asynq.console.AsynqConsoleProperties.ServerChoice;
import io.asynq.console.autoconfigure.ConsoleConfigurationFailureAnalyzer.ConsoleConfigurationException;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.actuate.autoconfigure.web.server.ManagementPortType;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.context.annotation.Condition;
import org.springframework.context.annotation.ConditionContext;
import org.springframework.core.env.Environment;
import org.springframework.core.type.AnnotatedTypeMetadata;
import org.springframework.util.ClassUtils;

enum ConsolePlace {

	/** That of the application, perhaps because the actuator has the same port. */
	APPLICATION,

	MANAGEMENT_PORT,

	NOWHERE;

	private static final String ACTUATOR = "org.springframework.boot.actuate.autoconfigure.web.server.ManagementPortType";

	static ConsolePlace of(Environment environment, @Nullable ClassLoader loader) {
		ServerChoice choice = Binder.get(environment)
			.bind("asynq.console.server", ServerChoice.class)
			.orElse(ServerChoice.APPLICATION);
		if (choice == ServerChoice.APPLICATION) {
			return APPLICATION;
		}
		if (!ClassUtils.isPresent(ACTUATOR, loader)) {
			return NOWHERE;
		}
		return Actuator.place(environment);
	}

	static void require(Environment environment, @Nullable ClassLoader loader) {
		if (of(environment, loader) == NOWHERE) {
			throw new ConsoleConfigurationException(
					"The asynq console is to be on the actuator's server (asynq.console.server=management), but there is"
							+ " none.",
					"Add spring-boot-starter-actuator and leave management.server.port at a port that is not negative, or"
							+ " set asynq.console.server=application.");
		}
	}

	/** Is loaded only with the actuator. */
	private static final class Actuator {

		private static ConsolePlace place(Environment environment) {
			return switch (ManagementPortType.get(environment)) {
				case SAME -> APPLICATION;
				case DIFFERENT -> MANAGEMENT_PORT;
				case DISABLED -> NOWHERE;
			};
		}

	}

	static final class OnApplicationServer implements Condition {

		@Override
		public boolean matches(ConditionContext context, AnnotatedTypeMetadata metadata) {
			return of(context.getEnvironment(), context.getClassLoader()) == APPLICATION;
		}

	}

	static final class OnManagementPort implements Condition {

		@Override
		public boolean matches(ConditionContext context, AnnotatedTypeMetadata metadata) {
			return of(context.getEnvironment(), context.getClassLoader()) == MANAGEMENT_PORT;
		}

	}

}
