package io.asynq.cli.fleet;

import java.io.PrintWriter;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.Callable;

import io.asynq.cli.command.Invocation;
import io.asynq.cli.output.Cell;
import io.asynq.cli.output.GoTimes;
import io.asynq.cli.output.Table;
import io.asynq.inspect.SchedulerEntry;
import picocli.CommandLine.Command;

/**
 * Lists periodic tasks.
 */
@Command(name = "list", aliases = "ls", description = "List cron entries.", footer = "  asynq cron ls")
public final class CronListCommand implements Callable<Integer> {

	private final Invocation invocation;

	public CronListCommand(Invocation invocation) {
		this.invocation = invocation;
	}

	@Override
	public Integer call() {
		return this.invocation.run((session) -> {
			List<SchedulerEntry> entries = session.inspector()
				.schedulerEntries()
				.stream()
				.sorted(Comparator.comparing(SchedulerEntry::spec).thenComparing(SchedulerEntry::id))
				.toList();
			this.invocation.output().printAll(entries, (out) -> print(entries, out));
		});
	}

	private void print(List<SchedulerEntry> entries, PrintWriter out) {
		GoTimes times = this.invocation.times();
		if (entries.isEmpty()) {
			out.println("No scheduler entries");
			return;
		}
		Table table = new Table("EntryID", "Spec", "Type", "Payload", "Options", "Next", "Prev");
		entries.forEach((entry) -> table.row(Cell.text(entry.id()), Cell.text(entry.spec()),
				Cell.text(entry.task().type()), this.invocation.bytes(entry.task().payload()),
				Cell.text("[" + String.join(" ", entry.optionTexts()) + "]"), times.fire(entry.next()),
				times.ago(entry.previous())));
		table.print(out, this.invocation.columns());
	}

}
