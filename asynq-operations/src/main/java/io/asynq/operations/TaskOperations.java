package io.asynq.operations;

import java.time.Clock;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

import io.asynq.AsynqClient;
import io.asynq.AsynqException;
import io.asynq.CancelMode;
import io.asynq.Task;
import io.asynq.TaskInfo;
import io.asynq.TaskOptions;
import io.asynq.TaskState;
import io.asynq.TaskStateException;
import io.asynq.inspect.AsynqInspector;
import io.asynq.inspect.CancelResult;
import io.asynq.inspect.Listing;
import io.asynq.inspect.Page;
import io.asynq.inspect.RunOptions;
import io.asynq.inspect.TaskActionResult;
import org.jspecify.annotations.Nullable;

/**
 * One call changes some hundred tasks at most.
 */
public final class TaskOperations {

	static final int MOST = 500;

	static final int MOST_LOOKED_AT = 10_000;

	private final AsynqInspector inspector;

	private final AsynqClient client;

	private final Clock clock;

	public TaskOperations(AsynqInspector inspector, AsynqClient client, Clock clock) {
		this.inspector = inspector;
		this.client = client;
		this.clock = clock;
	}

	public TaskInfo task(String queue, String id) {
		return this.inspector.taskInfo(queue, id);
	}

	public Listing<TaskInfo> list(TaskSelection tasks, @Nullable String cursor, @Nullable Integer size) {
		Cursor position = Cursor.of(cursor, size);
		List<TaskInfo> part = list(tasks, position.page());
		// Tasks that cannot be decoded are left out, so a short part need not be the last
		boolean more = position.page().next().offset() < count(tasks);
		return new Listing<>(part, more ? position.next() : null);
	}

	public void actOnOne(TaskAction action, String queue, String id) {
		switch (action) {
			case RUN -> this.inspector.runTask(queue, id);
			case RUN_FRESH -> this.inspector.runTask(queue, id, RunOptions.freshRetries());
			case ARCHIVE -> this.inspector.archiveTask(queue, id);
			case DELETE -> this.inspector.deleteTask(queue, id);
			case CANCEL -> cancel(queue, id, CancelMode.RETRY);
			case CANCEL_AND_ARCHIVE -> cancel(queue, id, CancelMode.ARCHIVE);
			case CANCEL_AND_DELETE -> cancel(queue, id, CancelMode.DELETE);
		}
	}

	public ActionReport act(TaskAction action, String queue, Collection<String> ids) {
		if (ids.size() > MOST) {
			throw new AsynqException("One call takes up to " + MOST + " ids, but has " + ids.size());
		}
		return report(act(action, queue, List.copyOf(ids), new ArrayList<>()), 0);
	}

	/**
	 * For a selection without conditions, up to {@value #MOST} of its tasks.
	 * @throws UnexpectedCountException if there are many more than expected
	 */
	public ActionReport actOnAll(TaskAction action, TaskSelection tasks, @Nullable Long expectedCount) {
		requireState(action, tasks);
		UnexpectedCountException.throwIfMore(count(tasks), expectedCount);
		List<TaskActionResult> results = new ArrayList<>();
		boolean more = true;
		while (more && results.size() < MOST) {
			int size = Math.min(Cursor.LARGEST, MOST - results.size());
			List<String> ids = firstIds(tasks, results, size);
			act(action, tasks.queue(), ids, results);
			more = ids.size() == size;
		}
		return report(results, count(tasks));
	}

	/**
	 * Looks at {@value #MOST_LOOKED_AT} tasks and changes up to {@value #MOST} of them.
	 * @throws UnexpectedCountException if many more than expected meet the conditions
	 */
	public ActionReport actOnChosen(TaskAction action, TaskSelection tasks, @Nullable String cursor,
			@Nullable Long expectedCount) {
		requireState(action, tasks);
		Cursor first = Cursor.of(cursor, Cursor.LARGEST);
		long count = count(tasks);
		long end = Math.min(count, first.page().offset() + MOST_LOOKED_AT);
		List<String> chosen = chosen(tasks, first.page(), end);
		UnexpectedCountException.throwIfMore(chosen.size(), expectedCount);
		List<TaskActionResult> results = act(action, tasks.queue(), chosen.subList(0, Math.min(MOST, chosen.size())),
				new ArrayList<>());
		ActionReport report = report(results, 0);
		// Those behind the ones that have left have moved up
		long left = (tasks.state() == TaskState.ACTIVE) ? 0 : report.done();
		Cursor rest = (chosen.size() > MOST) ? first : first.at(end - left);
		boolean more = chosen.size() > MOST || end < count;
		return new ActionReport(report.done(), report.failed(), chosen.size() - report.done(),
				more ? rest.text() : null);
	}

