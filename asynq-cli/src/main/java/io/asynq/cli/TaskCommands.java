package io.asynq.cli;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.Function;

import io.asynq.CancelMode;
import io.asynq.InvalidTaskException;
import io.asynq.QueueNotFoundException;
import io.asynq.Task;
import io.asynq.TaskInfo;
import io.asynq.TaskNotFoundException;
import io.asynq.TaskOptions;
import io.asynq.TaskState;
import io.asynq.inspect.CancelResult;
import io.asynq.inspect.Page;
import io.asynq.internal.text.GoDuration;
import io.asynq.internal.text.GoText;
import io.asynq.operations.TaskAction;
import io.asynq.operations.survey.FoundTasks;
import io.asynq.operations.survey.TaskFilter;
import io.asynq.operations.survey.TaskRange;
import io.asynq.operations.survey.TaskSearch;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

@Command(name = "task", description = "Manage tasks.", footer = "  asynq task ls -q default -s archived",
		addMethodSubcommands = false)
final class TaskCommands extends Invocation {

	private final BulkChanges bulk = new BulkChanges(this);

	TaskCommands(Invocation invocation) {
		super(invocation);
	}

	@Command(name = "list", aliases = "ls", description = "List tasks.",
			footer = "  asynq task ls -q default -s retry --type 'mail:*' --error timeout")
	int list(
			@Option(names = { "-q", "--queue" }, required = true, paramLabel = "<queue>",
					completionCandidates = Candidates.Queues.class, description = "Queue to inspect.") String queue,
			@Option(names = { "-s", "--state" }, required = true, paramLabel = "<state>",
					completionCandidates = Candidates.States.class,
					description = "active, pending, aggregating, scheduled, retry, archived or completed.") String state,
			@Option(names = { "-g", "--group" }, paramLabel = "<group>",
					description = "Group to inspect; required for aggregating tasks.") @Nullable String group,
			@Option(names = "--page", defaultValue = "1", paramLabel = "<number>",
					description = "Page number (default: ${DEFAULT-VALUE}).") int page,
			@Option(names = "--size", defaultValue = "30", paramLabel = "<number>",
					description = "Page size (default: ${DEFAULT-VALUE}).") int size,
			@Mixin BulkChanges.FilterFlags filters) {
		TaskState wanted = BulkChanges.requireState(state, group, StatsCommand.STATES);
		TaskFilter filter = filters.filter();
		Page wantedPage = page(page, size);
		return run((session) -> {
			List<TaskInfo> tasks = filter.isAll()
					? orFail("",
							() -> (wanted == TaskState.AGGREGATING)
									? session.inspector().listAggregatingTasks(queue, String.valueOf(group), wantedPage)
									: session.inspector().listTasks(queue, wanted, wantedPage))
					: search(session, new TaskRange(queue, wanted, group), filter, wantedPage);
			// A script may expect Go's blank
			String none = (wanted == TaskState.AGGREGATING)
					? "No aggregating tasks in group " + GoText.quote(String.valueOf(group)) + " "
					: "No " + wanted.wireName() + " tasks in " + GoText.quote(queue) + " queue";
			List<String> titles = new ArrayList<>(List.of("ID", "Type", "Payload"));
			titles.addAll(switch (wanted) {
				case SCHEDULED -> List.of("Process In");
				case RETRY -> List.of("Next Retry", "Last Error", "Last Failed", "Retried", "Max Retry");
				case ARCHIVED -> List.of("Last Failed", "Last Error");
				case COMPLETED -> List.of("CompletedAt", "Result");
				case AGGREGATING -> List.of("Group");
				default -> List.of();
			});
			printTable(tasks, none, columns(), new Table(titles.toArray(String[]::new)),
					(table, task) -> table.row(cells(wanted, task)));
		});
	}

