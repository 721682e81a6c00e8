package io.asynq.console.autoconfigure;

import io.asynq.console.AsynqConsoleProperties;
import io.asynq.console.http.ConsoleRights;
import io.asynq.console.http.TokenRights;
import io.asynq.internal.text.OneLineLogger;
import org.slf4j.Logger;
import org.springframework.boot.context.event.ApplicationReadyEvent;
import org.springframework.context.ApplicationListener;
import org.springframework.core.env.Environment;

/**
 * Logs where the console is and how to come in, when the ports are known.
 */
record ConsoleLink(ConsoleRights rights,
		AsynqConsoleProperties properties) implements ApplicationListener<ApplicationReadyEvent> {

	private static final Logger logger = OneLineLogger.of(ConsoleLink.class);

	@Override
	public void onApplicationEvent(ApplicationReadyEvent event) {
		if (this.rights instanceof TokenRights tokens) {
			String token = tokens.shownToken();
			logger.info(
					(token != null) ? "Open the asynq console by this link, which can be used once: {}{}"
							: "The asynq console is at {}{}",
					url(event.getApplicationContext().getEnvironment()),
					(token != null) ? "?token=" + token : ", which asks for the value of asynq.console.token");
		}
	}

	private String url(Environment environment) {
		boolean management = ConsolePlace.of(environment, getClass().getClassLoader()) == ConsolePlace.MANAGEMENT_PORT;
		String server = management ? "management.server" : "server";
		String port = environment.getProperty(management ? "local.management.port" : "local.server.port");
		String path = management ? environment.getProperty("management.server.base-path", "")
				: environment.getProperty("server.servlet.context-path", "")
						+ environment.getProperty("spring.mvc.servlet.path", "")
						+ environment.getProperty("spring.webflux.base-path", "");
		String address = environment.getProperty(server + ".address", "localhost");
		// Unknown in a container of servlets
		String host = (port == null) ? ""
				: (isTls(environment, server) ? "https://" : "http://") + (address.matches("0\\.0\\.0\\.0|::")
						? "localhost" : address.contains(":") ? '[' + address + ']' : address) + ':' + port;
		return host + (path + this.properties.path()).replaceAll("/{2,}", "/") + '/';
	}

	private static boolean isTls(Environment environment, String server) {
		return environment.getProperty(server + ".ssl.enabled", Boolean.class, true)
				&& (environment.containsProperty(server + ".ssl.bundle")
						|| environment.containsProperty(server + ".ssl.key-store")
						|| environment.containsProperty(server + ".ssl.certificate"));
	}

}
