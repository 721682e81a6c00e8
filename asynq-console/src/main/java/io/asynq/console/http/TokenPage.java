package io.asynq.console.http;

import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Locale;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;

import io.asynq.internal.text.OneLineLogger;
import io.asynq.operations.Problem;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.springframework.web.util.HtmlUtils;

/**
 * Takes the token of a link, or of a form, which no access log has.
 */
record TokenPage(ConsoleRights rights, String title) {

	/** Followed by the port: applications on one machine share cookies. */
	static final String COOKIE = "asynq-console-";

	static final Duration LIFE = Duration.ofDays(7);

	private static final Logger logger = OneLineLogger.of(TokenPage.class);

	private static final String PAGE = """
			<!doctype html><html lang="en"><meta charset="utf-8"><title>%1$s</title>
			<meta name="viewport" content="width=device-width, initial-scale=1">
			<main><h1>%1$s</h1><p>%2$s</p><form method="post"><label>Token
			<input type="password" name="token" autocomplete="off" required></label> <button>Open</button></form></main></html>
			""";

	@Nullable ConsoleResponse enter(ConsoleRequest request) {
		UnaryOperator<String> exchange = this.rights.tokenExchange();
		String token = token(request);
		if (exchange == null || token == null) {
			return null;
		}
		try {
			String pass = exchange.apply(token);
			return ConsoleHandler.text(302, "The console is open")
				.with("Set-Cookie", cookie(request.origin(), pass))
				.with("Location", withoutToken(request));
		}
		catch (ConsoleException ex) {
			Problem problem = Problem.of(ex, logger);
			return ask(problem.status(), problem.detail());
		}
	}

	ConsoleResponse ask(int status, String text) {
		String page = PAGE.formatted(HtmlUtils.htmlEscape(this.title), HtmlUtils.htmlEscape(text));
		return ConsoleResponse.of(status, "text/html;charset=UTF-8", page.getBytes(StandardCharsets.UTF_8))
			.with("Content-Security-Policy",
					"default-src 'none'; base-uri 'none'; frame-ancestors 'self'; form-action 'self'");
	}

	private static @Nullable String token(ConsoleRequest request) {
		if (request.method().equals("GET")) {
			return request.parameters().get("token");
		}
		String type = String.valueOf(request.header().apply("Content-Type")).toLowerCase(Locale.ROOT);
		String form = new String(request.body(), StandardCharsets.UTF_8);
		// No character of a token is written in another way
		return (request.method().equals("POST") && type.startsWith("application/x-www-form-urlencoded")
				&& form.startsWith("token=")) ? form.substring("token=".length()) : null;
	}

	private static String withoutToken(ConsoleRequest request) {
		String query = request.parameters()
			.entrySet()
			.stream()
			.filter((each) -> !each.getKey().equals("token"))
			.map((each) -> encoded(each.getKey()) + '=' + encoded(each.getValue()))
			.collect(Collectors.joining("&"));
		return request.origin().base() + '/' + request.path() + (query.isEmpty() ? "" : '?' + query);
	}

	private static String cookie(ConsoleRequest.Origin origin, String pass) {
		String port = origin.site().replaceFirst(".*?(\\d*)$", "$1");
		return COOKIE + port + '=' + pass + "; Path=" + origin.base() + "; Max-Age=" + LIFE.toSeconds()
				+ "; HttpOnly; SameSite=Strict" + (origin.site().startsWith("https:") ? "; Secure" : "");
	}

	private static String encoded(String text) {
		return URLEncoder.encode(text, StandardCharsets.UTF_8);
	}

}