	private Object[] cells(TaskState state, TaskInfo task) {
		GoTimes times = times();
		List<@Nullable Object> cells = new ArrayList<>(List.of(task.id(), task.type(), bytes(task.payload())));
		boolean waits = !task.waitsFor().isEmpty();
		cells.addAll(switch (state) {
			case SCHEDULED -> List.of(times.until(task.nextProcessAt()));
			// A task that waits for a limit is in retry although it has not failed
			case RETRY -> Arrays.asList(waits ? "-" : times.until(task.nextProcessAt()),
					waits ? "waits for limit " + Cell.text(String.join(", ", task.waitsFor())) : task.lastError(),
					times.date(task.lastFailedAt()), task.retried(), task.maxRetry());
			case ARCHIVED -> Arrays.asList(times.date(task.lastFailedAt()), task.lastError());
			case COMPLETED -> List.of(times.date(task.completedAt()), bytes(task.result()));
			case AGGREGATING -> Arrays.asList(task.group());
			default -> List.of();
		});
		return cells.toArray();
	}

	/** Looks at all tasks, part by part, until the page is full. */
	private static List<TaskInfo> search(Session session, TaskRange range, TaskFilter filter, Page page) {
		List<TaskInfo> found = new ArrayList<>();
		String cursor = null;
		do {
			FoundTasks<TaskInfo> part = session.search()
				.find(range, filter, cursor, TaskSearch.MOST, Function.identity());
			found.addAll(part.entries());
			cursor = part.next();
		}
		while (cursor != null && found.size() < page.offset() + page.size());
		return found.stream().skip(page.offset()).limit(page.size()).toList();
	}

	@Command(name = "inspect", description = "Display detailed information on the specified task.",
			footer = "  asynq task inspect -q default -i 1b4e28ba")
	int inspect(@Mixin OneTask task) {
		return run((session) -> {
			TaskInfo info = orFail("could not get task info: ",
					() -> session.inspector().taskInfo(task.queue, task.id));
			print(info, () -> print(info));
		});
	}

	/** Behind the lines of Go's program stand those that it lacks. */
	private void print(TaskInfo info) {
		GoTimes times = times();
		this.out.println(heading("Task Info"));
		this.out.println("Queue:   " + Cell.text(info.queue()));
		this.out.println("ID:      " + Cell.text(info.id()));
		this.out.println("Type:    " + Cell.text(info.type()));
		this.out.println("State:   " + info.state().wireName());
		this.out.println("Retried: " + info.retried() + "/" + info.maxRetry());
		this.out.println();
		this.out.println("Next process time: " + times.next(info.waitsFor().isEmpty() ? info.nextProcessAt() : null));
		if (!info.waitsFor().isEmpty()) {
			this.out.println("Waits for limit:   " + Cell.text(String.join(", ", info.waitsFor())));
		}
		if (info.lastError() != null && !info.lastError().isEmpty()) {
			this.out.println();
			this.out.println(heading("Last Failure"));
			this.out.println("Failed at:     " + times.date(info.lastFailedAt()));
			this.out.println("Error message: " + Cell.text(info.lastError()));
		}
		this.out.println();
		this.out.println(heading("Options"));
		this.out.println("Timeout:   " + GoDuration.format(info.timeout()));
		if (info.deadline() != null) {
			this.out.println("Deadline:  " + times.date(info.deadline()));
		}
		this.out.println("Retention: " + GoDuration.format(info.retention()));
		if (info.group() != null) {
			this.out.println("Group:     " + Cell.text(info.group()));
		}
		if (info.completedAt() != null) {
			this.out.println("Completed: " + times.date(info.completedAt()));
		}
		info.headers()
			.forEach((name, value) -> this.out.println("Header:    " + Cell.text(name) + " = " + Cell.text(value)));
		print(heading("Payload"), info.payload());
		if (info.result() != null) {
			print(heading("Result"), info.result());
		}
	}

