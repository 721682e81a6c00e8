package io.asynq.console.http;

import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Executor;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

import io.asynq.console.http.ConsoleRequest.Origin;
import jakarta.servlet.http.Cookie;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import org.jspecify.annotations.Nullable;
import org.springframework.http.server.RequestPath;
import org.springframework.web.HttpRequestHandler;
import org.springframework.web.servlet.handler.SimpleUrlHandlerMapping;
import org.springframework.web.util.ServletRequestPathUtils;

public final class ServletConsole implements HttpRequestHandler {

	/** Before controllers, of which one may take every path. */
	private static final int ORDER = -90;

	private final ConsoleHandler console;

	private final String path;

	private final @Nullable ServletSecurity security;

	private final Executor writers = new ThreadPoolExecutor(0, Integer.MAX_VALUE, 10, TimeUnit.SECONDS,
			new SynchronousQueue<>(), (task) -> {
				Thread thread = new Thread(task, "asynq-console-stream");
				thread.setDaemon(true);
				return thread;
			});

	private ServletConsole(ConsoleHandler console, String path, @Nullable ServletSecurity security) {
		this.console = console;
		this.path = path;
		this.security = security;
	}

	public static SimpleUrlHandlerMapping mapping(ConsoleHandler console, String path,
			@Nullable ServletSecurity security) {
		ServletConsole handler = new ServletConsole(console, path, security);
		return new SimpleUrlHandlerMapping(Map.of(path, handler, path + "/", handler, path + "/**", handler), ORDER);
	}

	@Override
	public void handleRequest(HttpServletRequest request, HttpServletResponse response) throws IOException {
		RequestPath parsed = ServletRequestPathUtils.getParsedRequestPath(request);
		String within = parsed.pathWithinApplication().value();
		if (!within.equals(this.path) && !within.startsWith(this.path + '/')) {
			// Written with escapes that it does not need, or with path parameters
			response.sendError(HttpServletResponse.SC_NOT_FOUND);
			return;
		}
		String rest = within.substring(this.path.length());
		// The servlet may have a path, too
		String base = parsed.value().substring(0, parsed.value().length() - rest.length());
		Origin origin = new Origin(base, site(request), request.getProtocol(), request.getUserPrincipal(),
				passes(request), () -> (this.security != null) ? this.security.csrf(request, response) : null);
		byte[] body = request.getMethod().equals("POST")
				? request.getInputStream().readNBytes(ConsoleHandler.bodyLimit()) : new byte[0];
		ConsoleResponse answer = this.console.handle(new ConsoleRequest(request.getMethod(),
				rest.isEmpty() ? rest : rest.substring(1), parameters(request), request::getHeader, body, origin));
		if (answer.pageDenied() && this.security != null) {
			this.security.refusePage(request, "The console was refused");
		}
		send(answer, request, response);
	}

	private void send(ConsoleResponse answer, HttpServletRequest request, HttpServletResponse response)
			throws IOException {
		response.setStatus(answer.status());
		answer.headers().forEach(response::setHeader);
		if (answer.stream() != null) {
			StreamWriter.start(answer.stream(), request.startAsync(), this.writers);
			return;
		}
		response.setContentLength(answer.body().length);
		if (!request.getMethod().equals("HEAD")) {
			response.getOutputStream().write(answer.body());
		}
	}

	private static String site(HttpServletRequest request) {
		return request.getScheme() + "://" + request.getServerName() + ':' + request.getServerPort();
	}

	private static List<String> passes(HttpServletRequest request) {
		Cookie[] cookies = request.getCookies();
		return (cookies == null) ? List.of()
				: Stream.of(cookies)
					.filter((cookie) -> cookie.getName().startsWith(TokenPage.COOKIE))
					.map(Cookie::getValue)
					.toList();
	}

	private static Map<String, String> parameters(HttpServletRequest request) {
		Map<String, String> parameters = new LinkedHashMap<>();
		if (!request.getMethod().equals("POST")) {
			request.getParameterMap().forEach((name, values) -> parameters.put(name, values[0]));
		}
		return parameters;
	}

}
