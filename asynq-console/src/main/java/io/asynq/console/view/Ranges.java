package io.asynq.console.view;

import java.util.Collection;

import io.asynq.TaskState;
import io.asynq.console.http.ConsoleCall;
import io.asynq.console.http.ConsoleException;
import io.asynq.operate.filter.TaskFilter;
import io.asynq.operate.filter.TaskFilterException;
import io.asynq.operate.survey.TaskRange;

public final class Ranges {

	private Ranges() {
	}

	static TaskRange of(ConsoleCall call) {
		return new TaskRange(call.queue(), state(call, call.required("state")), call.text("group"));
	}

	public static TaskState state(ConsoleCall call, String name) {
		return TaskState.stored()
			.stream()
			.filter((state) -> state.wireName().equals(name))
			.findFirst()
			.orElseThrow(() -> call.invalid("state",
					"one of " + TaskState.stored().stream().map(TaskState::wireName).toList()));
	}

	public static TaskFilter filter(ConsoleCall call, Viewer viewer, Collection<String> queues) {
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
