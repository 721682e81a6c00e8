package io.asynq.console.http;

import java.util.Map;
import java.util.Objects;

import io.asynq.console.AsynqConsoleProperties.Access;
import io.asynq.console.ConsoleRight;
import io.asynq.console.http.ConsoleRoutes.Route;
import io.asynq.internal.text.OneLineLogger;
import io.asynq.operations.Problem;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import tools.jackson.core.JacksonException;
import tools.jackson.core.type.TypeReference;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.json.JsonMapper;

record ApiHandler(ConsoleRoutes routes, AccessRules rules, ConsoleAudit audit, boolean reasonRequired) {

	private static final Logger logger = OneLineLogger.of(ConsoleHandler.class);

	private static final TypeReference<Map<String, Object>> OBJECT = new TypeReference<>() {
	};

	/**
	 * Not the application's, which may write otherwise; numbers keep all their digits.
	 */
	private static final JsonMapper JSON = JsonMapper.builder()
		.enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS)
		.build();

	ConsoleResponse handle(ConsoleRequest request, String name) {
		String method = request.method().equals("HEAD") ? "GET" : request.method();
		Route route = this.routes.find(method, name);
		if (route == null || !(method.equals("GET") || method.equals("POST"))) {
			return problem(this.routes.isKnown(name) ? Problem.of(405, "method", "Use the other method for " + name)
					: Problem.of(404, "not-found", "There is no '" + name + "' in the API of the console"));
		}
		return route.changes() ? change(request, route) : answer(request, route);
	}

	byte[] write(Object value) {
		return JSON.writeValueAsBytes(value);
	}

	ConsoleResponse problem(RuntimeException error) {
		return problem(Problem.of(error, logger));
	}

	ConsoleResponse problem(Problem problem) {
		return ConsoleResponse.of(problem.status(), Problem.MEDIA_TYPE, write(problem));
	}

	private ConsoleResponse answer(ConsoleRequest request, Route route) {
		try {
			if (request.method().equals("POST")) {
				SiteRules.requireOwnPage(request);
			}
			ConsoleCall call = call(request);
			requireRight(request, call, ConsoleRight.LOOK);
			return response(200, route.handler().apply(call));
		}
		catch (RuntimeException ex) {
			return problem(ex);
		}
	}

	private ConsoleResponse change(ConsoleRequest request, Route route) {
		ConsoleCall call = new ConsoleCall(Map.of(), this.rules.caller(request.origin()));
		ConsoleChange done;
		try {
			SiteRules.requireOwnPage(request);
			call = call(request);
			requireAccess();
			requireRight(request, call, route.right());
			requireReason(call);
			done = (ConsoleChange) Objects.requireNonNull(route.handler().apply(call));
		}
		catch (RuntimeException ex) {
			Problem problem = Problem.of(ex, logger);
			this.audit.refused(route.name(), call, problem);
			return problem(problem);
		}
		this.audit.done(route.name(), call, done);
		return response(done.status(), done.answer());
	}

	private ConsoleResponse response(int status, @Nullable Object answer) {
		if (answer instanceof ConsoleFile file) {
			return ConsoleResponse.of(status, file.mediaType(), file.content())
				.with("Content-Disposition", file.disposition());
		}
		return ConsoleResponse.of(status, "application/json", write(Objects.requireNonNull(answer)));
	}

	private ConsoleCall call(ConsoleRequest request) {
		ConsoleCaller caller = this.rules.caller(request.origin());
		if (!request.method().equals("POST")) {
			return new ConsoleCall(request.parameters(), caller);
		}
		try {
			Map<String, Object> fields = JSON.readValue(request.body(), OBJECT);
			return new ConsoleCall((fields != null) ? fields : Map.of(), caller);
		}
		catch (JacksonException ex) {
			throw new ConsoleException(400, "parameter", "The body must be a JSON object");
		}
	}

	private void requireAccess() {
		if (this.rules.access() != Access.UNRESTRICTED) {
			throw new ConsoleException(403, "read-only",
					"The console only looks: set asynq.console.access=unrestricted to change things");
		}
	}

	private void requireRight(ConsoleRequest request, ConsoleCall call, ConsoleRight right) {
		String queue = call.text("q");
		this.rules.requireLook(request.origin(), call.caller(), queue);
		call.require(right, queue);
	}

	private void requireReason(ConsoleCall call) {
		String reason = call.text("reason");
		if (this.reasonRequired && (reason == null || reason.isBlank())) {
			throw new ConsoleException(400, "reason", "Say in 'reason' why: asynq.console.require-reason is true");
		}
	}

}
