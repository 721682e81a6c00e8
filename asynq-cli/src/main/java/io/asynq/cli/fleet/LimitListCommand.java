package io.asynq.cli.fleet;

import java.util.List;
import java.util.concurrent.Callable;

import io.asynq.cli.command.Invocation;
import io.asynq.cli.output.LimitTable;
import io.asynq.inspect.LimitInfo;
import picocli.CommandLine.Command;

/**
 * Lists limits, and how many tasks hold their tokens and wait for some.
 */
@Command(name = "list", aliases = "ls", description = "List limits, tasks that hold their tokens, and tasks that wait.",
		footer = "  asynq limit ls")
public final class LimitListCommand implements Callable<Integer> {

	private final Invocation invocation;

	public LimitListCommand(Invocation invocation) {
		this.invocation = invocation;
	}

	@Override
	public Integer call() {
		return this.invocation.run((session) -> {
			List<LimitInfo> limits = session.inspector().limits();
			this.invocation.output().printAll(limits, (out) -> {
				if (limits.isEmpty()) {
					out.println("No server has announced a limit");
					return;
				}
				LimitTable.print(limits, out);
			});
		});
	}

}
