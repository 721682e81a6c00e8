package io.asynq.cli.fleet;

import java.util.List;
import java.util.concurrent.Callable;

import io.asynq.cli.command.Invocation;
import io.asynq.cli.output.Cell;
import io.asynq.cli.output.Table;
import io.asynq.cli.terminal.UsageException;
import io.asynq.inspect.LimitInfo;
import io.asynq.inspect.LimitKeyInfo;
import io.asynq.internal.text.GoText;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/**
 * Shows the keys of a limit.
 */
@Command(name = "inspect", description = "List keys of a limit, those with most waiting tasks first.",
		footer = "  asynq limit inspect per-customer --size 10")
public final class LimitInspectCommand implements Callable<Integer> {

	private final Invocation invocation;

	@Parameters(paramLabel = "<limit>", description = "Name of the limit.")
	private String limit = "";

	@Option(names = "--size", defaultValue = "30", paramLabel = "<number>",
			description = "How many keys at most (default: ${DEFAULT-VALUE}).")
	private int size;

	public LimitInspectCommand(Invocation invocation) {
		this.invocation = invocation;
	}

	@Override
	public Integer call() {
		if (this.size < 1) {
			throw new UsageException("--size must be at least 1, but is " + this.size);
		}
		return this.invocation.run((session) -> {
			List<LimitKeyInfo> keys = session.inspector().limitKeys(this.limit, this.size);
			if (keys.isEmpty()
					&& session.inspector().limits().stream().map(LimitInfo::name).noneMatch(this.limit::equals)) {
				throw Invocation.failed("limit " + GoText.quote(this.limit) + " does not exist");
			}
			this.invocation.output().printAll(keys, (out) -> {
				if (keys.isEmpty()) {
					out.println("No key of limit " + GoText.quote(this.limit)
							+ " is in use, and no task waits for a free token");
					return;
				}
				Table table = new Table("Key", "Held", "Waiting");
				keys.forEach((key) -> table.row(key.key().isEmpty() ? "-" : Cell.text(key.key()), key.held(),
						key.waiting()));
				table.print(out);
			});
		});
	}

}
