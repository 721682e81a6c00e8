package io.asynq.cli.queue;

import java.util.List;
import java.util.concurrent.Callable;

import io.asynq.AsynqException;
import io.asynq.BrokerUnavailableException;
import io.asynq.QueueNotEmptyException;
import io.asynq.cli.command.Candidates;
import io.asynq.cli.command.GoErrors;
import io.asynq.cli.command.Invocation;
import io.asynq.cli.connect.Session;
import io.asynq.cli.output.Cell;
import io.asynq.internal.text.GoText;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/**
 * Deletes queues.
 */
@Command(name = "remove", aliases = { "rm", "delete" }, description = "Remove one or more queues.",
		footer = { "  asynq queue rm old", "  asynq queue rm --force old" })
public final class QueueRemoveCommand implements Callable<Integer> {

	private final Invocation invocation;

	@Parameters(arity = "1..*", paramLabel = "<queue>", completionCandidates = Candidates.Queues.class,
			description = "Names of queues.")
	private List<String> queues = List.of();

	@Option(names = { "-f", "--force" }, description = "Remove the queue with its tasks.")
	private boolean force;

	@Option(names = { "-y", "--yes" }, description = "Do not ask.")
	private boolean yes;

	public QueueRemoveCommand(Invocation invocation) {
		this.invocation = invocation;
	}

	@Override
	public Integer call() {
		try (Session session = this.invocation.open()) {
			return this.invocation.each(this.queues, (queue) -> remove(session, queue));
		}
	}

	private @Nullable String remove(Session session, String queue) {
		try {
			if (this.force) {
				ask(session.inspector().queueInfo(queue).size(), queue);
			}
			session.inspector().deleteQueue(queue, this.force);
			this.invocation.output()
				.print(new QueueChange(queue, "removed"),
						(out) -> out.println("Successfully removed queue " + GoText.quote(queue)));
			return null;
		}
		catch (BrokerUnavailableException ex) {
			throw ex;
		}
		catch (QueueNotEmptyException ex) {
			String wayOut = this.force ? "\nWait until the active tasks are done, or cancel them"
					: "\nIf you are sure you want to delete it with its tasks, run 'asynq queue rm --force "
							+ Cell.text(queue) + "'";
			return "error: " + GoErrors.ofQueue(queue, ex) + wayOut;
		}
		catch (AsynqException ex) {
			return "error: " + GoErrors.ofQueue(queue, ex);
		}
	}

	private void ask(long size, String queue) {
		if (size > 0) {
			this.invocation.question(this.yes)
				.ask("Delete queue " + GoText.quote(queue) + " with " + size + ((size == 1) ? " task" : " tasks"));
		}
	}

}