	private void print(String title, byte @Nullable [] bytes) {
		this.out.println("\n" + title + " (" + ((bytes != null) ? bytes.length : 0) + " bytes)");
		if (bytes != null && bytes.length > 0) {
			Cell.printAll(bytes, this.out);
		}
		else if (this.surroundings.terminal().isThere()) {
			this.out.println("(empty)");
		}
	}

	@Command(name = "enqueue", description = "Enqueue a task.",
			footer = "  asynq task enqueue -t mail:send -l '{\"to\":\"ada\"}' -q default --process_in 10m")
	int enqueue(
			@Option(names = { "-t", "--type_name" }, required = true, paramLabel = "<type>",
					description = "Type name of the task.") String type,
			@Mixin PayloadFlags payload,
			@Option(names = "--retry", paramLabel = "<number>",
					description = "Maximum retries.") @Nullable Integer retry,
			@Option(names = { "-q", "--queue" }, paramLabel = "<queue>", completionCandidates = Candidates.Queues.class,
					description = "Queue of the task.") @Nullable String queue,
			@Option(names = { "-i", "--id" }, paramLabel = "<id>", description = "Id of the task.") @Nullable String id,
			@Option(names = "--timeout", paramLabel = "<duration>",
					description = "Time limit of an attempt, such as 30s.") @Nullable String timeout,
			@Option(names = "--deadline", paramLabel = "<time>",
					description = "When an attempt must have ended, such as 2026-11-22T15:00:00Z.") @Nullable String deadline,
			@Option(names = "--unique", paramLabel = "<duration>",
					description = "How long no second such task is taken.") @Nullable String unique,
			@Option(names = "--process_at", paramLabel = "<time>",
					description = "When the task is due.") @Nullable String processAt,
			@Option(names = "--process_in", paramLabel = "<duration>",
					description = "After which time the task is due.") @Nullable String processIn,
			@Option(names = "--retention", paramLabel = "<duration>",
					description = "How long the completed task is kept.") @Nullable String retention,
			@Option(names = { "-g", "--group" }, paramLabel = "<group>",
					description = "Group of the task.") @Nullable String group,
			@Option(names = "--header", paramLabel = "<name=value>",
					description = "A header; may be repeated.") @Nullable Map<String, String> headers) {
		byte[] bytes = payload.bytes();
		TaskOptions given;
		try {
			given = TaskOptions.of((options) -> {
				set(retry, Function.identity(), options::maxRetry);
				set(queue, Function.identity(), options::queue);
				set(id, Function.identity(), options::taskId);
				set(timeout, (text) -> duration("--timeout", text), options::timeout);
				set(deadline, (text) -> time("--deadline", text), options::deadline);
				set(unique, (text) -> duration("--unique", text), options::unique);
				set(processAt, (text) -> time("--process_at", text), options::processAt);
				set(processIn, (text) -> duration("--process_in", text), options::processIn);
				set(retention, (text) -> duration("--retention", text), options::retention);
				set(group, Function.identity(), options::group);
				set(headers, Function.identity(), (all) -> all.forEach(options::header));
			});
		}
		catch (InvalidTaskException ex) {
			throw new UsageException("could not enqueue task: " + ex.getMessage());
		}
		return run((session) -> {
			TaskInfo info = orFail("could not enqueue task: ",
					() -> session.client().enqueue(Task.of(type, bytes), given));
			print(info, "Enqueued task " + Cell.text(info.id()) + " to queue " + Cell.text(info.queue()));
		});
	}

