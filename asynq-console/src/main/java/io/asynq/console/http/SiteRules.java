package io.asynq.console.http;

import java.util.Locale;

/**
 * Refuses what the console's own page does not send, and says what proxies must pass on.
 */
final class SiteRules {

	private static final String PROXY = "If there is a proxy, it must pass on what the browser sends. nginx:"
			+ " proxy_http_version 1.1; proxy_set_header Host $http_host; proxy_set_header X-Forwarded-Host $http_host;"
			+ " proxy_set_header X-Forwarded-Proto $scheme; (below a path also proxy_set_header X-Forwarded-Prefix"
			+ " /the-path;) and in the application server.forward-headers-strategy=framework";

	private SiteRules() {
	}

	/** No browser speaks HTTP/1.0: it comes from a proxy that nobody has set up. */
	static void requireProtocol(ConsoleRequest request) {
		if (request.origin().protocol().equals("HTTP/1.0")) {
			throw new ConsoleException(505, "protocol", "The console does not answer HTTP/1.0. " + PROXY);
		}
	}

	/** A page of another site can send a form for a user, but no JSON or own header. */
	static void requireOwnPage(ConsoleRequest request) {
		if (!"1".equals(request.header().apply("X-Asynq-Console"))) {
			throw new ConsoleException(403, "csrf-header", "Header X-Asynq-Console: 1 is missing");
		}
		String site = request.header().apply("Sec-Fetch-Site");
		if (site != null && !site.equals("same-origin")) {
			throw new ConsoleException(403, "cross-site", "Only the console's own page may change things");
		}
		String origin = request.header().apply("Origin");
		if (origin != null && !normal(origin).equals(normal(request.origin().site()))) {
			throw new ConsoleException(403, "origin", "The browser is at " + origin
					+ ", but the application has been asked for " + request.origin().site() + ". " + PROXY);
		}
		String type = request.header().apply("Content-Type");
		if (type == null || !type.toLowerCase(Locale.ROOT).split(";")[0].strip().equals("application/json")) {
			throw new ConsoleException(415, "content-type", "The body must be application/json");
		}
	}

	/** Returns an origin without what it may be written with or without. */
	private static String normal(String origin) {
		return origin.toLowerCase(Locale.ROOT).replaceFirst("^(http://.*):80$|^(https://.*):443$", "$1$2");
	}

}
