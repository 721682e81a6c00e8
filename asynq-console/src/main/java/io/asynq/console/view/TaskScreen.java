package io.asynq.console.view;

import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

import io.asynq.TaskInfo;
import io.asynq.TaskOption;
import io.asynq.TaskOptions;
import io.asynq.TaskState;
import io.asynq.console.ConsoleRight;
import io.asynq.console.PayloadContent;
import io.asynq.console.http.ConsoleCall;
import io.asynq.console.http.ConsoleCaller;
import io.asynq.console.http.ConsoleChange;
import io.asynq.console.http.ConsoleException;
import io.asynq.console.http.ConsoleFile;
import io.asynq.console.http.ConsoleRoutes;
import io.asynq.console.http.ConsoleScreen;
import io.asynq.inspect.AsynqInspector;
import io.asynq.internal.broker.RedisBroker;
import io.asynq.operations.Confidential;
import io.asynq.operations.TaskOperations;
import io.asynq.operations.survey.TaskSurvey;
import org.jspecify.annotations.Nullable;

final class TaskScreen implements ConsoleScreen {

	private final AsynqInspector inspector;

	private final TaskOperations operations;

	private final TaskSurvey survey;

	private final Payloads payloads;

	private final Clock clock;

	TaskScreen(AsynqInspector inspector, TaskOperations operations, RedisBroker broker, Payloads payloads,
			Clock clock) {
		this.inspector = inspector;
		this.operations = operations;
		this.survey = new TaskSurvey(broker);
		this.payloads = payloads;
		this.clock = clock;
	}

	@Override
	public void register(ConsoleRoutes routes) {
		routes.get("task", this::task);
		routes.get("payload", this::payload);
		routes.post("task/enqueue", ConsoleRight.ACT, this::enqueue);
		routes.post("task/update-payload", ConsoleRight.ACT, this::updatePayload);
	}

	private Details task(ConsoleCall call) {
		ConsoleCaller viewer = call.caller();
		TaskInfo task = this.inspector.taskInfo(call.queue(), call.required("id"));
		TaskSurvey.Standing standing = this.survey.standing(task);
		Instant leaseEnds = standing.leaseEnds();
		String lock = standing.lock();
		return new Details(this.clock.instant(), Confidential.hide(task),
				this.payloads.show(task, PayloadContent.Part.PAYLOAD, viewer),
				this.payloads.show(task, PayloadContent.Part.RESULT, viewer),
				Payloads.headers(task, viewer.showsPayloads(task.queue())),
				(lock != null) ? new Lock(lock, standing.lockEndsIn()) : null,
				(leaseEnds != null) ? new Lease(leaseEnds, standing.leased()) : null, (task.state() == TaskState.ACTIVE)
						? Worker.byTask(this.inspector).get(List.of(task.queue(), task.id())) : null,
				Map.of("cli", command(task)), actions(task.state()));
	}

	private ConsoleFile payload(ConsoleCall call) {
		String queue = call.queue();
		if (!call.caller().showsPayloads(queue)) {
			throw new ConsoleException(403, "forbidden", "You may not see payloads and results");
		}
		PayloadContent.Part part = part(call);
		TaskInfo task = this.inspector.taskInfo(queue, call.required("id"));
		byte[] there = (part == PayloadContent.Part.PAYLOAD) ? task.payload() : task.result();
		byte[] bytes = this.payloads.clean(task, part);
		if (there != null && bytes == null) {
			throw new ConsoleException(403, "forbidden",
					"It is not shown, because a TaskPayloadSanitizer has failed; the log says why");
		}
		return new ConsoleFile(task.id() + ((part == PayloadContent.Part.RESULT) ? "-result" : "") + ".bin",
				"application/octet-stream", (bytes != null) ? bytes : new byte[0]);
	}

	private static PayloadContent.Part part(ConsoleCall call) {
		String part = call.text("part");
		if (part == null || part.equals("payload")) {
			return PayloadContent.Part.PAYLOAD;
		}
		if (part.equals("result")) {
			return PayloadContent.Part.RESULT;
		}
		throw call.invalid("part", "payload or result");
	}

