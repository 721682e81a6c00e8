package io.asynq.cli;

import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

import io.asynq.inspect.EnqueueEvent;
import io.asynq.inspect.GroupInfo;
import io.asynq.inspect.LimitInfo;
import io.asynq.inspect.Page;
import io.asynq.inspect.SchedulerEntry;
import io.asynq.inspect.ServerInfo;
import io.asynq.internal.text.GoText;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Commands for groups, servers, limits and periodic tasks. */
final class FleetCommands {

	private FleetCommands() {
	}

	@Command(name = "group", description = "Manage groups.", footer = "  asynq group ls -q reports",
			addMethodSubcommands = false)
	static final class Groups extends Invocation {

		Groups(Invocation invocation) {
			super(invocation);
		}

		@Command(name = "list", aliases = "ls", description = "List groups.", footer = "  asynq group ls -q reports")
		int list(@Option(names = { "-q", "--queue" }, required = true, paramLabel = "<queue>",
				completionCandidates = Candidates.Queues.class, description = "Queue to inspect.") String queue) {
			return run((session) -> {
				List<GroupInfo> groups = session.inspector().groups(queue);
				printAll(groups, () -> {
					if (groups.isEmpty()) {
						this.out.println("No groups found in queue " + GoText.quote(queue));
					}
					groups.forEach((group) -> this.out.println(Cell.text(group.name())));
				});
			});
		}

	}

	@Command(name = "server", description = "Manage servers.", footer = "  asynq server ls",
			addMethodSubcommands = false)
	static final class Servers extends Invocation {

		Servers(Invocation invocation) {
			super(invocation);
		}

		@Command(name = "list", aliases = "ls", description = "List servers.", footer = "  asynq server ls -o json")
		int list() {
			return run((session) -> {
				List<ServerInfo> servers = session.inspector()
					.servers()
					.stream()
					.sorted(Comparator.comparing(ServerInfo::host).thenComparing(ServerInfo::pid))
					.toList();
				printTable(servers, "No running servers", columns(),
						new Table("Host", "PID", "State", "Active Workers", "Queues", "Started"),
						(table, server) -> table.row(server.host(), server.pid(), server.status(), busy(server),
								queues(server), times().ago(server.startedAt())));
			});
		}

		/**
		 * With what a Java server has fetched ahead; servers of Go fetch nothing ahead.
		 */
		private static String busy(ServerInfo server) {
			String busy = server.workers().size() + "/" + server.concurrency();
			return (server.heldTasks() > 0) ? busy + " +" + server.heldTasks() + " held" : busy;
		}

		private static String queues(ServerInfo server) {
			return server.queues()
				.entrySet()
				.stream()
				.sorted(Map.Entry.<String, Integer>comparingByValue()
					.reversed()
					.thenComparing(Map.Entry.comparingByKey()))
				.map((entry) -> Cell.text(entry.getKey()) + ":" + entry.getValue())
				.collect(Collectors.joining(" "));
		}

	}

	@Command(name = "limit", description = "Look at limits over all servers.", footer = "  asynq limit ls",
			addMethodSubcommands = false)
	static final class Limits extends Invocation {

		Limits(Invocation invocation) {
			super(invocation);
		}

		static Table table() {
			return new Table("Limit", "Held", "Concurrent", "Rate", "Waiting", "Keys");
		}

		static void row(Table table, LimitInfo limit) {
			table.row(limit.name(), limit.held(), (limit.concurrent() > 0) ? limit.concurrent() : "-",
					(limit.rate() != null) ? limit.rate() : "-", limit.waiting(), limit.keys());
		}

		@Command(name = "list", aliases = "ls",
				description = "List limits, tasks that hold their tokens, and tasks that wait.",
				footer = "  asynq limit ls")
		int list() {
			return run((session) -> printTable(session.inspector().limits(), "No server has announced a limit", 0,
					table(), Limits::row));
		}

		@Command(name = "inspect", description = "List keys of a limit, those with most waiting tasks first.",
				footer = "  asynq limit inspect per-customer --size 10")
		int inspect(@Parameters(paramLabel = "<limit>", description = "Name of the limit.") String limit,
				@Option(names = "--size", defaultValue = "30", paramLabel = "<number>",
						description = "How many keys at most (default: ${DEFAULT-VALUE}).") int size) {
			if (size < 1) {
				throw new UsageException("--size must be at least 1, but is " + size);
			}
			return run((session) -> {
				List<LimitInfo.Key> keys = session.inspector().limitKeys(limit, size);
				if (keys.isEmpty()
						&& session.inspector().limits().stream().map(LimitInfo::name).noneMatch(limit::equals)) {
					throw new CommandFailedException("limit " + GoText.quote(limit) + " does not exist");
				}
				printTable(keys,
						"No key of limit " + GoText.quote(limit) + " is in use, and no task waits for a free token", 0,
						new Table("Key", "Held", "Waiting"),
						(table, key) -> table.row(key.key().isEmpty() ? "-" : key.key(), key.held(), key.waiting()));
			});
		}

	}

	@Command(name = "cron", description = "Manage cron.", footer = "  asynq cron ls", addMethodSubcommands = false)
	static final class Cron extends Invocation {

		Cron(Invocation invocation) {
			super(invocation);
		}

		@Command(name = "list", aliases = "ls", description = "List cron entries.", footer = "  asynq cron ls")
		int list() {
			return run((session) -> {
				List<SchedulerEntry> entries = session.inspector()
					.schedulerEntries()
					.stream()
					.sorted(Comparator.comparing(SchedulerEntry::spec).thenComparing(SchedulerEntry::id))
					.toList();
				printTable(entries, "No scheduler entries", columns(),
						new Table("EntryID", "Spec", "Type", "Payload", "Options", "Next", "Prev"),
						(table, entry) -> table.row(entry.id(), entry.spec(), entry.task().type(),
								bytes(entry.task().payload()), "[" + String.join(" ", entry.optionTexts()) + "]",
								times().fire(entry.next()), times().ago(entry.previous())));
			});
		}

		@Command(name = "history", description = "Show history of each cron tasks.",
				footer = "  asynq cron history reports --size 5")
		int history(
				@Parameters(arity = "1..*", paramLabel = "<entry>",
						description = "Ids of entries.") List<String> entries,
				@Option(names = "--page", defaultValue = "1", paramLabel = "<number>",
						description = "Page number (default: ${DEFAULT-VALUE}).") int page,
				@Option(names = "--size", defaultValue = "30", paramLabel = "<number>",
						description = "Page size (default: ${DEFAULT-VALUE}).") int size) {
			Page wanted = page(page, size);
			return run((session) -> {
				List<Fires> all = entries.stream()
					.map((entry) -> new Fires(entry, session.inspector().schedulerEnqueueEvents(entry, wanted)))
					.toList();
				printAll(all, () -> all.forEach((fires) -> {
					this.out.print((fires != all.get(0)) ? "\n" + QueueCommands.SEPARATOR + "\n" : "");
					this.out.println("\nEntry: " + Cell.text(fires.entry) + "\n");
					if (fires.events.isEmpty()) {
						this.out.println("No scheduler enqueue events found for entry: " + Cell.text(fires.entry));
						return;
					}
					Table table = new Table("TaskID", "EnqueuedAt");
					fires.events.forEach((event) -> table.row(event.taskId(), times().stamp(event.enqueuedAt())));
					table.print(this.out);
				}));
			});
		}

		/** What a periodic task has enqueued, newest first. */
		private record Fires(String entry, List<EnqueueEvent> events) {
		}

	}

}
