package io.asynq.console.http;

import java.time.Duration;

/**
 * The cookie of browsers that have come with a token. Its name has the port, because
 * applications on one machine share cookies; each looks at all of them.
 */
public final class ConsoleCookie {

	public static final String PREFIX = "asynq-console-";

	public static final Duration LIFE = Duration.ofDays(7);

	private ConsoleCookie() {
	}

	static String of(ConsoleRequest.Origin origin, String pass) {
		String port = origin.site().replaceFirst(".*?(\\d*)$", "$1");
		return PREFIX + port + '=' + pass + "; Path=" + origin.base() + "; Max-Age=" + LIFE.toSeconds()
				+ "; HttpOnly; SameSite=Strict" + (origin.site().startsWith("https:") ? "; Secure" : "");
	}

}
