package io.asynq.cli;

import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.Collectors;

import io.asynq.QueueNotFoundException;
import io.asynq.TaskInfo;
import io.asynq.TaskState;
import io.asynq.inspect.QueueInfo;
import io.asynq.internal.text.GoText;
import io.asynq.operations.ActionReport;
import io.asynq.operations.TaskAction;
import io.asynq.operations.survey.FailureGroup;
import io.asynq.operations.survey.FailureGroups;
import io.asynq.operations.survey.FoundTasks;
import io.asynq.operations.survey.QueueBoard.Board;
import io.asynq.operations.survey.TaskSearch;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

@Command(name = "failures", description = "See why tasks fail, and act on all that fail for the same reason.",
		footer = "  asynq failures ls", addMethodSubcommands = false)
final class FailureCommands extends Invocation {

	FailureCommands(Invocation invocation) {
		super(invocation);
	}

	@Command(name = "list", aliases = "ls",
			description = "List why tasks in retry and in archives have failed, the most frequent reason first.",
			footer = { "  asynq failures ls", "  asynq failures ls --queue mail --type 'mail:*' -o json" })
	int list(
			@Option(names = { "-q", "--queue" }, paramLabel = "<queue>", completionCandidates = Candidates.Queues.class,
					description = "Only failures in this queue.") @Nullable String queue,
			@Option(names = "--type", paramLabel = "<type>",
					description = "Only failures of this type; with a star at its end, of types that begin so.") @Nullable String type) {
		return run((session) -> {
			List<Group> groups = groups(session, queues(session, queue), FailureGroups.STATES).stream()
				.filter((group) -> type == null || (type.endsWith("*")
						? group.type().startsWith(type.substring(0, type.length() - 1)) : group.type().equals(type)))
				.toList();
			printTable(groups, "No failures", columns(),
					new Table("Failures", "Type", "Error", "Queues", "Last Failure", "Key"),
					(table, group) -> table.row(group.count(), group.type(), group.signature(),
							group.queues()
								.entrySet()
								.stream()
								.map((some) -> Cell.text(some.getKey()) + ":" + some.getValue())
								.collect(Collectors.joining(" ")),
							times().ago(group.lastFailure()), group.key()));
		});
	}

	@Command(name = "retry", description = "Run all tasks of groups of failures now.", footer = {
			"  asynq failures retry 3f2a --dry-run", "  asynq failures retry 3f2a 9c01 --queue mail --fresh" })
	int retry(@Mixin Flags flags,
			@Option(names = "--fresh", description = "Give the tasks all their retries again.") boolean fresh) {
		return act(flags, fresh ? TaskAction.RUN_FRESH : TaskAction.RUN, "Run", "made pending");
	}

	@Command(name = "archive", description = "Archive all tasks of groups of failures that wait for a retry.",
			footer = { "  asynq failures archive 3f2a --dry-run", "  asynq failures archive 3f2a --yes" })
	int archive(@Mixin Flags flags) {
		return act(flags, TaskAction.ARCHIVE, "Archive", "archived");
	}

	/**
	 * Acts exactly on those tasks that were counted before the question; returns 1 if
	 * some were left.
	 */
	private int act(Flags flags, TaskAction action, String verb, String done) {
		try (Session session = open()) {
			return orFail("error: ", () -> {
				Map<String, List<String>> ids = find(session, flags, action);
				if (flags.dryRun) {
					report(ids.entrySet()
						.stream()
						.map((some) -> new Result(some.getKey(), some.getValue().size(), List.of()))
						.toList(), " would be " + done);
					return 0;
				}
				if (ids.size() > 1) {
					ask(flags.yes,
							verb + " " + ids.values().stream().mapToInt(List::size).sum() + " tasks of " + ids.size()
									+ " queues (" + String.join(", ", ids.keySet().stream().map(Cell::text).toList())
									+ ")");
				}
				BulkChanges bulk = new BulkChanges(this);
				List<Result> results = new ArrayList<>();
				bulk.byIds(session, action, ids)
					.forEach((name, report) -> results.add(new Result(name, report.done(), report.failed())));
				report(results, " " + done);
				results.forEach((result) -> bulk.tellFailed(result.failed(),
						"error: queue " + GoText.quote(result.queue()) + ": "));
				return results.stream().allMatch((result) -> result.failed().isEmpty()) ? 0 : 1;
			});
		}
	}

