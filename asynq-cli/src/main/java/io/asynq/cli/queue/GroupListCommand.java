package io.asynq.cli.queue;

import java.util.List;
import java.util.concurrent.Callable;

import io.asynq.cli.command.Candidates;
import io.asynq.cli.command.Invocation;
import io.asynq.cli.output.Cell;
import io.asynq.inspect.GroupInfo;
import io.asynq.internal.text.GoText;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/**
 * Lists groups of a queue.
 */
@Command(name = "list", aliases = "ls", description = "List groups.", footer = "  asynq group ls -q reports")
public final class GroupListCommand implements Callable<Integer> {

	private final Invocation invocation;

	@Option(names = { "-q", "--queue" }, required = true, paramLabel = "<queue>",
			completionCandidates = Candidates.Queues.class, description = "Queue to inspect.")
	private String queue = "";

	public GroupListCommand(Invocation invocation) {
		this.invocation = invocation;
	}

	@Override
	public Integer call() {
		return this.invocation.run((session) -> {
			List<GroupInfo> groups = session.inspector().groups(this.queue);
			this.invocation.output().printAll(groups, (out) -> {
				if (groups.isEmpty()) {
					out.println("No groups found in queue " + GoText.quote(this.queue));
				}
				groups.forEach((group) -> out.println(Cell.text(group.name())));
			});
		});
	}

}
