package io.asynq.cli.queue;

import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;

import io.asynq.AsynqException;
import io.asynq.BrokerUnavailableException;
import io.asynq.cli.command.Candidates;
import io.asynq.cli.command.GoErrors;
import io.asynq.cli.command.Invocation;
import io.asynq.cli.connect.Session;
import io.asynq.cli.output.Cell;
import io.asynq.cli.output.GoTimes;
import io.asynq.cli.output.Table;
import io.asynq.inspect.DailyStats;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/**
 * Shows what queues have processed day by day.
 */
@Command(name = "history", description = "Display historical aggregate data from one or more queues.",
		footer = "  asynq queue history critical --days 30")
public final class QueueHistoryCommand implements Callable<Integer> {

	static final String SEPARATOR = "=".repeat(49);

	private final Invocation invocation;

	@Parameters(arity = "1..*", paramLabel = "<queue>", completionCandidates = Candidates.Queues.class,
			description = "Names of queues.")
	private List<String> queues = List.of();

	@Option(names = { "-x", "--days" }, defaultValue = "10", paramLabel = "<days>",
			description = "How many days (default: ${DEFAULT-VALUE}); Redis has up to 90.")
	private int days;

	private boolean first = true;

	public QueueHistoryCommand(Invocation invocation) {
		this.invocation = invocation;
	}

	@Override
	public Integer call() {
		try (Session session = this.invocation.open()) {
			List<DailyStats> found = new ArrayList<>();
			int code = this.invocation.each(this.queues, (queue) -> show(session, queue, found));
			if (!this.invocation.output().format().isText()) {
				this.invocation.output().printAll(found, (out) -> {
				});
			}
			return code;
		}
	}

	private @Nullable String show(Session session, String queue, List<DailyStats> found) {
		boolean table = this.invocation.output().format().isText();
		PrintWriter out = this.invocation.surroundings().out();
		if (table) {
			if (!this.first) {
				out.println();
				out.println(SEPARATOR);
				out.println();
			}
			out.println("Queue: " + Cell.text(queue));
			out.println();
		}
		this.first = false;
		try {
			List<DailyStats> history = session.inspector().history(queue, this.days);
			found.addAll(history);
			if (table) {
				print(history, out);
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

	private static void print(List<DailyStats> history, PrintWriter out) {
		Table table = new Table("date (UTC)", "processed", "failed", "error rate");
		history.forEach((day) -> table.row(day.date(), day.processed(), day.failed(),
				GoTimes.errorRate(day.processed(), day.failed())));
		table.print(out);
	}

}
