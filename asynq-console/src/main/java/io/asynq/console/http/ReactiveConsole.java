package io.asynq.console.http;

import java.nio.charset.StandardCharsets;
import java.security.Principal;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

import io.asynq.console.http.ConsoleRequest.Origin;
import jakarta.servlet.http.HttpServletRequest;
import org.jspecify.annotations.Nullable;
import org.springframework.context.ApplicationContext;
import org.springframework.core.io.buffer.DataBuffer;
import org.springframework.core.io.buffer.DataBufferLimitException;
import org.springframework.core.io.buffer.DataBufferUtils;
import org.springframework.http.HttpCookie;
import org.springframework.http.HttpMethod;
import org.springframework.http.HttpStatus;
import org.springframework.http.HttpStatusCode;
import org.springframework.http.server.RequestPath;
import org.springframework.http.server.reactive.ServerHttpRequest;
import org.springframework.http.server.reactive.ServerHttpRequestDecorator;
import org.springframework.http.server.reactive.ServerHttpResponse;
import org.springframework.util.ClassUtils;
import org.springframework.web.reactive.handler.SimpleUrlHandlerMapping;
import org.springframework.web.server.ServerWebExchange;
import org.springframework.web.server.WebHandler;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;
import reactor.netty.http.server.HttpServerRequest;

/**
 * The console as a handler of Spring WebFlux. Redis is asked on threads that may wait.
 */
public final class ReactiveConsole implements WebHandler {

	private static final boolean NETTY = isPresent("reactor.netty.http.server.HttpServerRequest");

	private static final boolean SERVLET = isPresent("jakarta.servlet.http.HttpServletRequest");

	private final ConsoleHandler console;

	private final String path;

	private final @Nullable ReactiveSecurity security;

	private ReactiveConsole(ConsoleHandler console, String path, @Nullable ReactiveSecurity security) {
		this.console = console;
		this.path = path;
		this.security = security;
	}

	@Override
	public Mono<Void> handle(ServerWebExchange exchange) {
		RequestPath parsed = exchange.getRequest().getPath();
		String within = parsed.pathWithinApplication().value();
		if (!within.equals(this.path) && !within.startsWith(this.path + '/')) {
			// Written with escapes that it does not need, or with path parameters
			exchange.getResponse().setStatusCode(HttpStatus.NOT_FOUND);
			return exchange.getResponse().setComplete();
		}
		String rest = within.substring(this.path.length());
		Mono<Optional<Principal>> principal = exchange.getPrincipal()
			.map(Optional::of)
			.defaultIfEmpty(Optional.empty());
		return principal.zipWith(body(exchange.getRequest()), (who, body) -> {
			ServerHttpRequest request = exchange.getRequest();
			Origin origin = new Origin(parsed.contextPath().value() + this.path, site(request), protocol(request),
					who.orElse(null), passes(request),
					() -> (this.security != null) ? this.security.csrf(exchange).block() : null);
			return new ConsoleRequest(exchange.getRequest().getMethod().name(),
					rest.isEmpty() ? rest : rest.substring(1), parameters(exchange.getRequest()),
					exchange.getRequest().getHeaders()::getFirst, body, origin);
		})
			.publishOn(Schedulers.boundedElastic())
			.map(this.console::handle)
			.flatMap((answer) -> (!answer.pageDenied() || this.security == null) ? send(answer, exchange)
					: this.security.refusePage(exchange, "The console was refused")
						.then(Mono.defer(() -> send(answer, exchange))));
	}

	/** Spring does not tell it: the server itself is asked. */
	private static String protocol(ServerHttpRequest request) {
		Object server = ServerHttpRequestDecorator.getNativeRequest(request);
		if (NETTY && server instanceof HttpServerRequest netty) {
			return netty.version().text();
		}
		return (SERVLET && server instanceof HttpServletRequest servlet) ? servlet.getProtocol() : "";
	}

	private static String site(ServerHttpRequest request) {
		return request.getURI().getScheme() + "://" + request.getURI().getRawAuthority();
	}

	private static List<String> passes(ServerHttpRequest request) {
		return request.getCookies()
			.values()
			.stream()
			.flatMap(List::stream)
			.filter((cookie) -> cookie.getName().startsWith(TokenPage.COOKIE))
			.map(HttpCookie::getValue)
			.toList();
	}

	private static Mono<Void> send(ConsoleResponse answer, ServerWebExchange exchange) {
		ServerHttpResponse response = exchange.getResponse();
		response.setStatusCode(HttpStatusCode.valueOf(answer.status()));
		answer.headers().forEach(response.getHeaders()::set);
		if (answer.stream() != null) {
			return response.writeAndFlushWith(events(answer.stream())
				.map((text) -> Mono.just(buffer(response, text.getBytes(StandardCharsets.UTF_8)))));
		}
		response.getHeaders().setContentLength(answer.body().length);
		return exchange.getRequest().getMethod().equals(HttpMethod.HEAD) ? response.setComplete()
				: response.writeWith(Mono.fromSupplier(() -> buffer(response, answer.body())));
	}

	/** As fast as the browser takes them. */
	private static Flux<String> events(EventStream stream) {
		return Flux.create((sink) -> {
			sink.onDispose(stream::close);
			sink.onRequest((wanted) -> stream.wake());
			stream.start(Runnable::run, () -> {
				String text = "";
				while (text != null && sink.requestedFromDownstream() > 0) {
					text = stream.poll();
					if (text != null) {
						sink.next(text);
					}
				}
			}, sink::complete);
		});
	}

	private static boolean isPresent(String type) {
		return ClassUtils.isPresent(type, ReactiveConsole.class.getClassLoader());
	}

	private static DataBuffer buffer(ServerHttpResponse response, byte[] bytes) {
		return response.bufferFactory().wrap(bytes);
	}

	private static Mono<byte[]> body(ServerHttpRequest request) {
		if (!request.getMethod().equals(HttpMethod.POST)) {
			return Mono.just(new byte[0]);
		}
		return DataBufferUtils.join(request.getBody(), ConsoleHandler.bodyLimit() - 1).map((buffer) -> {
			byte[] bytes = new byte[buffer.readableByteCount()];
			buffer.read(bytes);
			DataBufferUtils.release(buffer);
			return bytes;
		})
			.defaultIfEmpty(new byte[0])
			// As many as are too many
			.onErrorResume(DataBufferLimitException.class,
					(ex) -> Mono.fromSupplier(() -> new byte[ConsoleHandler.bodyLimit()]));
	}

	private static Map<String, String> parameters(ServerHttpRequest request) {
		Map<String, String> parameters = new LinkedHashMap<>();
		request.getQueryParams().forEach((name, values) -> {
			String value = values.get(0);
			parameters.put(name, (value != null) ? value : "");
		});
		return parameters;
	}

	/** The actuator's own server sees the mappings of the application's too. */
	public static final class Mapping extends SimpleUrlHandlerMapping {

		/** Before controllers, of which one may take every path. */
		private static final int ORDER = -90;

		public Mapping(ConsoleHandler handler, String path, @Nullable ReactiveSecurity security) {
			this(new ReactiveConsole(handler, path, security), path);
		}

		private Mapping(ReactiveConsole console, String path) {
			super(Map.of(path, console, path + "/", console, path + "/**", console), ORDER);
		}

		@Override
		public Mono<Object> getHandlerInternal(ServerWebExchange exchange) {
			@Nullable ApplicationContext server = exchange.getApplicationContext();
			return (server == getApplicationContext()) ? super.getHandlerInternal(exchange) : Mono.empty();
		}

	}

}
