package io.asynq.console.autoconfigure;

import io.asynq.console.AsynqConsoleProperties;
import io.asynq.console.http.ConsoleHandler;
import io.asynq.console.reactive.ReactiveConsole;
import io.asynq.console.reactive.ReactiveConsoleMapping;
import io.asynq.console.reactive.ReactiveSecurity;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.core.env.Environment;
import org.springframework.web.server.adapter.ForwardedHeaderTransformer;

/**
 * Makes the mapping of the console for one server.
 */
final class ReactiveMapping {

	private ReactiveMapping() {
	}

	static ReactiveConsoleMapping of(ConsoleHandler console, AsynqConsoleProperties properties,
			ObjectProvider<ReactiveSecurity> security, ObjectProvider<ForwardedHeaderTransformer> transformer,
			Environment environment) {
		boolean addressIsTold = transformer.stream().findAny().isPresent()
				|| "native".equalsIgnoreCase(environment.getProperty("server.forward-headers-strategy"));
		return new ReactiveConsoleMapping(new ReactiveConsole(console, properties.path(),
				security.getIfAvailable(() -> ReactiveSecurity.NONE), addressIsTold), properties.path());
	}

}
