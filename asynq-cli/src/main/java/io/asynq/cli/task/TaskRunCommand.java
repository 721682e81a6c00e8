package io.asynq.cli.task;

import java.util.concurrent.Callable;

import io.asynq.cli.command.Invocation;
import io.asynq.operations.TaskAction;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/**
 * Runs one task.
 */
@Command(name = "run", description = "Run a task with the given id.",
		footer = "  asynq task run -q default -i 1b4e28ba --fresh")
public final class TaskRunCommand implements Callable<Integer> {

	private final Invocation invocation;

	@Mixin
	private final OneTask task = new OneTask();

	@Option(names = "--fresh", description = "Give it all its retries again.")
	private boolean fresh;

	public TaskRunCommand(Invocation invocation) {
		this.invocation = invocation;
	}

	@Override
	public Integer call() {
		return new OneChange(this.invocation, this.task).act(this.fresh ? TaskAction.RUN_FRESH : TaskAction.RUN, "run",
				"pending", "task is now pending");
	}

}
