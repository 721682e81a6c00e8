package io.asynq.spring.boot.autoconfigure.endpoint;

import java.security.Principal;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

import io.asynq.TaskInfo;
import io.asynq.lifecycle.UserCode;
import io.asynq.logging.OneLineLogger;
import org.slf4j.Logger;

import org.springframework.boot.actuate.audit.AuditEvent;
import org.springframework.boot.actuate.audit.listener.AuditApplicationEvent;
import org.springframework.boot.actuate.endpoint.SecurityContext;
import org.springframework.context.ApplicationEventPublisher;

/**
 * Tells who has changed what, and how much: one line in the log and one audit event for
 * each write, refused ones included. Payloads are left out.
 */
final class WriteAudit {

	private static final Logger logger = OneLineLogger.of(AsynqEndpoint.class);

	private static final String NOBODY = "anonymous";

	private static final List<String> TOLD = List.of("queue", "state", "group", "id", "ids", "type", "error",
			"failedBefore", "failedWithin", "freshRetries", "kinds", "mode");

	private final ApplicationEventPublisher events;

	WriteAudit(ApplicationEventPublisher events) {
		this.events = events;
	}

	void done(SecurityContext who, String what, Parameters call, Writes.Done done) {
		Map<String, Object> data = data(call);
		TaskInfo task = done.enqueued();
		if (task != null) {
			data.put("queue", task.queue());
			data.put("taskId", task.id());
		}
		data.put("count", done.count());
		logger.info("{} by {}: {}", what, name(who), data);
		publish(who, what, data);
	}

	void refused(SecurityContext who, String what, Parameters call, Problem problem) {
		Map<String, Object> data = data(call);
		data.put("count", 0L);
		data.put("status", problem.status());
		logger.info("{} by {} was refused: {}", what, name(who), data);
		publish(who, what, data);
	}

	private void publish(SecurityContext who, String what, Map<String, Object> data) {
		String type = "ASYNQ_" + what.toUpperCase(Locale.ROOT).replaceAll("[^A-Z]", "_");
		// The change is made, whatever listeners do
		UserCode.run(() -> this.events.publishEvent(new AuditApplicationEvent(new AuditEvent(name(who), type, data))),
				(shown) -> logger.warn("A listener of audit events failed", shown));
	}

	private static Map<String, Object> data(Parameters call) {
		Map<String, Object> data = new LinkedHashMap<>();
		for (String name : TOLD) {
			String value = call.get(name);
			if (value != null) {
				data.put(name, value);
			}
		}
		return data;
	}

	private static String name(SecurityContext who) {
		Principal principal = who.getPrincipal();
		return (principal != null && principal.getName() != null) ? principal.getName() : NOBODY;
	}

}
