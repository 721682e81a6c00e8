package io.asynq.spring.boot.autoconfigure.endpoint;

import java.security.Principal;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

import io.asynq.TaskInfo;
import io.asynq.internal.text.OneLineLogger;
import io.asynq.operations.ChangeAudit;
import io.asynq.operations.Problem;
import org.springframework.boot.actuate.audit.AuditEvent;
import org.springframework.boot.actuate.audit.listener.AuditApplicationEvent;
import org.springframework.boot.actuate.endpoint.SecurityContext;
import org.springframework.context.ApplicationEventPublisher;

/**
 * Payloads are left out of audit events.
 */
final class WriteAudit {

	private static final String NOBODY = "anonymous";

	private static final List<String> TOLD = List.of("queue", "state", "group", "id", "ids", "type", "error",
			"failedBefore", "failedWithin", "freshRetries", "kinds", "mode");

	private final ChangeAudit audit;

	WriteAudit(ApplicationEventPublisher events) {
		this.audit = new ChangeAudit(OneLineLogger.of(AsynqEndpoint.class),
				(who, type, data) -> events.publishEvent(new AuditApplicationEvent(new AuditEvent(who, type, data))));
	}

	void done(SecurityContext who, String what, Parameters call, Writes.Done done) {
		Map<String, Object> data = data(call);
		TaskInfo task = done.enqueued();
		if (task != null) {
			data.put("queue", task.queue());
			data.put("taskId", task.id());
		}
		this.audit.done(name(who), what, data, done.count());
	}

	void refused(SecurityContext who, String what, Parameters call, Problem problem) {
		this.audit.refused(name(who), what, data(call), problem);
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
