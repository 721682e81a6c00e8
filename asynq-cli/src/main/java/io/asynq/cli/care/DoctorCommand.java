package io.asynq.cli.care;

import java.io.PrintWriter;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Callable;

import io.asynq.cli.command.Candidates;
import io.asynq.cli.command.Invocation;
import io.asynq.cli.connect.Session;
import io.asynq.cli.output.Cell;
import io.asynq.cli.output.LimitTable;
import io.asynq.cli.output.Table;
import io.asynq.cli.terminal.UsageException;
import io.asynq.inspect.Inconsistency.Kind;
import io.asynq.inspect.LimitInfo;
import io.asynq.operations.attention.Attention;
import io.asynq.operations.attention.Severity;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/**
 * Tells what somebody should look at; searches queues for data that contradicts itself,
 * and repairs it if told so; and for types without a handler, and tasks that wait for
 * limits or were fetched ahead.
 */
@Command(name = "doctor",
		description = "Find what needs attention, and tasks that wait for a handler, a limit or a worker;"
				+ " find data in Redis that contradicts itself, and repair it.",
		footer = { "  asynq doctor", "  asynq doctor critical --apply" })
public final class DoctorCommand implements Callable<Integer> {

	/** How many of a kind are named. */
	private static final int MOST_ITEMS = 10;

	private final Invocation invocation;

	@Parameters(arity = "0..*", paramLabel = "<queue>", completionCandidates = Candidates.Queues.class,
			description = "Names of queues (default: all).")
	private List<String> queues = List.of();

	@Option(names = "--apply", description = "Repair what is found; without it nothing is changed.")
	private boolean apply;

	@Option(names = "--kind", paramLabel = "<kind>", split = ",",
			description = "Only inconsistencies of these kinds, such as task-without-container.")
	private List<String> kinds = List.of();

	public DoctorCommand(Invocation invocation) {
		this.invocation = invocation;
	}

	@Override
	public Integer call() {
		Set<Kind> wanted = wanted();
		try (Session session = this.invocation.open()) {
			List<String> names = this.queues.isEmpty() ? session.inspector().queues().stream().sorted().toList()
					: this.queues;
			Map<String, Long> held = this.kinds.isEmpty() ? session.held() : Map.of();
			List<Checkup> checkups = names.stream()
				.map((queue) -> Checkup.of(session.repairs(), queue, wanted, this.apply, waiting(session, queue, held)))
				.toList();
			List<LimitInfo> limits = limits(session, checkups);
			List<Attention> attention = attention(session);
			List<Object> all = new ArrayList<>(checkups);
			all.addAll(attention);
			this.invocation.output().printAll(all, (out) -> print(checkups, limits, attention, out));
			return checkups.stream().allMatch(Checkup::isWell) && attention.stream().noneMatch(DoctorCommand::isWrong)
					? 0 : 1;
		}
	}

	/**
	 * What is found in the named queues, or everywhere. Who asks for certain kinds is
	 * told of no others.
	 */
	private List<Attention> attention(Session session) {
		return this.kinds.isEmpty()
				? session.situation().attention((queue) -> this.queues.isEmpty() || this.queues.contains(queue))
				: List.of();
	}

	private static boolean isWrong(Attention attention) {
		return attention.severity() != Severity.INFO;
	}

	/** Who asks for certain kinds is told of no others. */
	private Checkup.Waiting waiting(Session session, String queue, Map<String, Long> held) {
		return this.kinds.isEmpty()
				? new Checkup.Waiting(session.unhandled(queue), session.limited(queue), held.getOrDefault(queue, 0L))
				: new Checkup.Waiting(Map.of(), 0, 0);
	}

	/** Limits for which tasks wait, if tasks of these queues do. */
	private static List<LimitInfo> limits(Session session, List<Checkup> checkups) {
		return checkups.stream().allMatch((checkup) -> checkup.limited() == 0) ? List.of()
				: session.inspector().limits().stream().filter((limit) -> limit.waiting() > 0).toList();
	}