	@Command(name = "cancel", description = "Cancel one or more active tasks.",
			footer = { "  asynq task cancel 1b4e28ba", "  asynq task cancel -q default --mode archive 1b4e28ba" })
	int cancel(@Parameters(arity = "1..*", paramLabel = "<id>", description = "Ids of tasks.") List<String> ids,
			@Option(names = { "-q", "--queue" }, paramLabel = "<queue>", completionCandidates = Candidates.Queues.class,
					description = "Queue of the tasks; needed for --mode.") @Nullable String queue,
			@Option(names = "--mode", paramLabel = "<mode>", completionCandidates = Candidates.CancelModes.class,
					description = "retry (default), archive or delete: what becomes "
							+ "of the tasks, also of those that wait.") @Nullable String mode) {
		if (mode != null && queue == null) {
			throw new UsageException("--mode needs --queue");
		}
		CancelMode wanted = (mode != null) ? switch (mode) {
			case "retry" -> CancelMode.RETRY;
			case "archive" -> CancelMode.ARCHIVE;
			case "delete" -> CancelMode.DELETE;
			default -> throw new UsageException("--mode must be retry, archive or delete, but is '" + mode + "'");
		} : null;
		return each(ids, (id, ex) -> "error: could not cancel task: " + GoErrors.ofTask(ex), (session, id) -> {
			if (wanted == null || queue == null) {
				return signal(session, queue, id);
			}
			CancelResult result = session.inspector().cancelTask(queue, id, wanted);
			print(new Change(queue, id, result.name().toLowerCase(Locale.ROOT)), switch (result) {
				case ARCHIVED -> "Archived task ";
				case DELETED -> "Deleted task ";
				case RECORDED, SIGNAL_SENT -> "Sent cancelation signal for task ";
			} + Cell.text(id) + ((result == CancelResult.RECORDED) ? ", and noted what becomes of it" : ""));
			return true;
		});
	}

	/** Go's program sends the signal whether or not there is such a task. */
	private boolean signal(Session session, @Nullable String queue, String id) {
		List<TaskInfo> tasks = new ArrayList<>();
		if (queue != null) {
			tasks.add(session.inspector().taskInfo(queue, id));
		}
		for (String name : (queue != null) ? List.<String>of() : session.inspector().queues()) {
			try {
				tasks.add(session.inspector().taskInfo(name, id));
			}
			catch (TaskNotFoundException | QueueNotFoundException ex) {
				// It may be in another one
			}
		}
		if (tasks.isEmpty()) {
			tell("error: could not cancel task: asynq: task not found\nNo queue has a task " + GoText.quote(id)
					+ ": it was done, deleted or has expired");
			return false;
		}
		session.inspector().cancelTask(id);
		print(new Change((queue != null) ? queue : "", id, "signal_sent"),
				"Sent cancelation signal for task " + Cell.text(id));
		if (tasks.stream().noneMatch((task) -> task.state() == TaskState.ACTIVE)) {
			tasks.forEach((task) -> tell("warning: task " + GoText.quote(id) + " of queue " + GoText.quote(task.queue())
					+ " is " + task.state().wireName()
					+ ", so no server interrupts it: --queue and --mode keep it from running"));
		}
		return true;
	}

	@Command(name = "update-payload", description = "Replace the payload of a scheduled task.",
			footer = "  asynq task update-payload -q default -i 1b4e28ba -l '{\"to\":\"eve\"}'")
	int updatePayload(@Mixin OneTask task, @Mixin PayloadFlags payload) {
		byte[] bytes = payload.bytes();
		return change(task, "update payload", "updated", "task payload updated",
				(session) -> session.tasks().updatePayload(task.queue, task.id, bytes));
	}

	@Command(name = "run", description = "Run a task with the given id.",
			footer = "  asynq task run -q default -i 1b4e28ba --fresh")
	int run(@Mixin OneTask task,
			@Option(names = "--fresh", description = "Give it all its retries again.") boolean fresh) {
		return change(task, "run task", "pending", "task is now pending", (session) -> session.tasks()
			.actOnOne(fresh ? TaskAction.RUN_FRESH : TaskAction.RUN, task.queue, task.id));
	}

	@Command(name = "archive", description = "Archive a task with the given id.",
			footer = "  asynq task archive -q default -i 1b4e28ba")
	int archive(@Mixin OneTask task) {
		return change(task, "archive task", "archived", "task archived",
				(session) -> session.tasks().actOnOne(TaskAction.ARCHIVE, task.queue, task.id));
	}

