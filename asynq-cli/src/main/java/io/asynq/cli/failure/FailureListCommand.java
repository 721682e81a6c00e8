package io.asynq.cli.failure;

import java.io.PrintWriter;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;

import io.asynq.cli.command.Candidates;
import io.asynq.cli.command.Invocation;
import io.asynq.cli.failure.Failures.Group;
import io.asynq.cli.output.Cell;
import io.asynq.cli.output.Table;
import io.asynq.operations.survey.FailureGroups;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/**
 * Lists why tasks have failed.
 */
@Command(name = "list", aliases = "ls",
		description = "List why tasks in retry and in archives have failed, the most frequent reason first.",
		footer = { "  asynq failures ls", "  asynq failures ls --queue mail --type 'mail:*' -o json" })
public final class FailureListCommand implements Callable<Integer> {

	private final Invocation invocation;

	@Option(names = { "-q", "--queue" }, paramLabel = "<queue>", completionCandidates = Candidates.Queues.class,
			description = "Only failures in this queue.")
	private @Nullable String queue;

	@Option(names = "--type", paramLabel = "<type>",
			description = "Only failures of this type; with a star at its end, of types that begin so.")
	private @Nullable String type;

	public FailureListCommand(Invocation invocation) {
		this.invocation = invocation;
	}

	@Override
	public Integer call() {
		return this.invocation.run((session) -> {
			List<Group> groups = new Failures(this.invocation, session, this.queue, FailureGroups.STATES).groups()
				.stream()
				.filter(this::isWanted)
				.toList();
			this.invocation.output().printAll(groups, (out) -> print(groups, out));
		});
	}

	private boolean isWanted(Group group) {
		return this.type == null
				|| (this.type.endsWith("*") ? group.type().startsWith(this.type.substring(0, this.type.length() - 1))
						: group.type().equals(this.type));
	}

	private void print(List<Group> groups, PrintWriter out) {
		if (groups.isEmpty()) {
			out.println("No failures");
			return;
		}
		Table table = new Table("Failures", "Type", "Error", "Queues", "Last Failure", "Key");
		groups.forEach((group) -> table.row(group.count(), Cell.text(group.type()), Cell.text(group.signature()),
				queues(group.queues()), this.invocation.times().ago(group.lastFailure()), group.key()));
		table.print(out, this.invocation.columns());
	}

	private static String queues(Map<String, Long> queues) {
		return queues.entrySet()
			.stream()
			.map((queue) -> Cell.text(queue.getKey()) + ":" + queue.getValue())
			.collect(Collectors.joining(" "));
	}

}
