package io.asynq.cli.bulk;

import java.util.concurrent.Callable;

import io.asynq.TaskState;
import io.asynq.cli.command.Invocation;
import io.asynq.operations.TaskAction;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/**
 * Archive all tasks in the given state.
 */
@Command(name = "archiveall", description = "Archive all tasks in the given state.",
		footer = "  asynq task archiveall -q default -s retry --older 7d")
public final class TaskArchiveAllCommand implements Callable<Integer> {

	private final Invocation invocation;

	@Mixin
	private final BulkFlags flags = new BulkFlags();

	public TaskArchiveAllCommand(Invocation invocation) {
		this.invocation = invocation;
	}

	@Override
	public Integer call() {
		return new BulkChange(this.invocation, this.flags, TaskAction.ARCHIVE, TaskState.PENDING, TaskState.AGGREGATING,
				TaskState.SCHEDULED, TaskState.RETRY)
			.act("Archive", "tasks archived");
	}

}
