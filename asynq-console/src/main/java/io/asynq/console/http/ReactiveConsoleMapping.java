package io.asynq.console.http;

import java.util.Map;

import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

import org.springframework.context.ApplicationContext;
import org.springframework.web.reactive.handler.SimpleUrlHandlerMapping;
import org.springframework.web.server.ServerWebExchange;

/**
 * Maps the console's path on one server. The actuator's own server sees the mappings of
 * the application's too.
 */
public final class ReactiveConsoleMapping extends SimpleUrlHandlerMapping {

	/** Before controllers, of which one may take every path. */
	private static final int ORDER = -90;

	public ReactiveConsoleMapping(ReactiveConsole console, String path) {
		super(Map.of(path, console, path + "/", console, path + "/**", console), ORDER);
	}

	@Override
	public Mono<Object> getHandlerInternal(ServerWebExchange exchange) {
		@Nullable ApplicationContext server = exchange.getApplicationContext();
		return (server == getApplicationContext()) ? super.getHandlerInternal(exchange) : Mono.empty();
	}

}
