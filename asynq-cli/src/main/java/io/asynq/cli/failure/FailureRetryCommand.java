package io.asynq.cli.failure;

import java.util.concurrent.Callable;

import io.asynq.cli.command.Invocation;
import io.asynq.operations.TaskAction;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/**
 * Runs all tasks of groups again.
 */
@Command(name = "retry", description = "Run all tasks of groups of failures now.",
		footer = { "  asynq failures retry 3f2a --dry-run", "  asynq failures retry 3f2a 9c01 --queue mail --fresh" })
public final class FailureRetryCommand implements Callable<Integer> {

	private final Invocation invocation;

	@Mixin
	private final FailureChange change = new FailureChange();

	@Option(names = "--fresh", description = "Give the tasks all their retries again.")
	private boolean fresh;

	public FailureRetryCommand(Invocation invocation) {
		this.invocation = invocation;
	}

	@Override
	public Integer call() {
		return this.change.act(this.invocation, this.fresh ? TaskAction.RUN_FRESH : TaskAction.RUN, "Run",
				"made pending");
	}

}
