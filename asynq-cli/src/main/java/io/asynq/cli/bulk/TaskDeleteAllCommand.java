package io.asynq.cli.bulk;

import java.util.concurrent.Callable;

import io.asynq.TaskState;
import io.asynq.cli.command.Invocation;
import io.asynq.operations.TaskAction;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/**
 * Delete all tasks in the given state.
 */
@Command(name = "deleteall", description = "Delete all tasks in the given state.",
		footer = "  asynq task deleteall -q default -s archived --type 'mail:*' --yes")
public final class TaskDeleteAllCommand implements Callable<Integer> {

	private final Invocation invocation;

	@Mixin
	private final BulkFlags flags = new BulkFlags();

	public TaskDeleteAllCommand(Invocation invocation) {
		this.invocation = invocation;
	}

	@Override
	public Integer call() {
		return new BulkChange(this.invocation, this.flags, TaskAction.DELETE, TaskState.PENDING, TaskState.AGGREGATING,
				TaskState.SCHEDULED, TaskState.RETRY, TaskState.ARCHIVED, TaskState.COMPLETED)
			.act("Delete", "tasks deleted");
	}

}
