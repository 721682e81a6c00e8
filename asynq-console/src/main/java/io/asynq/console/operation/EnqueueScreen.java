package io.asynq.console.operation;

import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.stream.Stream;

import io.asynq.AsynqException;
import io.asynq.Task;
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
import io.asynq.operate.SchedulerOperations;
import io.asynq.operate.TaskOperations;
import org.jspecify.annotations.Nullable;

/**
 * New tasks, and new payloads of tasks that wait.
 */
public final class EnqueueScreen implements ConsoleScreen {

	private final TaskOperations tasks;

	private final SchedulerOperations schedulers;

	public EnqueueScreen(TaskOperations tasks, SchedulerOperations schedulers) {
		this.tasks = tasks;
		this.schedulers = schedulers;
	}

	@Override
	public void register(ConsoleRoutes routes) {
		routes.post("task/enqueue", ConsoleRight.ACT, this::enqueue);
		routes.post("task/update-payload", ConsoleRight.ACT, this::updatePayload);
		routes.post("scheduler/run", ConsoleRight.ACT, this::runPeriodic);
	}

	private ConsoleChange enqueue(ConsoleCall call) {
		TaskOptions options = options(call);
		String queue = options.queue();
		call.require(ConsoleRight.ACT, (queue != null) ? queue : TaskOptions.DEFAULT_QUEUE);
		Task task = Task.of(call.required("type"), payload(call)).withHeaders(headers(call));
		return enqueued(this.tasks.enqueue(task, options));
	}

	private ConsoleChange updatePayload(ConsoleCall call) {
		String queue = call.queue();
		// Who saw it only in part would write back less than there was
		call.require(ConsoleRight.SEE_PAYLOADS, queue);
		this.tasks.updatePayload(queue, call.required("id"), payload(call));
		return ConsoleChange.done(Map.of("done", 1), 1);
	}

	private ConsoleChange runPeriodic(ConsoleCall call) {
		String id = call.required("id");
		this.schedulers.entries()
			.stream()
			.filter((entry) -> entry.id().equals(id))
			.map((entry) -> entry.options().queue())
			.forEach((queue) -> call.require(ConsoleRight.ACT, (queue != null) ? queue : TaskOptions.DEFAULT_QUEUE));
		return enqueued(this.schedulers.runNow(id));
	}

	private static ConsoleChange enqueued(@Nullable TaskInfo task) {
		Map<String, @Nullable Object> answer = new LinkedHashMap<>();
		answer.put("task", (task != null) ? Confidential.hide(task) : null);
		return ConsoleChange.done(answer, (task != null) ? 1 : 0);
	}

	private static Map<String, @Nullable String> headers(ConsoleCall call) {
		return new LinkedHashMap<>(call.fields("headers"));
	}

	private static byte[] payload(ConsoleCall call) {
		String payload = call.text("payload");
		if (payload == null) {
			return new byte[0];
		}
		if (!"base64".equals(call.text("encoding"))) {
			return payload.getBytes(StandardCharsets.UTF_8);
		}
		try {
			return Base64.getDecoder().decode(payload);
		}
		catch (IllegalArgumentException ex) {
			// It is not quoted
			throw new ConsoleException(400, "parameter", "Parameter 'payload' must be Base64");
		}
	}

	private static TaskOptions options(ConsoleCall call) {
		TaskOptions.Builder options = TaskOptions.builder();
		Map<String, String> fields = new LinkedHashMap<>(call.fields("options"));
		String queue = call.text("q");
		if (queue != null) {
			fields.put(TaskOption.QUEUE.key(), queue);
		}
		fields.forEach((name, text) -> {
			if (!text.isEmpty()) {
				set(options, option(name), text);
			}
		});
		return options.build();
	}

	private static TaskOption option(String name) {
		return Stream.of(TaskOption.values())
			.filter((option) -> option.key().equals(name))
			.findFirst()
			.orElseThrow(() -> new AsynqException("Parameter 'options' may have "
					+ Stream.of(TaskOption.values()).map(TaskOption::key).toList() + ", but has '" + name + "'"));
	}

	private static void set(TaskOptions.Builder options, TaskOption option, String text) {
		try {
			option.set(options, option.parse(text));
		}
		catch (IllegalArgumentException ex) {
			throw new AsynqException("Option '" + option.key() + "' " + ex.getMessage() + ", but is '" + text + "'");
		}
	}

}
