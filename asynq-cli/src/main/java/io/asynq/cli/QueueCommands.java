package io.asynq.cli;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.function.BiFunction;

import io.asynq.AsynqException;
import io.asynq.QueueNotEmptyException;
import io.asynq.TaskState;
import io.asynq.inspect.DailyStats;
import io.asynq.inspect.QueueInfo;
import io.asynq.inspect.ServerInfo;
import io.asynq.internal.text.GoText;
import io.asynq.operations.QueueOperations.Placed;
import io.asynq.operations.survey.QueueBoard.Board;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

@Command(name = "queue", description = "Manage queues.", footer = "  asynq queue ls", addMethodSubcommands = false)
final class QueueCommands extends Invocation {

	static final String SEPARATOR = "=".repeat(49);

	QueueCommands(Invocation invocation) {
		super(invocation);
	}

	@Command(name = "list", aliases = "ls", description = "List queues.", footer = "  asynq queue ls -o wide")
	int list() {
		try (Session session = open()) {
			boolean wide = format() == OutputFormat.WIDE
					|| format() == OutputFormat.TABLE && this.surroundings.terminal().isThere();
			return wide ? printWide(session) : print(session);
		}
	}

	@Command(name = "inspect", description = "Display detailed information on one or more queues.",
			footer = "  asynq queue inspect critical default")
	int inspect(@Mixin Names names) {
		List<QueueInfo> found = new ArrayList<>();
		return show(names, "", found, (session, queue) -> {
			QueueInfo info = session.inspector().queueInfo(queue);
			found.add(info);
			return () -> print(info);
		});
	}

	@Command(name = "history", description = "Display historical aggregate data from one or more queues.",
			footer = "  asynq queue history critical --days 30")
	int history(@Mixin Names names, @Option(names = { "-x", "--days" }, defaultValue = "10", paramLabel = "<days>",
			description = "How many days (default: ${DEFAULT-VALUE}); Redis has up to 90.") int days) {
		List<DailyStats> found = new ArrayList<>();
		return show(names, "Queue: ", found, (session, queue) -> {
			List<DailyStats> history = session.inspector().history(queue, days);
			found.addAll(history);
			return () -> {
				Table table = new Table("date (UTC)", "processed", "failed", "error rate");
				history.forEach((day) -> table.row(day.date(), day.processed(), day.failed(),
						GoTimes.errorRate(day.processed(), day.failed())));
				table.print(this.out);
			};
		});
	}

	@Command(name = "pause", description = "Pause one or more queues.", footer = "  asynq queue pause critical")
	int pause(@Mixin Names names) {
		return each(names.queues, GoErrors::ofQueue, (session, queue) -> {
			session.inspector().pauseQueue(queue);
			print(new Change(queue, "paused"), "Successfully paused queue " + GoText.quote(queue));
			if (!session.inspector().queues().contains(queue)) {
				// Allowed before its first task, but perhaps a slip
				tell("warning: there is no queue " + GoText.quote(queue) + " yet");
			}
			return true;
		});
	}

	@Command(name = "resume", aliases = "unpause", description = "Resume (unpause) one or more queues.",
			footer = "  asynq queue resume critical")
	int resume(@Mixin Names names) {
		return each(names.queues, GoErrors::ofQueue, (session, queue) -> {
			session.inspector().resumeQueue(queue);
			print(new Change(queue, "resumed"), "Successfully unpaused queue " + GoText.quote(queue));
			return true;
		});
	}

	@Command(name = "remove", aliases = { "rm", "delete" }, description = "Remove one or more queues.",
			footer = { "  asynq queue rm old", "  asynq queue rm --force old" })
	int remove(@Mixin Names names,
			@Option(names = { "-f", "--force" }, description = "Remove the queue with its tasks.") boolean force,
			@Option(names = { "-y", "--yes" }, description = "Do not ask.") boolean yes) {
		return each(names.queues, (queue, ex) -> "error: " + GoErrors.ofQueue(queue, ex) + wayOut(queue, ex, force),
				(session, queue) -> {
					long size = force ? session.inspector().queueInfo(queue).size() : 0;
					if (size > 0) {
						ask(yes, "Delete queue " + GoText.quote(queue) + " with " + size
								+ ((size == 1) ? " task" : " tasks"));
					}
					session.inspector().deleteQueue(queue, force);
					print(new Change(queue, "removed"), "Successfully removed queue " + GoText.quote(queue));
					return true;
				});
	}

