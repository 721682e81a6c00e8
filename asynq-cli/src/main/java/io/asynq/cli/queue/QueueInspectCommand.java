package io.asynq.cli.queue;

import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;

import io.asynq.AsynqException;
import io.asynq.BrokerUnavailableException;
import io.asynq.TaskState;
import io.asynq.cli.command.Candidates;
import io.asynq.cli.command.GoErrors;
import io.asynq.cli.command.Invocation;
import io.asynq.cli.connect.Session;
import io.asynq.cli.output.Cell;
import io.asynq.cli.output.GoTimes;
import io.asynq.cli.output.Heading;
import io.asynq.cli.output.Table;
import io.asynq.inspect.QueueInfo;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/**
 * Shows the numbers of queues.
 */
@Command(name = "inspect", description = "Display detailed information on one or more queues.",
		footer = "  asynq queue inspect critical default")
public final class QueueInspectCommand implements Callable<Integer> {

	private final Invocation invocation;

	@Parameters(arity = "1..*", paramLabel = "<queue>", completionCandidates = Candidates.Queues.class,
			description = "Names of queues.")
	private List<String> queues = List.of();

	private boolean first = true;

	public QueueInspectCommand(Invocation invocation) {
		this.invocation = invocation;
	}

	@Override
	public Integer call() {
		try (Session session = this.invocation.open()) {
			List<QueueInfo> found = new ArrayList<>();
			int code = this.invocation.each(this.queues, (queue) -> inspect(session, queue, found));
			if (!this.invocation.output().format().isText()) {
				this.invocation.output().printAll(found, (out) -> {
				});
			}
			return code;
		}
	}

	private @Nullable String inspect(Session session, String queue, List<QueueInfo> found) {
		boolean table = this.invocation.output().format().isText();
		PrintWriter out = this.invocation.surroundings().out();
		if (table && !this.first) {
			out.println();
			out.println(QueueHistoryCommand.SEPARATOR);
			out.println();
		}
		this.first = false;
		try {
			QueueInfo info = session.inspector().queueInfo(queue);
			found.add(info);
			if (table) {
				print(info, out);
			}
			return null;
		}
		catch (BrokerUnavailableException ex) {
			throw ex;
		}
		catch (AsynqException ex) {
			return "error: " + GoErrors.ofQueue(queue, ex);
		}
	}

	private void print(QueueInfo info, PrintWriter out) {
		Heading heading = this.invocation.heading();
		out.println(heading.of("Queue Info"));
		out.println("Name:   " + Cell.text(info.queue()));
		out.println("Size:   " + info.size());
		out.println("Groups: " + info.groups());
		out.println("Paused: " + info.paused());
		out.println();
		out.println(heading.of("Task Count by State"));
		new Table("active", "pending", "aggregating", "scheduled", "retry", "archived", "completed")
			.row(info.size(TaskState.ACTIVE), info.size(TaskState.PENDING), info.size(TaskState.AGGREGATING),
					info.size(TaskState.SCHEDULED), info.size(TaskState.RETRY), info.size(TaskState.ARCHIVED),
					info.size(TaskState.COMPLETED))
			.print(out);
		this.invocation.tellWaiting(info.waitingForLimit());
		out.println();
		out.println(heading.of("Daily Stats " + GoTimes.day(info.timestamp()) + " UTC"));
		new Table("processed", "failed", "error rate")
			.row(info.processed(), info.failed(), GoTimes.errorRate(info.processed(), info.failed()))
			.print(out);
	}

}
