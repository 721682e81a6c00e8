package io.asynq.spring.boot.autoconfigure.endpoint;

import java.util.function.Supplier;

import io.asynq.internal.text.OneLineLogger;
import io.asynq.operations.Problem;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.springframework.boot.actuate.endpoint.Access;
import org.springframework.boot.actuate.endpoint.SecurityContext;
import org.springframework.boot.actuate.endpoint.annotation.DeleteOperation;
import org.springframework.boot.actuate.endpoint.annotation.ReadOperation;
import org.springframework.boot.actuate.endpoint.annotation.Selector;
import org.springframework.boot.actuate.endpoint.annotation.Selector.Match;
import org.springframework.boot.actuate.endpoint.annotation.WriteOperation;
import org.springframework.boot.actuate.endpoint.web.WebEndpointResponse;
import org.springframework.boot.actuate.endpoint.web.annotation.WebEndpoint;
import org.springframework.util.MimeType;

/**
 * Names and ids are parameters and never parts of a path, because they may contain any
 * character; not available over JMX.
 */
@WebEndpoint(id = "asynq", defaultAccess = Access.READ_ONLY)
final class AsynqEndpoint {

	private static final Logger logger = OneLineLogger.of(AsynqEndpoint.class);

	private static final MimeType PROBLEM = MimeType.valueOf(Problem.MEDIA_TYPE);

	private final Reads reads;

	private final Writes writes;

	private final WriteAudit audit;

	private final AsynqEndpointProperties properties;

	AsynqEndpoint(Reads reads, Writes writes, WriteAudit audit, AsynqEndpointProperties properties) {
		this.reads = reads;
		this.writes = writes;
		this.audit = audit;
		this.properties = properties;
	}

	@ReadOperation
	WebEndpointResponse<Object> overview(@Nullable String cursor) {
		return answer(() -> this.reads.overview(new Parameters("cursor", cursor)));
	}

	@ReadOperation
	WebEndpointResponse<Object> read(SecurityContext who, @Selector(match = Match.ALL_REMAINING) String[] path,
			@Nullable String queue, @Nullable String id, @Nullable String state, @Nullable String group,
			@Nullable String cursor, @Nullable String size, @Nullable String days, @Nullable String limit,
			@Nullable String type, @Nullable String error, @Nullable String failedBefore,
			@Nullable String failedWithin) {
		Parameters call = new Parameters("queue", queue, "id", id, "state", state, "group", group, "cursor", cursor,
				"size", size, "days", days, "limit", limit, "type", type, "error", error, "failedBefore", failedBefore,
				"failedWithin", failedWithin);
		return answer(() -> this.reads.read(String.join("/", path), call, isShown(who)));
	}

	@WriteOperation
	WebEndpointResponse<Object> write(SecurityContext who, @Selector(match = Match.ALL_REMAINING) String[] path,
			@Nullable String queue, @Nullable String id, @Nullable String ids, @Nullable String state,
			@Nullable String group, @Nullable String expectedCount, @Nullable String type, @Nullable String payload,
			@Nullable String encoding, @Nullable String options, @Nullable String kinds, @Nullable String apply,
			@Nullable String cursor, @Nullable String limit, @Nullable String error, @Nullable String failedBefore,
			@Nullable String failedWithin, @Nullable String freshRetries, @Nullable String mode) {
		Parameters call = new Parameters("queue", queue, "id", id, "ids", ids, "state", state, "group", group,
				"expectedCount", expectedCount, "type", type, "payload", payload, "encoding", encoding, "options",
				options, "kinds", kinds, "apply", apply, "mode", mode, "cursor", cursor, "limit", limit, "error", error,
				"failedBefore", failedBefore, "failedWithin", failedWithin, "freshRetries", freshRetries);
		String what = String.join("/", path);
		return change(who, what, call, () -> this.writes.write(what, call, isShown(who)));
	}

	@DeleteOperation
	WebEndpointResponse<Object> delete(SecurityContext who, @Selector(match = Match.ALL_REMAINING) String[] path,
			@Nullable String queue, @Nullable String force, @Nullable String expectedCount) {
		Parameters call = new Parameters("queue", queue, "force", force, "expectedCount", expectedCount);
		String what = String.join("/", path);
		return change(who, "delete " + what, call, () -> this.writes.delete(what, call));
	}

	private boolean isShown(SecurityContext who) {
		return this.properties.showValues().isShown(who, this.properties.roles());
	}

	private static WebEndpointResponse<Object> answer(Supplier<Object> question) {
		try {
			return new WebEndpointResponse<>(question.get());
		}
		catch (RuntimeException ex) {
			return response(Problem.of(ex, logger));
		}
	}

	private static WebEndpointResponse<Object> response(Problem problem) {
		return new WebEndpointResponse<>(problem, problem.status(), PROBLEM);
	}

	private WebEndpointResponse<Object> change(SecurityContext who, String what, Parameters call,
			Supplier<Writes.Done> change) {
		Writes.Done done;
		try {
			done = change.get();
		}
		catch (RuntimeException ex) {
			Problem problem = Problem.of(ex, logger);
			this.audit.refused(who, what, call, problem);
			return response(problem);
		}
		this.audit.done(who, what, call, done);
		return new WebEndpointResponse<>(done.answer());
	}

}
