package io.asynq.console.autoconfigure;

import java.time.InstantSource;
import java.util.function.Supplier;

import io.asynq.console.AsynqConsoleAuthorizer;
import io.asynq.console.AsynqConsoleProperties;
import io.asynq.console.AsynqConsoleProperties.Security;
import io.asynq.console.autoconfigure.ConsoleConfigurationFailureAnalyzer.ConsoleConfigurationException;
import io.asynq.console.http.ConsoleRights;
import io.asynq.console.http.GivenRights;
import io.asynq.console.http.OpenRights;
import io.asynq.console.http.TokenRights;
import io.asynq.internal.text.OneLineLogger;
import org.slf4j.Logger;
import org.springframework.beans.factory.ObjectProvider;

record RightsChoice(AsynqConsoleProperties properties, ObjectProvider<AsynqConsoleAuthorizer> authorizer) {

	private static final Logger logger = OneLineLogger.of(RightsChoice.class);

	ConsoleRights withoutSpringSecurity() {
		String token = this.properties.token();
		return choose(() -> (token != null) ? TokenRights.fixed(token, InstantSource.system())
				: TokenRights.once(InstantSource.system()));
	}

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
			requireNoToken("Spring Security decides who may come in");
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
			requireNoToken("asynq.console.security is none");
			logger.warn(
					"The asynq console at {} is open to everybody who reaches the port, with access {}:"
							+ " asynq.console.security is none",
					this.properties.path(), this.properties.effectiveAccess());
			return new OpenRights();
		}
		if (given == null) {
			return otherwise.get();
		}
		requireNoToken("there is an AsynqConsoleAuthorizer bean");
		return new GivenRights(given);
	}

	private void requireNoToken(String reason) {
		if (this.properties.token() != null) {
			throw new ConsoleConfigurationException(
					"asynq.console.token is set, but would not be asked for: " + reason + ".",
					"Remove asynq.console.token, which is for applications without Spring Security.");
		}
	}

}
