package io.asynq.console.view;

import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.Map;
import java.util.stream.Stream;

import io.asynq.TaskInfo;
import io.asynq.TaskOption;
import io.asynq.TaskOptions;
import io.asynq.console.ConsoleRight;
import io.asynq.console.http.ConsoleCall;
import io.asynq.console.http.ConsoleChange;
import io.asynq.console.http.ConsoleException;
import io.asynq.console.http.ConsoleRoutes;
import io.asynq.console.http.ConsoleScreen;
import io.asynq.operate.Confidential;
import io.asynq.operate.TaskOperations;
import org.jspecify.annotations.Nullable;

public final class WriteScreen implements ConsoleScreen {

	private final TaskOperations tasks;

	public WriteScreen(TaskOperations tasks) {
		this.tasks = tasks;
	}

	@Override
	public void register(ConsoleRoutes routes) {
		routes.post("task/enqueue", ConsoleRight.ACT, this::enqueue);
		routes.post("task/update-payload", ConsoleRight.ACT, this::updatePayload);
	}

	private ConsoleChange enqueue(ConsoleCall call) {
		TaskInfo task = this.tasks.enqueue(call.required("type"), payload(call), options(call));
		return ConsoleChange.done(new Enqueued(Confidential.hide(task)), 1);
	}

	private ConsoleChange updatePayload(ConsoleCall call) {
		if (!call.showsPayloads(call.queue())) {
			throw new ConsoleException(403, "forbidden",
					"You may not see this payload, so you cannot replace it either");
		}
		byte[] payload = payload(call);
		String id = call.required("id");
		this.tasks.updatePayload(call.queue(), id, (payload != null) ? payload : new byte[0]);
		return ConsoleChange.done(Map.of("done", 1, "id", id), 1);
	}

	private static byte @Nullable [] payload(ConsoleCall call) {
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

	record Enqueued(TaskInfo task) {
	}

}
