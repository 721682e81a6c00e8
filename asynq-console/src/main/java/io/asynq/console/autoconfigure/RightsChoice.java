package io.asynq.console.autoconfigure;

import java.util.function.Supplier;

import io.asynq.console.AsynqConsoleAuthorizer;
import io.asynq.console.AsynqConsoleProperties;
import io.asynq.console.AsynqConsoleProperties.Security;
import io.asynq.console.http.ConsoleRights;
import io.asynq.console.security.GivenRights;
import io.asynq.console.security.LoopbackRights;
import io.asynq.console.security.OpenRights;
import io.asynq.logging.OneLineLogger;
import org.slf4j.Logger;

import org.springframework.beans.factory.ObjectProvider;

/**
 * Chooses who decides who may do what.
 */
final class RightsChoice {

	private static final Logger logger = OneLineLogger.of(RightsChoice.class);

	private final AsynqConsoleProperties properties;

	private final ObjectProvider<AsynqConsoleAuthorizer> authorizer;

	RightsChoice(AsynqConsoleProperties properties, ObjectProvider<AsynqConsoleAuthorizer> authorizer) {
		this.properties = properties;
		this.authorizer = authorizer;
	}

	ConsoleRights withoutSpringSecurity() {
		return choose(() -> {
			logger.info("The asynq console at {} answers only browsers on this machine: there is no Spring Security",
					this.properties.path());
			return new LoopbackRights();
		});
	}

	/**
	 * @param bySpringSecurity makes the rights of its users
	 * @param chainExists whether users can log in at all
	 */
	ConsoleRights withSpringSecurity(Supplier<ConsoleRights> bySpringSecurity, boolean chainExists) {
		return choose(() -> {
			if (!chainExists) {
				throw new ConsoleConfigurationException(
						"Spring Security is on the class path, but there is no security filter chain, so nobody could log"
								+ " in to the asynq console.",
						"Declare a SecurityFilterChain bean (with WebFlux: SecurityWebFilterChain), or an"
								+ " AsynqConsoleAuthorizer bean, or set asynq.console.security=none if everybody may come"
								+ " in, or asynq.console.access=none to have no console.");
			}
			return bySpringSecurity.get();
		});
	}

	private ConsoleRights choose(Supplier<ConsoleRights> otherwise) {
		AsynqConsoleAuthorizer given = this.authorizer.getIfAvailable();
		if (this.properties.security() == Security.NONE) {
			if (given != null) {
				throw new ConsoleConfigurationException(
						"asynq.console.security is none, but there is an AsynqConsoleAuthorizer bean, which would not be"
								+ " asked.",
						"Remove asynq.console.security=none, or the bean.");
			}
			logger.warn(
					"The asynq console at {} is open to everybody who reaches the port, with access {}:"
							+ " asynq.console.security is none",
					this.properties.path(), this.properties.effectiveAccess());
			return new OpenRights();
		}
		return (given != null) ? new GivenRights(given) : otherwise.get();
	}

}
