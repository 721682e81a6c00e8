package io.asynq.console;

import org.springframework.boot.WebApplicationType;

/**
 * The console in Spring MVC.
 */
class ConsoleMvcIT extends ConsoleOverHttp {

	@Override
	WebApplicationType web() {
		return WebApplicationType.SERVLET;
	}

}
