package io.asynq.console.view;

import java.util.Collection;
import java.util.Locale;
import java.util.stream.Stream;

import io.asynq.CancelMode;
import io.asynq.TaskState;
import io.asynq.console.http.ConsoleCall;
import io.asynq.console.http.ConsoleCaller;
import io.asynq.console.http.ConsoleException;
import io.asynq.operations.TaskAction;
import io.asynq.operations.survey.TaskFilter;
import io.asynq.operations.survey.TaskFilterException;
import io.asynq.operations.survey.TaskRange;

final class Ranges {

	private Ranges() {
	}

	static TaskRange of(ConsoleCall call) {
		return new TaskRange(call.queue(), state(call, call.required("state")), call.text("group"));
	}

	static TaskState state(ConsoleCall call, String name) {
		return TaskState.stored()
			.stream()
			.filter((state) -> state.wireName().equals(name))
			.findFirst()
			.orElseThrow(() -> call.invalid("state",
					"one of " + TaskState.stored().stream().map(TaskState::wireName).toList()));
	}

	static TaskAction action(ConsoleCall call, String name) {
		return switch (name) {
			case "run" -> call.flag("freshRetries") ? TaskAction.RUN_FRESH : TaskAction.RUN;
			case "archive" -> TaskAction.ARCHIVE;
			case "delete" -> TaskAction.DELETE;
			case "cancel" -> TaskAction.cancel(mode(call));
			default -> throw call.invalid("action", "run, archive, delete or cancel");
		};
	}

	private static CancelMode mode(ConsoleCall call) {
		String name = call.text("mode");
		return Stream.of(CancelMode.values())
			.filter((mode) -> mode.name().toLowerCase(Locale.ROOT).equals((name != null) ? name : "retry"))
			.findFirst()
			.orElseThrow(() -> call.invalid("mode", "retry, archive or delete"));
	}

	static TaskFilter filter(ConsoleCall call, ConsoleCaller viewer, Collection<String> queues) {
		try {
			TaskFilter filter = TaskFilter.parse(call.text("filter"));
			if (filter.asksPayload() && !queues.stream().allMatch(viewer::showsPayloads)) {
				throw new ConsoleException(403, "forbidden",
						"You may not see payloads and headers, so you cannot search them either");
			}
			return filter;
		}
		catch (TaskFilterException ex) {
			throw new ConsoleException(400, "filter", String.valueOf(ex.getMessage()));
		}
	}

}
