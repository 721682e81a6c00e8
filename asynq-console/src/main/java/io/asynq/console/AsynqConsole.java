package io.asynq.console;

import java.util.function.Supplier;

import io.asynq.console.AsynqConsoleProperties.ServerChoice;
import jakarta.servlet.http.HttpServletRequest;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.security.web.reactive.ApplicationContextServerWebExchangeMatcher;
import org.springframework.boot.security.web.servlet.ApplicationContextRequestMatcher;
import org.springframework.context.ApplicationContext;
import org.springframework.security.web.server.util.matcher.ServerWebExchangeMatcher;
import org.springframework.security.web.util.matcher.RequestMatcher;
import org.springframework.web.context.WebApplicationContext;
import org.springframework.web.server.ServerWebExchange;
import reactor.core.publisher.Mono;

/**
 * Finds requests to the console, for security filter chains of the application. The
 * console checks authorities by itself, whatever a chain lets through.
 */
public final class AsynqConsole {

	private static final String MANAGEMENT = "management";

	private AsynqConsole() {
	}

	/**
	 * Returns a matcher of requests to the console, wherever {@code asynq.console.path}
	 * puts it. Matches nothing if there is no console.
	 */
	public static RequestMatcher requestMatcher() {
		return new ServletMatcher();
	}

	/** Returns the same for WebFlux. */
	public static ServerWebExchangeMatcher exchangeMatcher() {
		return new ReactiveMatcher();
	}

	private static boolean isElsewhere(ApplicationContext context, boolean management) {
		AsynqConsoleProperties console = context.getBeanProvider(AsynqConsoleProperties.class).getIfAvailable();
		return console == null || (management && console.server() == ServerChoice.APPLICATION);
	}

	private static boolean isBelow(String path, String console) {
		return path.equals(console) || path.startsWith(console + '/');
	}

	/**
	 * Knows the console's settings when the first request comes.
	 */
	private static final class ServletMatcher extends ApplicationContextRequestMatcher<WebApplicationContext> {

		private volatile @Nullable String path;

		private ServletMatcher() {
			super(WebApplicationContext.class);
		}

		@Override
		protected boolean ignoreApplicationContext(WebApplicationContext context) {
			return isElsewhere(context, hasServerNamespace(context, MANAGEMENT));
		}

		@Override
		protected void initialized(Supplier<WebApplicationContext> context) {
			String servlet = context.get().getEnvironment().getProperty("spring.mvc.servlet.path", "");
			boolean prefixed = servlet.length() > 1 && !hasServerNamespace(context.get(), MANAGEMENT);
			this.path = (prefixed ? servlet.replaceFirst("/+$", "") : "")
					+ context.get().getBean(AsynqConsoleProperties.class).path();
		}

		@Override
		protected boolean matches(HttpServletRequest request, Supplier<WebApplicationContext> context) {
			String known = this.path;
			return known != null
					&& isBelow(request.getRequestURI().substring(request.getContextPath().length()), known);
		}

	}

	/**
	 * Knows the console's settings when the first request comes.
	 */
	private static final class ReactiveMatcher extends ApplicationContextServerWebExchangeMatcher<ApplicationContext> {

		private ReactiveMatcher() {
			super(ApplicationContext.class);
		}

		@Override
		protected boolean ignoreApplicationContext(ApplicationContext context) {
			return isElsewhere(context, hasServerNamespace(context, MANAGEMENT));
		}

		@Override
		protected void initialized(Supplier<ApplicationContext> context) {
			// Nothing to prepare
		}

		@Override
		protected Mono<MatchResult> matches(ServerWebExchange exchange, Supplier<ApplicationContext> context) {
			String path = exchange.getRequest().getPath().pathWithinApplication().value();
			return isBelow(path, context.get().getBean(AsynqConsoleProperties.class).path()) ? MatchResult.match()
					: MatchResult.notMatch();
		}

	}

}
