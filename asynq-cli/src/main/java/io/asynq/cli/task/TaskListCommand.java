package io.asynq.cli.task;

import java.util.List;
import java.util.concurrent.Callable;
import java.util.function.Function;

import io.asynq.AsynqException;
import io.asynq.BrokerUnavailableException;
import io.asynq.TaskInfo;
import io.asynq.TaskState;
import io.asynq.cli.command.Candidates;
import io.asynq.cli.command.GoErrors;
import io.asynq.cli.command.Invocation;
import io.asynq.cli.connect.Session;
import io.asynq.cli.terminal.UsageException;
import io.asynq.inspect.Page;
import io.asynq.operations.survey.FoundTasks;
import io.asynq.operations.survey.TaskFilter;
import io.asynq.operations.survey.TaskRange;
import io.asynq.operations.survey.TaskSearch;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/**
 * Lists tasks of one state.
 */
@Command(name = "list", aliases = "ls", description = "List tasks.",
		footer = "  asynq task ls -q default -s retry --type 'mail:*' --error timeout")
public final class TaskListCommand implements Callable<Integer> {

	private final Invocation invocation;

	@Option(names = { "-q", "--queue" }, required = true, paramLabel = "<queue>",
			completionCandidates = Candidates.Queues.class, description = "Queue to inspect.")
	private String queue = "";

	@Option(names = { "-s", "--state" }, required = true, paramLabel = "<state>",
			completionCandidates = Candidates.States.class,
			description = "active, pending, aggregating, scheduled, retry, archived or completed.")
	private String state = "";

	@Option(names = { "-g", "--group" }, paramLabel = "<group>",
			description = "Group to inspect; required for aggregating tasks.")
	private @Nullable String group;

	@Option(names = "--page", defaultValue = "1", paramLabel = "<number>",
			description = "Page number (default: ${DEFAULT-VALUE}).")
	private int page;

	@Option(names = "--size", defaultValue = "30", paramLabel = "<number>",
			description = "Page size (default: ${DEFAULT-VALUE}).")
	private int size;

	@Mixin
	private final FilterFlags filters = new FilterFlags();

	public TaskListCommand(Invocation invocation) {
		this.invocation = invocation;
	}

	@Override
	public Integer call() {
		TaskState wanted = TaskStates.require(this.state, this.group, TaskState.ACTIVE, TaskState.PENDING,
				TaskState.AGGREGATING, TaskState.SCHEDULED, TaskState.RETRY, TaskState.ARCHIVED, TaskState.COMPLETED);
		TaskFilter filter = this.filters.filter();
		Page wantedPage = page();
		return this.invocation.run((session) -> {
			List<TaskInfo> tasks = filter.isAll() ? list(session, wanted, wantedPage)
					: search(session, wanted, wantedPage, filter);
			TaskTable table = new TaskTable(wanted, this.invocation);
			this.invocation.output()
				.printAll(tasks, (out) -> table.print(tasks, this.queue, String.valueOf(this.group), out));
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

	private List<TaskInfo> list(Session session, TaskState wanted, Page wantedPage) {
		try {
			return (wanted == TaskState.AGGREGATING)
					? session.inspector().listAggregatingTasks(this.queue, String.valueOf(this.group), wantedPage)
					: session.inspector().listTasks(this.queue, wanted, wantedPage);
		}
		catch (BrokerUnavailableException ex) {
			throw ex;
		}
		catch (AsynqException ex) {
			throw Invocation.failed(GoErrors.ofTask(ex));
		}
	}

	/** Looks at all tasks, part by part, until the page is full. */
	private List<TaskInfo> search(Session session, TaskState wanted, Page wantedPage, TaskFilter filter) {
		TaskRange range = new TaskRange(this.queue, wanted, this.group);
		PageOf found = new PageOf(wantedPage);
		String cursor = null;
		do {
			FoundTasks<TaskInfo> part = session.search()
				.find(range, filter, cursor, TaskSearch.MOST, Function.identity());
			part.entries().forEach(found::add);
			cursor = part.next();
		}
		while (cursor != null && !found.isFull());
		return found.tasks();
	}

}
