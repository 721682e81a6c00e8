package io.asynq.console;

import org.springframework.boot.WebApplicationType;

/**
 * The console in Spring WebFlux.
 */
class ConsoleWebFluxIT extends ConsoleOverHttp {

	@Override
	WebApplicationType web() {
		return WebApplicationType.REACTIVE;
	}

}