	private void print(List<Checkup> checkups, List<LimitInfo> limits, List<Attention> attention, PrintWriter out) {
		List<Checkup> ill = checkups.stream().filter((checkup) -> !checkup.found().isEmpty()).toList();
		List<Checkup> waiting = checkups.stream().filter((checkup) -> !checkup.unhandled().isEmpty()).toList();
		if (ill.isEmpty() && waiting.isEmpty() && attention.stream().noneMatch(DoctorCommand::isWrong)) {
			out.println("Nothing is wrong in " + checkups.size() + ((checkups.size() == 1) ? " queue" : " queues"));
		}
		if (!attention.isEmpty()) {
			printAttention(attention, out);
		}
		if (!attention.isEmpty() && (!ill.isEmpty() || !waiting.isEmpty())) {
			out.println();
		}
		if (!ill.isEmpty()) {
			printInconsistent(ill, out);
		}
		if (!ill.isEmpty() && !waiting.isEmpty()) {
			out.println();
		}
		if (!waiting.isEmpty()) {
			printUnhandled(waiting, out);
		}
		List<Checkup> limited = checkups.stream().filter((checkup) -> checkup.limited() > 0).toList();
		if (!limited.isEmpty()) {
			out.println();
			printLimited(limited, limits, out);
		}
		List<Checkup> held = checkups.stream().filter((checkup) -> checkup.held() > 0).toList();
		if (!held.isEmpty()) {
			out.println();
			printHeld(held, out);
		}
	}

	private static void printAttention(List<Attention> attention, PrintWriter out) {
		for (Attention one : attention) {
			out.println(
					one.severity().wireName() + " " + one.kind() + ": " + Cell.text(text(one)) + since(one.since()));
			if (one.items().size() > 1) {
				one.items()
					.stream()
					.limit(MOST_ITEMS)
					.forEach((item) -> out.println("  " + Cell.text(text(item)) + since(item.since())));
			}
			if (one.count() > MOST_ITEMS) {
				out.println("  and " + (one.count() - MOST_ITEMS) + " more");
			}
			out.println("  To do: " + one.action());
		}
	}

	private static String text(Attention attention) {
		return (attention.items().size() == 1) ? text(attention.items().get(0)) : attention.text();
	}

	private static String text(Attention.Item item) {
		String queue = item.queue();
		return ((queue != null) ? queue + ": " : "") + item.text();
	}

	private static String since(@Nullable Instant since) {
		return (since != null) ? " (since " + since.truncatedTo(ChronoUnit.SECONDS) + ")" : "";
	}

	private static void printLimited(List<Checkup> limited, List<LimitInfo> limits, PrintWriter out) {
		Table table = new Table("Queue", "Waiting for a limit");
		limited.forEach((checkup) -> table.row(Cell.text(checkup.queue()), checkup.limited()));
		table.print(out);
		out.println();
		LimitTable.print(limits, out);
		out.println();
		out.println("These tasks in retry have not failed: each runs when its limits have a token for it");
	}

	private static void printHeld(List<Checkup> held, PrintWriter out) {
		Table table = new Table("Queue", "Fetched ahead");
		held.forEach((checkup) -> table.row(Cell.text(checkup.queue()), checkup.held()));
		table.print(out);
		out.println();
		out.println("These active tasks wait for a worker of the server that has fetched them: see asynq server list");
	}

	private void printUnhandled(List<Checkup> waiting, PrintWriter out) {
		Table table = new Table("Queue", "Type without a handler", "Waiting");
		waiting.forEach((checkup) -> checkup.unhandled()
			.forEach((type, count) -> table.row(Cell.text(checkup.queue()), Cell.text(type), count)));
		table.print(out);
		out.println();
		out.println("No live server of the queue has a handler for these types: deploy one, or delete the tasks");
	}

	private void printInconsistent(List<Checkup> ill, PrintWriter out) {
		Table table = new Table("Queue", "Kind", this.apply ? "Repaired" : "Found", "Example");
		ill.forEach((checkup) -> checkup.found()
			.forEach((kind, count) -> table.row(Cell.text(checkup.queue()), name(kind), count,
					Cell.text(checkup.example(kind)))));
		table.print(out);
		long left = ill.stream().mapToLong(Checkup::left).sum();
		if (left > 0) {
			out.println();
			out.println(left + " could not be repaired: gone by then, or a key to write has the wrong type");
		}
		else if (!this.apply) {
			out.println();
			out.println("Repair it with: asynq doctor --apply");
		}
	}

	private Set<Kind> wanted() {
		if (this.kinds.isEmpty()) {
			return EnumSet.allOf(Kind.class);
		}
		Set<Kind> wanted = EnumSet.noneOf(Kind.class);
		for (String kind : this.kinds) {
			wanted.add(Arrays.stream(Kind.values())
				.filter((candidate) -> name(candidate).equals(kind))
				.findFirst()
				.orElseThrow(() -> new UsageException("--kind must be one of "
						+ String.join(", ", Arrays.stream(Kind.values()).map(DoctorCommand::name).toList())
						+ ", but is '" + kind + "'")));
		}
		return wanted;
	}

	static String name(Kind kind) {
		return kind.name().toLowerCase(Locale.ROOT).replace('_', '-');
	}

}