	private static String wayOut(String queue, AsynqException error, boolean force) {
		if (!(error instanceof QueueNotEmptyException)) {
			return "";
		}
		return force ? "\nWait until the active tasks are done, or cancel them"
				: "\nIf you are sure you want to delete it with its tasks, run 'asynq queue rm --force "
						+ Cell.text(queue) + "'";
	}

	/** Reads and shows queues one by one; a list of JSON needs all of them. */
	private int show(Names names, String title, List<?> found, BiFunction<Session, String, Runnable> read) {
		boolean[] first = { true };
		int code = each(names.queues, (queue, ex) -> "error: " + GoErrors.ofQueue(queue, ex), (session, queue) -> {
			if (!format().isText()) {
				read.apply(session, queue);
				return true;
			}
			this.out.print(first[0] ? "" : "\n" + SEPARATOR + "\n\n");
			first[0] = false;
			this.out.print(title.isEmpty() ? "" : title + Cell.text(queue) + "\n\n");
			read.apply(session, queue).run();
			return true;
		});
		if (!format().isText()) {
			printAll(found, () -> {
			});
		}
		return code;
	}

	private void print(QueueInfo info) {
		this.out.println(heading("Queue Info"));
		this.out.println("Name:   " + Cell.text(info.queue()));
		this.out.println("Size:   " + info.size());
		this.out.println("Groups: " + info.groups());
		this.out.println("Paused: " + info.paused());
		this.out.println();
		this.out.println(heading("Task Count by State"));
		new Table(StatsCommand.STATES.stream().map(TaskState::wireName).toArray(String[]::new))
			.row(StatsCommand.STATES.stream().map(info::size).toArray())
			.print(this.out);
		tellWaiting(info.waitingForLimit());
		this.out.println();
		this.out.println(heading("Daily Stats " + GoTimes.day(info.timestamp()) + " UTC"));
		new Table("processed", "failed", "error rate")
			.row(info.processed(), info.failed(), GoTimes.errorRate(info.processed(), info.failed()))
			.print(this.out);
	}

	/** As Go's program prints them. */
	private int print(Session session) {
		List<String> names = session.inspector().queues().stream().sorted().toList();
		if (!session.isCluster()) {
			printAll(names, () -> names.forEach((name) -> this.out.println(Cell.text(name))));
			return 0;
		}
		List<Placed> placed = names.stream().map((name) -> place(session, name)).toList();
		printAll(placed, () -> {
			Table table = new Table("Queue", "Cluster KeySlot", "Cluster Nodes");
			placed.forEach((queue) -> table.row(queue.queue(), queue.slot(), nodes(queue)));
			table.print(this.out);
		});
		return 0;
	}

	private int printWide(Session session) {
		Board board = session.board().read();
		List<String> served = session.inspector()
			.servers()
			.stream()
			.filter(ServerInfo::takesTasks)
			.flatMap((server) -> server.queues().keySet().stream())
			.toList();
		List<String> titles = new ArrayList<>(List.of("Queue", "State", "Tasks", "Latency", "Consumers"));
		if (session.isCluster()) {
			titles.addAll(1, List.of("Cluster KeySlot", "Cluster Nodes"));
		}
		Table table = new Table(titles.toArray(String[]::new));
		for (QueueInfo queue : board.queues()) {
			int consumers = Collections.frequency(served, queue.queue());
			String state = queue.paused() ? "paused" : (consumers > 0) ? "running" : "not served";
			List<Object> cells = new ArrayList<>(
					List.of(queue.queue(), state, queue.size(), GoTimes.rounded(queue.latency()), consumers));
			if (session.isCluster()) {
				Placed placed = place(session, queue.queue());
				cells.addAll(1, List.of(placed.slot(), nodes(placed)));
			}
			table.row(cells.toArray());
		}
		table.print(this.out, columns());
		return tellUnreadable(board);
	}

	private static Placed place(Session session, String queue) {
		return new Placed(queue, session.inspector().clusterKeySlot(queue), session.inspector().clusterNodes(queue));
	}

	private static String nodes(Placed queue) {
		return queue.nodes().stream().map((node) -> node.id() + " " + node.address()).toList().toString();
	}

	static final class Names {

		@Parameters(arity = "1..*", paramLabel = "<queue>", completionCandidates = Candidates.Queues.class,
				description = "Names of queues.")
		List<String> queues = List.of();

	}

	private record Change(String queue, String done) {
	}

}
