package io.asynq.cli.bulk;

import java.util.concurrent.Callable;

import io.asynq.TaskState;
import io.asynq.cli.command.Invocation;
import io.asynq.operations.TaskAction;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/**
 * Run all tasks in the given state.
 */
@Command(name = "runall", description = "Run all tasks in the given state.",
		footer = "  asynq task runall -q default -s archived --error timeout")
public final class TaskRunAllCommand implements Callable<Integer> {

	private final Invocation invocation;

	@Mixin
	private final BulkFlags flags = new BulkFlags();

	@Option(names = "--fresh", description = "Give the tasks all their retries again.")
	private boolean fresh;

	public TaskRunAllCommand(Invocation invocation) {
		this.invocation = invocation;
	}

	@Override
	public Integer call() {
		return new BulkChange(this.invocation, this.flags, this.fresh ? TaskAction.RUN_FRESH : TaskAction.RUN,
				TaskState.SCHEDULED, TaskState.RETRY, TaskState.ARCHIVED, TaskState.AGGREGATING)
			.act("Run", "tasks are now pending");
	}

}
