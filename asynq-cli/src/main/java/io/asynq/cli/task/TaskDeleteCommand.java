package io.asynq.cli.task;

import java.util.concurrent.Callable;

import io.asynq.cli.command.Invocation;
import io.asynq.operations.TaskAction;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/**
 * Deletes one task.
 */
@Command(name = "delete", aliases = { "remove", "rm" }, description = "Delete a task with the given id.",
		footer = "  asynq task delete -q default -i 1b4e28ba")
public final class TaskDeleteCommand implements Callable<Integer> {

	private final Invocation invocation;

	@Mixin
	private final OneTask task = new OneTask();

	public TaskDeleteCommand(Invocation invocation) {
		this.invocation = invocation;
	}

	@Override
	public Integer call() {
		return new OneChange(this.invocation, this.task).act(TaskAction.DELETE, "delete", "deleted", "task deleted");
	}

}
