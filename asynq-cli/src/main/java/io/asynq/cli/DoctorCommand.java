package io.asynq.cli;

import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Callable;

import io.asynq.inspect.LimitInfo;
import io.asynq.operations.RepairOperations;
import io.asynq.operations.attention.Attention;
import io.asynq.operations.attention.Severity;
import io.asynq.operations.repair.Inconsistency;
import io.asynq.operations.repair.Inconsistency.Kind;
import io.asynq.operations.repair.RepairReport;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

@Command(name = "doctor",
		description = "Find what needs attention, and tasks that wait for a handler, a limit or a worker;"
				+ " find data in Redis that contradicts itself, and repair it.",
		footer = { "  asynq doctor", "  asynq doctor critical --apply" })
final class DoctorCommand extends Invocation implements Callable<Integer> {

	private static final int MOST_ITEMS = 10;

	private static final int EXAMPLES = 100;

	/**
	 * A repair can reveal another inconsistency, so that it begins again until nothing is
	 * left to do.
	 */
	private static final int ROUNDS = 20;

	@Parameters(arity = "0..*", paramLabel = "<queue>", completionCandidates = Candidates.Queues.class,
			description = "Names of queues (default: all).")
	private List<String> queues = List.of();

	@Option(names = "--apply", description = "Repair what is found; without it nothing is changed.")
	private boolean apply;

	@Option(names = "--kind", paramLabel = "<kind>", split = ",",
			description = "Only inconsistencies of these kinds, such as task-without-container.")
	private List<String> kinds = List.of();

	DoctorCommand(Invocation invocation) {
		super(invocation);
	}

	@Override
	public Integer call() {
		Set<Kind> wanted = wanted();
		// Who asks for certain kinds is told of nothing else
		boolean all = this.kinds.isEmpty();
		try (Session session = open()) {
			List<String> names = this.queues.isEmpty() ? session.inspector().queues().stream().sorted().toList()
					: this.queues;
			Map<String, Long> held = all ? session.details().held() : Map.of();
			RepairOperations repairs = session.repairs();
			List<Checkup> checkups = new ArrayList<>();
			for (String queue : names) {
				Map<String, Long> unhandled = all ? session.details().unhandled(queue) : Map.of();
				long limited = all ? session.details().waitingForLimit(queue) : 0;
				checkups.add(check(repairs, queue, wanted, unhandled, limited, held.getOrDefault(queue, 0L)));
			}
			List<LimitInfo> limits = checkups.stream().allMatch((checkup) -> checkup.limited == 0) ? List.of()
					: session.inspector().limits().stream().filter((limit) -> limit.waiting() > 0).toList();
			List<Attention> attention = all
					? session.situation().attention((queue) -> this.queues.isEmpty() || this.queues.contains(queue))
					: List.of();
			List<Object> found = new ArrayList<>(checkups);
			found.addAll(attention);
			printAll(found, () -> print(checkups, limits, attention));
			return checkups.stream().allMatch(Checkup::isWell) && attention.stream().noneMatch(DoctorCommand::isWrong)
					? 0 : 1;
		}
	}

	private Checkup check(RepairOperations repairs, String queue, Set<Kind> wanted, Map<String, Long> unhandled,
			long limited, long held) {
		Map<Kind, Long> found = new EnumMap<>(Kind.class);
		List<Inconsistency> examples = new ArrayList<>();
		long left = 0;
		long before = -1;
		for (int round = 0; round < (this.apply ? ROUNDS : 1) && sum(found) > before; round++) {
			before = sum(found);
			left = 0;
			String cursor = null;
			do {
				RepairReport report = repairs.repair(queue, wanted, !this.apply, cursor, null);
				report.repaired().forEach((kind, count) -> found.merge(kind, count, Long::sum));
				report.examples().stream().limit(EXAMPLES - examples.size()).forEach(examples::add);
				left += report.left();
				cursor = report.next();
			}
			while (cursor != null);
		}
		return new Checkup(queue, this.apply, found, left, examples, unhandled, limited, held);
	}

	private static long sum(Map<Kind, Long> found) {
		return found.values().stream().mapToLong(Long::longValue).sum();
	}

	private static boolean isWrong(Attention attention) {
		return attention.severity() != Severity.INFO;
	}

