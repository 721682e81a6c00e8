package io.asynq.console.http;

import io.asynq.console.http.ConsoleRequest.Csrf;
import reactor.core.publisher.Mono;

import org.springframework.web.server.ServerWebExchange;

/**
 * What Spring Security does for pages of the console, if it is there.
 */
public interface ReactiveSecurity {

	ReactiveSecurity NONE = new ReactiveSecurity() {

		@Override
		public Mono<Csrf> csrf(ServerWebExchange exchange) {
			return Mono.empty();
		}

		@Override
		public Mono<Void> refusePage(ServerWebExchange exchange, String reason) {
			return Mono.empty();
		}

	};

	Mono<Csrf> csrf(ServerWebExchange exchange);

	/**
	 * Returns the error that makes the application's filter chain ask for a login or show
	 * its page for those who may not; nothing if no chain would.
	 */
	Mono<Void> refusePage(ServerWebExchange exchange, String reason);

}
