package io.asynq.cli.failure;

import java.util.concurrent.Callable;

import io.asynq.cli.command.Invocation;
import io.asynq.operations.TaskAction;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/**
 * Archives all tasks of groups that wait for a retry.
 */
@Command(name = "archive", description = "Archive all tasks of groups of failures that wait for a retry.",
		footer = { "  asynq failures archive 3f2a --dry-run", "  asynq failures archive 3f2a --yes" })
public final class FailureArchiveCommand implements Callable<Integer> {

	private final Invocation invocation;

	@Mixin
	private final FailureChange change = new FailureChange();

	public FailureArchiveCommand(Invocation invocation) {
		this.invocation = invocation;
	}

	@Override
	public Integer call() {
		return this.change.act(this.invocation, TaskAction.ARCHIVE, "Archive", "archived");
	}

}
