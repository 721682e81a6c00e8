package io.asynq.console.http;

import java.util.List;
import java.util.function.Supplier;

import io.asynq.console.http.ConsoleRequest.Csrf;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

import org.springframework.security.access.AccessDeniedException;
import org.springframework.security.web.server.SecurityWebFilterChain;
import org.springframework.security.web.server.authorization.ExceptionTranslationWebFilter;
import org.springframework.security.web.server.csrf.CsrfToken;
import org.springframework.web.server.ServerWebExchange;

/**
 * Speaks to the filter chain that an exchange has come through.
 */
public final class ReactiveSecurity {

	/**
	 * Spring Security's own; unlike with Spring MVC the stored token cannot be compared.
	 */
	private static final String COOKIE = "XSRF-TOKEN";

	private final Supplier<List<SecurityWebFilterChain>> chains;

	public ReactiveSecurity(Supplier<List<SecurityWebFilterChain>> chains) {
		this.chains = chains;
	}

	Mono<Csrf> csrf(ServerWebExchange exchange) {
		Mono<?> token = exchange.getAttributeOrDefault(CsrfToken.class.getName(), Mono.empty());
		return token.cast(CsrfToken.class)
			.map((shown) -> new Csrf(shown.getHeaderName(), shown.getParameterName(), shown.getToken(),
					cookie(exchange)));
	}

	/**
	 * Is the error that makes a filter chain ask for a login, or show its page; nothing
	 * if no chain would.
	 */
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