	public void updatePayload(String queue, String id, byte[] payload) {
		this.inspector.updateTaskPayload(queue, id, payload);
	}

	public TaskInfo enqueue(String type, byte @Nullable [] payload, TaskOptions options) {
		return this.client.enqueue(Task.of(type, payload), options);
	}

	/**
	 * Tasks that have failed are still where they were, in front of the others, and so
	 * are those that their servers have to interrupt.
	 */
	private List<String> firstIds(TaskSelection tasks, List<TaskActionResult> results, int size) {
		Set<String> there = results.stream()
			.filter((result) -> !result.done() || tasks.state() == TaskState.ACTIVE)
			.map(TaskActionResult::id)
			.collect(Collectors.toSet());
		return list(tasks, Page.of(1, size + there.size())).stream()
			.map(TaskInfo::id)
			.filter((id) -> !there.contains(id))
			.limit(size)
			.toList();
	}

	private List<String> chosen(TaskSelection tasks, Page first, long end) {
		Instant now = this.clock.instant();
		List<String> ids = new ArrayList<>();
		for (Page page = first; page.offset() < end; page = page.next()) {
			list(tasks, page).stream()
				.filter((task) -> tasks.options().chooses(task, now))
				.map(TaskInfo::id)
				.forEach(ids::add);
		}
		return ids;
	}

	private List<TaskInfo> list(TaskSelection tasks, Page page) {
		if (tasks.state() != TaskState.AGGREGATING) {
			return this.inspector.listTasks(tasks.queue(), tasks.state(), page);
		}
		return this.inspector.listAggregatingTasks(tasks.queue(), group(tasks), page);
	}

	private long count(TaskSelection tasks) {
		if (tasks.state() != TaskState.AGGREGATING) {
			return this.inspector.queueInfo(tasks.queue()).size(tasks.state());
		}
		return this.inspector.groupInfo(tasks.queue(), group(tasks)).size();
	}

	private static void requireState(TaskAction action, TaskSelection tasks) {
		if (!action.states().contains(tasks.state())) {
			throw new AsynqException(
					"Parameter 'state' must be one of " + action.states().stream().map(TaskState::wireName).toList()
							+ ", but is " + tasks.state().wireName());
		}
	}

	private static String group(TaskSelection tasks) {
		String group = tasks.group();
		if (group == null) {
			throw new AsynqException("Parameter 'group' is missing: aggregating tasks are listed by group");
		}
		return group;
	}

	private List<TaskActionResult> act(TaskAction action, String queue, List<String> ids,
			List<TaskActionResult> results) {
		switch (action) {
			case RUN -> results.addAll(this.inspector.runTasks(queue, ids));
			case RUN_FRESH -> results.addAll(this.inspector.runTasks(queue, ids, RunOptions.freshRetries()));
			case ARCHIVE -> results.addAll(this.inspector.archiveTasks(queue, ids));
			case DELETE -> results.addAll(this.inspector.deleteTasks(queue, ids));
			case CANCEL, CANCEL_AND_ARCHIVE, CANCEL_AND_DELETE ->
				ids.forEach((id) -> results.add(tryOne(action, queue, id)));
		}
		return results;
	}

	private TaskActionResult tryOne(TaskAction action, String queue, String id) {
		try {
			actOnOne(action, queue, id);
			return new TaskActionResult(id, null);
		}
		catch (AsynqException ex) {
			return new TaskActionResult(id, ex);
		}
	}

	/** A wish that nobody can keep is an error, although the signal was sent. */
	private void cancel(String queue, String id, CancelMode mode) {
		CancelResult result = this.inspector.cancelTask(queue, id, mode);
		if (result == CancelResult.SIGNAL_SENT && mode != CancelMode.RETRY) {
			throw new TaskStateException(queue, id, TaskState.ACTIVE,
					"was only sent the signal to cancel, so it may run again: it is active, and its queue has no live"
							+ " Java server, which would store that the task is to be "
							+ ((mode == CancelMode.ARCHIVE) ? "archived" : "deleted"));
		}
	}

	private static ActionReport report(List<TaskActionResult> results, long remaining) {
		List<ActionReport.Failure> failed = new ArrayList<>();
		for (TaskActionResult result : results) {
			AsynqException error = result.error();
			if (error != null) {
				failed.add(new ActionReport.Failure(result.id(), String.valueOf(error.getMessage())));
			}
		}
		return new ActionReport(results.size() - failed.size(), failed, remaining);
	}

}
