package io.asynq.cli.task;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;

import io.asynq.AsynqException;
import io.asynq.BrokerUnavailableException;
import io.asynq.CancelMode;
import io.asynq.QueueNotFoundException;
import io.asynq.TaskInfo;
import io.asynq.TaskNotFoundException;
import io.asynq.TaskState;
import io.asynq.cli.command.Candidates;
import io.asynq.cli.command.GoErrors;
import io.asynq.cli.command.Invocation;
import io.asynq.cli.connect.Session;
import io.asynq.cli.output.Cell;
import io.asynq.cli.terminal.UsageException;
import io.asynq.inspect.CancelResult;
import io.asynq.internal.text.GoText;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/**
 * Cancels active tasks.
 */
@Command(name = "cancel", description = "Cancel one or more active tasks.",
		footer = { "  asynq task cancel 1b4e28ba", "  asynq task cancel -q default --mode archive 1b4e28ba" })
public final class TaskCancelCommand implements Callable<Integer> {

	private final Invocation invocation;

	@Parameters(arity = "1..*", paramLabel = "<id>", description = "Ids of tasks.")
	private List<String> ids = List.of();

	@Option(names = { "-q", "--queue" }, paramLabel = "<queue>", completionCandidates = Candidates.Queues.class,
			description = "Queue of the tasks; needed for --mode.")
	private @Nullable String queue;

	@Option(names = "--mode", paramLabel = "<mode>", completionCandidates = Candidates.CancelModes.class,
			description = "retry (default), archive or delete: what becomes "
					+ "of the tasks, also of those that wait.")
	private @Nullable String mode;

	public TaskCancelCommand(Invocation invocation) {
		this.invocation = invocation;
	}

	@Override
	public Integer call() {
		CancelMode wanted = mode();
		try (Session session = this.invocation.open()) {
			return this.invocation.each(this.ids, (id) -> cancel(session, id, wanted));
		}
	}

	private @Nullable String cancel(Session session, String id, @Nullable CancelMode wanted) {
		try {
			if (wanted == null || this.queue == null) {
				return signal(session, id);
			}
			CancelResult result = session.inspector().cancelTask(this.queue, id, wanted);
			say(id, result.name().toLowerCase(Locale.ROOT), text(id, result));
			return null;
		}
		catch (BrokerUnavailableException ex) {
			throw ex;
		}
		catch (AsynqException ex) {
			return "error: could not cancel task: " + GoErrors.ofTask(ex);
		}
	}

	/** Go's program sends the signal whether or not there is such a task. */
	private @Nullable String signal(Session session, String id) {
		List<TaskInfo> tasks = find(session, id);
		if (tasks.isEmpty()) {
			return "error: could not cancel task: asynq: task not found\nNo queue has a task " + GoText.quote(id)
					+ ": it was done, deleted or has expired";
		}
		session.inspector().cancelTask(id);
		say(id, "signal_sent", "Sent cancelation signal for task " + Cell.text(id));
		if (tasks.stream().noneMatch((task) -> task.state() == TaskState.ACTIVE)) {
			tasks.forEach((task) -> this.invocation.tell("warning: task " + GoText.quote(id) + " of queue "
					+ GoText.quote(task.queue()) + " is " + task.state().wireName()
					+ ", so no server interrupts it: --queue and --mode keep it from running"));
		}
		return null;
	}

	private List<TaskInfo> find(Session session, String id) {
		if (this.queue != null) {
			return List.of(session.inspector().taskInfo(this.queue, id));
		}
		List<TaskInfo> tasks = new ArrayList<>();
		for (String name : session.inspector().queues()) {
			try {
				tasks.add(session.inspector().taskInfo(name, id));
			}
			catch (TaskNotFoundException | QueueNotFoundException ex) {
				// It may be in another one
			}
		}
		return tasks;
	}

	private void say(String id, String done, String message) {
		this.invocation.output()
			.print(new TaskChange((this.queue != null) ? this.queue : "", id, done), (out) -> out.println(message));
	}

	private static String text(String id, CancelResult result) {
		return switch (result) {
			case ARCHIVED -> "Archived task " + Cell.text(id);
			case DELETED -> "Deleted task " + Cell.text(id);
			case RECORDED -> "Sent cancelation signal for task " + Cell.text(id) + ", and noted what becomes of it";
			case SIGNAL_SENT -> "Sent cancelation signal for task " + Cell.text(id);
		};
	}

	private @Nullable CancelMode mode() {
		if (this.mode == null) {
			return null;
		}
		if (this.queue == null) {
			throw new UsageException("--mode needs --queue");
		}
		return switch (this.mode) {
			case "retry" -> CancelMode.RETRY;
			case "archive" -> CancelMode.ARCHIVE;
			case "delete" -> CancelMode.DELETE;
			default -> throw new UsageException("--mode must be retry, archive or delete, but is '" + this.mode + "'");
		};
	}

}
