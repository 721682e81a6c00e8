package io.asynq.console.http;

import java.util.List;
import java.util.function.Supplier;

import io.asynq.console.http.ConsoleRequest.Csrf;
import org.jspecify.annotations.Nullable;
import org.springframework.security.access.AccessDeniedException;
import org.springframework.security.web.server.SecurityWebFilterChain;
import org.springframework.security.web.server.authorization.ExceptionTranslationWebFilter;
import org.springframework.security.web.server.csrf.CsrfToken;
import org.springframework.web.server.ServerWebExchange;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

public record ReactiveSecurity(Supplier<List<SecurityWebFilterChain>> chains) {

	/**
	 * Spring Security's own; unlike with Spring MVC the stored token cannot be compared.
	 */
	private static final String COOKIE = "XSRF-TOKEN";

	Mono<Csrf> csrf(ServerWebExchange exchange) {
		Mono<?> token = exchange.getAttributeOrDefault(CsrfToken.class.getName(), Mono.empty());
		return token.cast(CsrfToken.class)
			.map((shown) -> new Csrf(shown.getHeaderName(), shown.getParameterName(), shown.getToken(),
					cookie(exchange)));
	}

	/** The error makes a filter chain ask for a login, if one would. */
	Mono<Void> refusePage(ServerWebExchange exchange, String reason) {
		return Flux.fromIterable(this.chains.get())
			.filterWhen((chain) -> chain.matches(exchange))
			.next()
			.flatMap((chain) -> chain.getWebFilters().any(ExceptionTranslationWebFilter.class::isInstance))
			.flatMap((translated) -> translated ? Mono.error(new AccessDeniedException(reason)) : Mono.empty());
	}

	private static @Nullable String cookie(ServerWebExchange exchange) {
		return (exchange.getRequest().getCookies().containsKey(COOKIE)
				|| exchange.getResponse().getCookies().containsKey(COOKIE)) ? COOKIE : null;
	}

}
