package io.asynq.cli.task;

import java.util.concurrent.Callable;

import io.asynq.cli.command.Invocation;
import io.asynq.operations.TaskAction;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/**
 * Archives one task.
 */
@Command(name = "archive", description = "Archive a task with the given id.",
		footer = "  asynq task archive -q default -i 1b4e28ba")
public final class TaskArchiveCommand implements Callable<Integer> {

	private final Invocation invocation;

	@Mixin
	private final OneTask task = new OneTask();

	public TaskArchiveCommand(Invocation invocation) {
		this.invocation = invocation;
	}

	@Override
	public Integer call() {
		return new OneChange(this.invocation, this.task).act(TaskAction.ARCHIVE, "archive", "archived",
				"task archived");
	}

}