	@Command(name = "delete", aliases = { "remove", "rm" }, description = "Delete a task with the given id.",
			footer = "  asynq task delete -q default -i 1b4e28ba")
	int delete(@Mixin OneTask task) {
		return change(task, "delete task", "deleted", "task deleted",
				(session) -> session.tasks().actOnOne(TaskAction.DELETE, task.queue, task.id));
	}

	private int change(OneTask task, String verb, String done, String message, Consumer<Session> change) {
		return run((session) -> {
			orFail("could not " + verb + ": ", () -> {
				change.accept(session);
				return true;
			});
			print(new Change(task.queue, task.id, done), message);
		});
	}

	@Command(name = "runall", description = "Run all tasks in the given state.",
			footer = "  asynq task runall -q default -s archived --error timeout")
	int runAll(@Mixin BulkChanges.Flags flags,
			@Option(names = "--fresh", description = "Give the tasks all their retries again.") boolean fresh) {
		return this.bulk.act(flags, fresh ? TaskAction.RUN_FRESH : TaskAction.RUN, "Run", "tasks are now pending",
				TaskState.SCHEDULED, TaskState.RETRY, TaskState.ARCHIVED, TaskState.AGGREGATING);
	}

	@Command(name = "archiveall", description = "Archive all tasks in the given state.",
			footer = "  asynq task archiveall -q default -s retry --older 7d")
	int archiveAll(@Mixin BulkChanges.Flags flags) {
		return this.bulk.act(flags, TaskAction.ARCHIVE, "Archive", "tasks archived", TaskState.PENDING,
				TaskState.AGGREGATING, TaskState.SCHEDULED, TaskState.RETRY);
	}

	@Command(name = "deleteall", description = "Delete all tasks in the given state.",
			footer = "  asynq task deleteall -q default -s archived --type 'mail:*' --yes")
	int deleteAll(@Mixin BulkChanges.Flags flags) {
		return this.bulk.act(flags, TaskAction.DELETE, "Delete", "tasks deleted", TaskState.PENDING,
				TaskState.AGGREGATING, TaskState.SCHEDULED, TaskState.RETRY, TaskState.ARCHIVED, TaskState.COMPLETED);
	}

	static final class OneTask {

		@Option(names = { "-q", "--queue" }, required = true, paramLabel = "<queue>",
				completionCandidates = Candidates.Queues.class, description = "Queue to which the task belongs.")
		String queue = "";

		@Option(names = { "-i", "--id" }, required = true, paramLabel = "<id>", description = "Id of the task.")
		String id = "";

	}

	static final class PayloadFlags {

		@Option(names = { "-l", "--payload" }, paramLabel = "<payload>", description = "Payload of the task.")
		private @Nullable String payload;

		@Option(names = "--payload_file", paramLabel = "<file>", description = "File with the payload, for any bytes.")
		private @Nullable Path file;

		byte[] bytes() {
			if (this.file != null && this.payload == null) {
				try {
					return Files.readAllBytes(this.file);
				}
				catch (IOException ex) {
					throw new UsageException("--payload_file " + this.file + " cannot be read: " + ex.getMessage());
				}
			}
			if (this.payload == null || this.file != null) {
				throw new UsageException((this.payload == null) ? "required flag(s) \"payload\" not set"
						: "--payload and --payload_file exclude each other");
			}
			return this.payload.getBytes(StandardCharsets.UTF_8);
		}

	}

	private static <T, V> void set(@Nullable T flag, Function<T, V> value, Consumer<V> option) {
		if (flag != null) {
			option.accept(value.apply(flag));
		}
	}

	private static Instant time(String flag, String text) {
		try {
			return OffsetDateTime.parse(text).toInstant();
		}
		catch (DateTimeException ex) {
			throw new UsageException(flag + " must be a time such as 2026-11-22T15:00:00Z, but is '" + text + "'");
		}
	}

	private record Change(String queue, String id, String done) {
	}

}