	private Map<String, List<String>> find(Session session, Flags flags, TaskAction action) {
		List<QueueInfo> queues = queues(session, flags.queue);
		List<TaskState> states = FailureGroups.STATES.stream().filter(action.states()::contains).toList();
		FailureGroups failures = session.failures();
		// A task that comes back during the look is found twice
		Map<String, Set<String>> ids = new TreeMap<>();
		for (Group group : chosen(flags.keys, groups(session, queues, states))) {
			String cursor = null;
			do {
				FoundTasks<TaskInfo> part = failures.tasks(queues, states, group.key(), cursor, TaskSearch.MOST,
						Function.identity());
				part.entries()
					.forEach((task) -> ids.computeIfAbsent(task.queue(), (queue) -> new LinkedHashSet<>())
						.add(task.id()));
				cursor = part.next();
			}
			while (cursor != null);
		}
		Map<String, List<String>> lists = new TreeMap<>();
		ids.forEach((queue, some) -> lists.put(queue, List.copyOf(some)));
		return lists;
	}

	private static Set<Group> chosen(List<String> keys, List<Group> groups) {
		Set<Group> chosen = new LinkedHashSet<>();
		for (String key : keys) {
			List<Group> found = groups.stream().filter((group) -> group.key().startsWith(key)).toList();
			if (found.isEmpty()) {
				throw new CommandFailedException("error: no group of such failures has a key that begins with "
						+ GoText.quote(key) + ": see asynq failures ls");
			}
			if (found.size() > 1) {
				throw new UsageException("The key " + GoText.quote(key) + " may mean "
						+ String.join(" or ", found.stream().map(Group::key).toList()) + ": write more of it");
			}
			chosen.addAll(found);
		}
		return chosen;
	}

	private void report(List<Result> results, String words) {
		printAll(results,
				() -> results.forEach((result) -> this.out
					.println(Cell.text(result.queue) + ": " + result.done + ((result.done == 1) ? " task" : " tasks")
							+ words + (result.failed.isEmpty() ? "" : ", " + result.failed.size() + " refused"))));
	}

	private List<Group> groups(Session session, List<QueueInfo> queues, Collection<TaskState> states) {
		FailureGroups failures = session.failures();
		Map<String, Group> byKey = new HashMap<>();
		long left = 0;
		String cursor = null;
		do {
			FailureGroups.Found<String> part = failures.find(queues, states, null, cursor, TaskInfo::id);
			part.groups().forEach((group) -> byKey.merge(group.key(), Group.of(group), Group::plus));
			left += part.groupCount() - part.groups().size();
			cursor = part.next();
		}
		while (cursor != null);
		if (left > 0) {
			tell("warning: " + left + " small groups are left out: --queue looks at fewer failures");
		}
		return byKey.values()
			.stream()
			.sorted(Comparator.comparing(Group::count).reversed().thenComparing(Group::key))
			.toList();
	}

	private List<QueueInfo> queues(Session session, @Nullable String queue) {
		if (queue == null) {
			Board board = session.board().read();
			tellUnreadable(board);
			return board.queues();
		}
		try {
			return List.of(session.inspector().queueInfo(queue));
		}
		catch (QueueNotFoundException ex) {
			throw new CommandFailedException("error: " + GoErrors.ofQueue(queue, ex));
		}
	}

	static final class Flags {

		@Parameters(arity = "1..*", paramLabel = "<key>",
				description = "Keys of groups, as 'failures ls' shows them; their beginnings are enough.")
		private List<String> keys = List.of();

		@Option(names = { "-q", "--queue" }, paramLabel = "<queue>", completionCandidates = Candidates.Queues.class,
				description = "Only tasks of this queue.")
		private @Nullable String queue;

		@Option(names = "--dry-run", description = "Only say what would be done.")
		private boolean dryRun;

		@Option(names = { "-y", "--yes" }, description = "Do not ask if the tasks are in several queues.")
		private boolean yes;

	}

	private record Result(String queue, long done, List<ActionReport.Failure> failed) {
	}

	/** Tasks of one type that have failed for the same reason. */
	private record Group(String key, String type, String signature, long count, Map<String, Long> queues,
			Map<TaskState, Long> states, @Nullable Instant lastFailure) {

		static Group of(FailureGroup<?> group) {
			return new Group(group.key(), group.type(), group.signature(), group.count(), new TreeMap<>(group.queues()),
					new TreeMap<>(group.states()), group.latestLastFailure());
		}

		Group plus(Group other) {
			other.queues.forEach((queue, number) -> this.queues.merge(queue, number, Long::sum));
			other.states.forEach((state, number) -> this.states.merge(state, number, Long::sum));
			Instant later = (this.lastFailure == null
					|| other.lastFailure != null && other.lastFailure.isAfter(this.lastFailure)) ? other.lastFailure
							: this.lastFailure;
			return new Group(this.key, this.type, this.signature, this.count + other.count, this.queues, this.states,
					later);
		}

	}

}
