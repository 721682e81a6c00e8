package io.asynq.console.http;

import java.security.Principal;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.function.Supplier;

import org.jspecify.annotations.Nullable;

/**
 * A request to the console, whatever framework has got it.
 *
 * @param method the HTTP method
 * @param path what follows the console's own path, without the slash between them
 * @param parameters the query's parameters
 * @param header returns a header, {@code null} if it is missing
 * @param body the body, empty if there is none
 * @param origin where the request comes from
 */
public record ConsoleRequest(String method, String path, Map<String, String> parameters,
		Function<String, @Nullable String> header, byte[] body, Origin origin) {

	/**
	 * Where a request comes from.
	 *
	 * @param base the path of the console as the browser knows it, without a slash at its
	 * end
	 * @param site scheme, host and port that the application has been asked for, as it
	 * knows them from proxies that it trusts
	 * @param protocol the version of HTTP, empty if the server does not tell
	 * @param principal who is logged in, {@code null} if nobody is
	 * @param passes the values of the {@linkplain ConsoleCookie console's cookies}
	 * @param csrf returns the token that the application wants to see, {@code null} if it
	 * wants none; may open a session
	 */
	public record Origin(String base, String site, String protocol, @Nullable Principal principal, List<String> passes,
			Supplier<@Nullable Csrf> csrf) {
	}

	/**
	 * A CSRF token.
	 *
	 * @param header the header that takes it
	 * @param parameter the parameter that takes it instead
	 * @param token the token as the application's pages have it
	 * @param cookie the cookie that has it, if there is one
	 */
	public record Csrf(String header, @Nullable String parameter, @Nullable String token, @Nullable String cookie) {
	}

}
