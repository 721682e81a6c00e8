package io.asynq.console.http;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;

import io.asynq.console.AsynqConsoleProperties;
import io.asynq.console.ConsoleRight;
import io.asynq.internal.text.OneLineLogger;
import io.asynq.operations.Problem;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.springframework.context.SmartLifecycle;

/**
 * Answers every request. May block: it asks Redis. Safe for concurrent use.
 */
public final class ConsoleHandler implements SmartLifecycle {

	private static final Logger logger = OneLineLogger.of(ConsoleHandler.class);

	private static final Map<String, String> HEADERS = Map
		.of("X-Content-Type-Options", "nosniff", "Referrer-Policy", "no-referrer", "Content-Security-Policy",
				"default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self';"
						+ " base-uri 'self'; frame-ancestors 'self'; form-action 'none'",
				"X-Frame-Options", "SAMEORIGIN");

	private static final int LARGEST_BODY = 4 << 20;

	private static final String API = "api/v1/";

	private static final String ASSETS = "assets/";

	/** Tells a page by its answers that they come from another version than its files. */
	private static final String ASSETS_HEADER = "X-Asynq-Assets";

	private final ApiHandler api;

	private final AccessRules rules;

	private final StaticFiles files;

	private final IndexPage index;

	private final TokenPage tokens;

	private final EventStreams streams;

	public ConsoleHandler(AsynqConsoleProperties properties, ConsoleRights rights, List<ConsoleScreen> screens,
			ConsoleAudit audit, @Nullable ConsoleEvents events) {
		ConsoleRoutes routes = new ConsoleRoutes();
		screens.forEach((screen) -> screen.register(routes));
		this.rules = new AccessRules(rights, properties);
		this.api = new ApiHandler(routes, this.rules, audit, properties.requireReason());
		this.files = StaticFiles.load(ConsoleHandler.class.getClassLoader());
		this.index = new IndexPage(this.files, properties);
		this.tokens = new TokenPage(rights, properties.title());
		this.streams = new EventStreams(events, this.api::write, EventStreams.Times.DEFAULT);
	}

	public ConsoleResponse handle(ConsoleRequest request) {
		ConsoleResponse response;
		try {
			SiteRules.requireProtocol(request);
			response = answer(request);
		}
		catch (ConsoleException ex) {
			response = refused(request, ex);
		}
		HEADERS.forEach(response.headers()::putIfAbsent);
		response.headers().putIfAbsent("Cache-Control", "no-store");
		return response;
	}

	/** Returns how many bytes of a body are to be read: one more than are taken. */
	public static int bodyLimit() {
		return LARGEST_BODY + 1;
	}

	@Override
	public void start() {
		this.streams.start();
	}

	/** Ends streams before the web server waits for its requests to end. */
	@Override
	public void stop() {
		this.streams.stop();
	}

	@Override
	public boolean isRunning() {
		return this.streams.isRunning();
	}

	private ConsoleResponse answer(ConsoleRequest request) {
		String path = request.path();
		if (request.body().length > LARGEST_BODY) {
			return this.api.problem(Problem.of(413, "parameter", "A body has at most " + LARGEST_BODY + " bytes"));
		}
		if (path.equals(API + "stream")) {
			return stream(request);
		}
		if (path.startsWith(API)) {
			ConsoleResponse answer = this.api.handle(request, path.substring(API.length()));
			return (answer.status() == 200) ? answer.with(ASSETS_HEADER, this.files.prefix()) : answer;
		}
		ConsoleResponse entered = this.tokens.enter(request);
		if (entered != null) {
			return entered;
		}
		ConsoleCaller caller = this.rules.caller(request.origin());
		if (!caller.may(ConsoleRight.LOOK, null)) {
			return denied(request);
		}
		if (!request.method().equals("GET") && !request.method().equals("HEAD")) {
			return text(405, "Method Not Allowed").with("Allow", "GET, HEAD");
		}
		if (path.startsWith(ASSETS)) {
			return this.files.answer(path.substring(ASSETS.length()), request.header().apply("Accept-Encoding"));
		}
		return path.contains(".") ? text(404, "No such file") : this.index.answer(request, caller);
	}

	private ConsoleResponse stream(ConsoleRequest request) {
		try {
			ConsoleCaller caller = this.rules.caller(request.origin());
			String queue = new ConsoleCall(request.parameters(), caller).text("q");
			this.rules.requireLook(request.origin(), caller, queue);
			if (this.rules.rights().areByQueue()) {
				// All streams get the same events, of all queues
				throw new ConsoleException(503, "streams", "Who sees what differs by queue: ask again instead");
			}
			return ConsoleResponse.of(this.streams.open(queue));
		}
		catch (RuntimeException ex) {
			return this.api.problem(ex);
		}
	}

	private ConsoleResponse refused(ConsoleRequest request, ConsoleException error) {
		Problem problem = Problem.of(error, logger);
		return request.path().startsWith(API) ? this.api.problem(problem) : text(problem.status(), problem.detail());
	}

	private ConsoleResponse denied(ConsoleRequest request) {
		int status = this.rules.refusalStatus(request.origin());
		String text = this.rules.rights().refusal(request.origin());
		if (request.path().startsWith(ASSETS)) {
			return text(status, text);
		}
		return (this.rules.rights().tokenExchange() != null) ? this.tokens.ask(status, text)
				: text(status, text).asPageDenied();
	}

	static ConsoleResponse text(int status, String text) {
		return ConsoleResponse.of(status, "text/plain;charset=UTF-8", text.getBytes(StandardCharsets.UTF_8));
	}

}