	private ConsoleChange enqueue(ConsoleCall call) {
		TaskInfo task = this.operations.enqueue(call.required("type"), given(call), options(call));
		return ConsoleChange.done(Map.of("task", Confidential.hide(task)), 1);
	}

	private ConsoleChange updatePayload(ConsoleCall call) {
		if (!call.caller().showsPayloads(call.queue())) {
			throw new ConsoleException(403, "forbidden",
					"You may not see this payload, so you cannot replace it either");
		}
		byte[] payload = given(call);
		String id = call.required("id");
		this.operations.updatePayload(call.queue(), id, (payload != null) ? payload : new byte[0]);
		return ConsoleChange.done(Map.of("done", 1, "id", id), 1);
	}

	private static byte @Nullable [] given(ConsoleCall call) {
		String payload = call.text("payload");
		String encoding = call.text("encoding");
		if (encoding != null && !encoding.equals("utf8") && !encoding.equals("base64")) {
			throw call.invalid("encoding", "utf8 or base64");
		}
		if (payload == null) {
			return null;
		}
		if (!"base64".equals(encoding)) {
			return payload.getBytes(StandardCharsets.UTF_8);
		}
		try {
			return Base64.getDecoder().decode(payload);
		}
		catch (IllegalArgumentException ex) {
			throw new ConsoleException(400, "parameter", "Parameter 'payload' must be Base64, as 'encoding' says");
		}
	}

	private static TaskOptions options(ConsoleCall call) {
		TaskOptions.Builder options = TaskOptions.builder();
		options.queue(call.queue());
		call.fields("options").forEach((name, value) -> {
			// The right was asked for the queue of the call
			if (!name.equals(TaskOption.QUEUE.key()) && !value.isBlank()) {
				set(options, option(name), value);
			}
		});
		Map<String, String> headers = call.fields("headers");
		if (!headers.isEmpty()) {
			TaskOption.HEADERS.set(options, headers);
		}
		return options.build();
	}

	private static void set(TaskOptions.Builder options, TaskOption option, String value) {
		try {
			option.set(options, option.parse(value));
		}
		catch (IllegalArgumentException ex) {
			throw new ConsoleException(400, "parameter",
					"Option '" + option.key() + "' " + ex.getMessage() + ", but is '" + value + "'");
		}
	}

	private static TaskOption option(String name) {
		return Stream.of(TaskOption.values())
			.filter((option) -> option.key().equals(name))
			.findFirst()
			.orElseThrow(() -> new ConsoleException(400, "parameter", "There is no option '" + name + "'; there are "
					+ Stream.of(TaskOption.values()).map(TaskOption::key).toList()));
	}

	private static String command(TaskInfo task) {
		return "asynq task inspect --queue=" + quote(task.queue()) + " --id=" + quote(task.id());
	}

	/**
	 * Nothing but a quote ends a text in single quotes: whatever names contain stays text
	 * in a shell.
	 */
	private static String quote(String text) {
		return "'" + text.replace("'", "'\\''") + "'";
	}

	private static List<String> actions(TaskState state) {
		List<String> actions = new ArrayList<>(switch (state) {
			case SCHEDULED -> List.of("run", "archive", "delete", "edit-payload");
			case RETRY, COMPLETED, AGGREGATING -> List.of("run", "archive", "delete");
			case PENDING -> List.of("archive", "delete");
			case ARCHIVED -> List.of("run", "delete");
			case ACTIVE -> List.of("cancel");
			case DEFERRED -> List.of();
		});
		actions.add("clone");
		return actions;
	}

	record Details(Instant asOf, TaskInfo task, Payloads.@Nullable Shown payload, Payloads.@Nullable Shown result,
			Map<String, @Nullable String> headers, @Nullable Lock uniqueLock, @Nullable Lease lease,
			@Nullable Worker worker, Map<String, String> commands, List<String> actions) {
	}

	record Lock(String key, @Nullable Duration ttl) {
	}

	record Lease(Instant expiresAt, boolean valid) {
	}

}
