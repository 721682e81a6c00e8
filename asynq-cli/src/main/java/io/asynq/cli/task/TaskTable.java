package io.asynq.cli.task;

import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;

import io.asynq.TaskInfo;
import io.asynq.TaskState;
import io.asynq.cli.command.Invocation;
import io.asynq.cli.output.Cell;
import io.asynq.cli.output.GoTimes;
import io.asynq.cli.output.Table;
import io.asynq.internal.text.GoText;

/**
 * The table of tasks of one state.
 */
final class TaskTable {

	private final TaskState state;

	private final Invocation invocation;

	private final GoTimes times;

	TaskTable(TaskState state, Invocation invocation) {
		this.state = state;
		this.invocation = invocation;
		this.times = invocation.times();
	}

	void print(List<TaskInfo> tasks, String queue, String group, PrintWriter out) {
		if (tasks.isEmpty()) {
			// A script may expect Go's blank
			out.println(
					(this.state == TaskState.AGGREGATING) ? "No aggregating tasks in group " + GoText.quote(group) + " "
							: "No " + this.state.wireName() + " tasks in " + GoText.quote(queue) + " queue");
			return;
		}
		List<String> titles = new ArrayList<>(List.of("ID", "Type", "Payload"));
		titles.addAll(more());
		Table table = new Table(titles.toArray(String[]::new));
		for (TaskInfo task : tasks) {
			List<Object> cells = new ArrayList<>(
					List.of(Cell.text(task.id()), Cell.text(task.type()), this.invocation.bytes(task.payload())));
			cells.addAll(more(task));
			table.row(cells.toArray());
		}
		table.print(out, this.invocation.columns());
	}

	private List<String> more() {
		return switch (this.state) {
			case SCHEDULED -> List.of("Process In");
			case RETRY -> List.of("Next Retry", "Last Error", "Last Failed", "Retried", "Max Retry");
			case ARCHIVED -> List.of("Last Failed", "Last Error");
			case COMPLETED -> List.of("CompletedAt", "Result");
			case AGGREGATING -> List.of("Group");
			default -> List.of();
		};
	}

	private List<Object> more(TaskInfo task) {
		return switch (this.state) {
			case SCHEDULED -> List.of(this.times.until(task.nextProcessAt()));
			case RETRY -> List.of(task.waitsFor().isEmpty() ? this.times.until(task.nextProcessAt()) : "-", error(task),
					this.times.date(task.lastFailedAt()), task.retried(), task.maxRetry());
			case ARCHIVED -> List.of(this.times.date(task.lastFailedAt()), Cell.text(task.lastError()));
			case COMPLETED -> List.of(this.times.date(task.completedAt()), this.invocation.bytes(task.result()));
			case AGGREGATING -> List.of(Cell.text(task.group()));
			default -> List.of();
		};
	}

	/** A task that waits for a limit is in retry although it has not failed. */
	private static String error(TaskInfo task) {
		return task.waitsFor().isEmpty() ? Cell.text(task.lastError())
				: "waits for limit " + Cell.text(String.join(", ", task.waitsFor()));
	}

}