	private void print(List<Checkup> checkups, List<LimitInfo> limits, List<Attention> attention) {
		List<Checkup> ill = checkups.stream().filter((checkup) -> !checkup.found.isEmpty()).toList();
		List<Checkup> waiting = checkups.stream().filter((checkup) -> !checkup.unhandled.isEmpty()).toList();
		List<Checkup> limited = checkups.stream().filter((checkup) -> checkup.limited > 0).toList();
		List<Checkup> held = checkups.stream().filter((checkup) -> checkup.held > 0).toList();
		if (ill.isEmpty() && waiting.isEmpty() && attention.stream().noneMatch(DoctorCommand::isWrong)) {
			this.out
				.println("Nothing is wrong in " + checkups.size() + ((checkups.size() == 1) ? " queue" : " queues"));
		}
		attention.forEach(this::print);
		if (!attention.isEmpty() && (!ill.isEmpty() || !waiting.isEmpty())) {
			this.out.println();
		}
		if (!ill.isEmpty()) {
			printInconsistent(ill);
		}
		if (!ill.isEmpty() && !waiting.isEmpty()) {
			this.out.println();
		}
		if (!waiting.isEmpty()) {
			Table table = new Table("Queue", "Type without a handler", "Waiting");
			waiting.forEach(
					(checkup) -> checkup.unhandled.forEach((type, count) -> table.row(checkup.queue, type, count)));
			print(table, "No live server of the queue has a handler for these types: deploy one, or delete the tasks");
		}
		if (!limited.isEmpty()) {
			this.out.println();
			Table queues = new Table("Queue", "Waiting for a limit");
			limited.forEach((checkup) -> queues.row(checkup.queue, checkup.limited));
			queues.print(this.out);
			this.out.println();
			Table table = FleetCommands.Limits.table();
			limits.forEach((limit) -> FleetCommands.Limits.row(table, limit));
			print(table, "These tasks in retry have not failed: each runs when its limits have a token for it");
		}
		if (!held.isEmpty()) {
			this.out.println();
			Table table = new Table("Queue", "Fetched ahead");
			held.forEach((checkup) -> table.row(checkup.queue, checkup.held));
			print(table,
					"These active tasks wait for a worker of the server that has fetched them: see asynq server list");
		}
	}

	private void print(Table table, String advice) {
		table.print(this.out);
		this.out.println("\n" + advice);
	}

	private void print(Attention one) {
		this.out.println(one.severity().wireName() + " " + one.kind() + ": "
				+ Cell.text((one.items().size() == 1) ? text(one.items().get(0)) : one.text()) + since(one.since()));
		if (one.items().size() > 1) {
			one.items()
				.stream()
				.limit(MOST_ITEMS)
				.forEach((item) -> this.out.println("  " + Cell.text(text(item)) + since(item.since())));
		}
		if (one.count() > MOST_ITEMS) {
			this.out.println("  and " + (one.count() - MOST_ITEMS) + " more");
		}
		this.out.println("  To do: " + one.action());
	}

	private static String text(Attention.Item item) {
		return ((item.queue() != null) ? item.queue() + ": " : "") + item.text();
	}

	private static String since(@Nullable Instant since) {
		return (since != null) ? " (since " + since.truncatedTo(ChronoUnit.SECONDS) + ")" : "";
	}

	private void printInconsistent(List<Checkup> ill) {
		Table table = new Table("Queue", "Kind", this.apply ? "Repaired" : "Found", "Example");
		ill.forEach((checkup) -> checkup.found
			.forEach((kind, count) -> table.row(checkup.queue, name(kind), count, checkup.example(kind))));
		table.print(this.out);
		long left = ill.stream().mapToLong(Checkup::left).sum();
		if (left > 0) {
			this.out
				.println("\n" + left + " could not be repaired: gone by then, or a key to write has the wrong type");
		}
		else if (!this.apply) {
			this.out.println("\nRepair it with: asynq doctor --apply");
		}
	}

	private Set<Kind> wanted() {
		Map<String, Kind> byName = new LinkedHashMap<>();
		for (Kind kind : Kind.values()) {
			byName.put(name(kind), kind);
		}
		if (this.kinds.isEmpty()) {
			return EnumSet.allOf(Kind.class);
		}
		Set<Kind> wanted = EnumSet.noneOf(Kind.class);
		for (String kind : this.kinds) {
			if (!byName.containsKey(kind)) {
				throw new UsageException(
						"--kind must be one of " + String.join(", ", byName.keySet()) + ", but is '" + kind + "'");
			}
			wanted.add(byName.get(kind));
		}
		return wanted;
	}

	private static String name(Kind kind) {
		return kind.name().toLowerCase(Locale.ROOT).replace('_', '-');
	}

	/** What was found in a queue; tasks that wait are nothing to repair. */
	record Checkup(String queue, boolean applied, Map<Kind, Long> found, long left, List<Inconsistency> examples,
			Map<String, Long> unhandled, long limited, long held) {

		boolean isWell() {
			return this.unhandled.isEmpty() && (this.found.isEmpty() || this.applied && this.left == 0);
		}

		String example(Kind kind) {
			return this.examples.stream()
				.filter((example) -> example.kind() == kind)
				.map((example) -> example.id() + ": " + example.detail())
				.findFirst()
				.orElse("");
		}

	}

}
