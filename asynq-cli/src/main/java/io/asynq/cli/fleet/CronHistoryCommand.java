package io.asynq.cli.fleet;

import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;

import io.asynq.AsynqException;
import io.asynq.cli.command.Invocation;
import io.asynq.cli.connect.Session;
import io.asynq.cli.output.Cell;
import io.asynq.cli.output.GoTimes;
import io.asynq.cli.output.Table;
import io.asynq.cli.terminal.UsageException;
import io.asynq.inspect.EnqueueEvent;
import io.asynq.inspect.Page;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/**
 * Shows what periodic tasks have enqueued.
 */
@Command(name = "history", description = "Show history of each cron tasks.",
		footer = "  asynq cron history reports --size 5")
public final class CronHistoryCommand implements Callable<Integer> {

	private final Invocation invocation;

	@Parameters(arity = "1..*", paramLabel = "<entry>", description = "Ids of entries.")
	private List<String> entries = List.of();

	@Option(names = "--page", defaultValue = "1", paramLabel = "<number>",
			description = "Page number (default: ${DEFAULT-VALUE}).")
	private int page;

	@Option(names = "--size", defaultValue = "30", paramLabel = "<number>",
			description = "Page size (default: ${DEFAULT-VALUE}).")
	private int size;

	public CronHistoryCommand(Invocation invocation) {
		this.invocation = invocation;
	}

	@Override
	public Integer call() {
		Page wanted = page();
		return this.invocation.run((session) -> {
			if (!this.invocation.output().format().isText()) {
				List<Fires> all = new ArrayList<>();
				this.entries.forEach((entry) -> all.add(new Fires(entry, events(session, entry, wanted))));
				this.invocation.output().printAll(all, (out) -> {
				});
				return;
			}
			PrintWriter out = this.invocation.surroundings().out();
			for (int i = 0; i < this.entries.size(); i++) {
				if (i > 0) {
					out.println();
					out.println("=".repeat(49));
				}
				String entry = this.entries.get(i);
				print(entry, events(session, entry, wanted), out);
			}
		});
	}

	private Page page() {
		try {
			return Page.of(this.page, this.size);
		}
		catch (AsynqException ex) {
			throw new UsageException(String.valueOf(ex.getMessage()));
		}
	}

	private static List<EnqueueEvent> events(Session session, String entry, Page wanted) {
		return session.inspector().schedulerEnqueueEvents(entry, wanted);
	}

	private void print(String entry, List<EnqueueEvent> events, PrintWriter out) {
		GoTimes times = this.invocation.times();
		out.println();
		out.println("Entry: " + Cell.text(entry));
		out.println();
		if (events.isEmpty()) {
			out.println("No scheduler enqueue events found for entry: " + Cell.text(entry));
			return;
		}
		Table table = new Table("TaskID", "EnqueuedAt");
		events.forEach((event) -> table.row(Cell.text(event.taskId()), times.stamp(event.enqueuedAt())));
		table.print(out);
	}

	/**
	 * What a periodic task has enqueued.
	 *
	 * @param entry its id
	 * @param events the tasks, newest first
	 */
	record Fires(String entry, List<EnqueueEvent> events) {
	}

}
