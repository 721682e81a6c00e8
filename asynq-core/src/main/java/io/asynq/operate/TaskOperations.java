package io.asynq.operate;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

import io.asynq.AsynqException;
import io.asynq.Task;
import io.asynq.TaskInfo;
import io.asynq.TaskOptions;
import io.asynq.TaskState;
import io.asynq.TaskStateException;
import io.asynq.client.AsynqClient;
import io.asynq.info.GroupInfo;
import io.asynq.inspect.AsynqInspector;
import io.asynq.inspect.Page;
import io.asynq.inspect.TaskActionResult;
import org.jspecify.annotations.Nullable;

/**
 * Lists tasks and changes them, some hundred at a time. Safe for concurrent use.
 */
public final class TaskOperations {

	/** How many tasks one call changes, or ids it takes. */
	static final int MOST = 500;

	private final AsynqInspector inspector;

	private final AsynqClient client;

	public TaskOperations(AsynqInspector inspector, AsynqClient client) {
		this.inspector = inspector;
		this.client = client;
	}

	public TaskInfo task(String queue, String id) {
		return this.inspector.taskInfo(queue, id);
	}

	/**
	 * Lists tasks.
	 * @param cursor the cursor of an earlier answer, {@code null} to begin
	 * @param size how many, from 1 to {@value Cursor#LARGEST}; {@code null} for the
	 * default
	 */
	public Listing<TaskInfo> list(TaskSelection tasks, @Nullable String cursor, @Nullable Integer size) {
		Cursor position = Cursor.of(cursor, size);
		List<TaskInfo> part = list(tasks, position.page());
		// Tasks that cannot be decoded are left out, so a short part need not be the last
		boolean more = position.page().next().offset() < count(tasks);
		return new Listing<>(part, more ? position.next() : null);
	}

	/** Does something with one task, or says why not by its exception. */
	public void actOnOne(TaskAction action, String queue, String id) {
		switch (action) {
			case RUN -> this.inspector.runTask(queue, id);
			case ARCHIVE -> this.inspector.archiveTask(queue, id);
			case DELETE -> this.inspector.deleteTask(queue, id);
			case CANCEL -> cancelIfActive(queue, id);
		}
	}

	/**
	 * Does something with some tasks.
	 * @param ids up to {@value #MOST}
	 */
	public ActionReport act(TaskAction action, String queue, Collection<String> ids) {
		if (ids.size() > MOST) {
			throw new AsynqException("One call takes up to " + MOST + " ids, but has " + ids.size());
		}
		return report(act(action, queue, List.copyOf(ids), new ArrayList<>()), 0);
	}

	/**
	 * Does something with all tasks of a selection, up to {@value #MOST} of them.
	 * @param expectedCount how many tasks the caller expects
	 * @throws UnexpectedCountException if there are many more
	 */
	public ActionReport actOnAll(TaskAction action, TaskSelection tasks, @Nullable Long expectedCount) {
		if (!action.states().contains(tasks.state())) {
			throw new AsynqException(
					"Parameter 'state' must be one of " + action.states().stream().map(TaskState::wireName).toList()
							+ ", but is " + tasks.state().wireName());
		}
		UnexpectedCountException.throwIfMore(count(tasks), expectedCount);
		List<TaskActionResult> results = new ArrayList<>();
		boolean more = true;
		while (more && results.size() < MOST) {
			int size = Math.min(Cursor.LARGEST, MOST - results.size());
			List<String> ids = firstIds(action, tasks, results, size);
			act(action, tasks.queue(), ids, results);
			more = ids.size() == size;
		}
		return report(results, count(tasks));
	}

	/** Replaces the payload of a scheduled task. */
	public void updatePayload(String queue, String id, byte[] payload) {
		this.inspector.updateTaskPayload(queue, id, payload);
	}

	/**
	 * Enqueues a task.
	 * @param payload its bytes, stored as they are
	 */
	public TaskInfo enqueue(String type, byte @Nullable [] payload, TaskOptions options) {
		return this.client.enqueue(Task.of(type, payload), options);
	}

	/**
	 * Returns the first tasks; those that have failed are still where they were, in front
	 * of the others, and so are those that their servers have to interrupt.
	 */
	private List<String> firstIds(TaskAction action, TaskSelection tasks, List<TaskActionResult> results, int size) {
		Set<String> there = results.stream()
			.filter((result) -> !result.done() || action == TaskAction.CANCEL)
			.map(TaskActionResult::id)
			.collect(Collectors.toSet());
		return list(tasks, Page.of(1, size + there.size())).stream()
			.map(TaskInfo::id)
			.filter((id) -> !there.contains(id))
			.limit(size)
			.toList();
	}

	private List<TaskInfo> list(TaskSelection tasks, Page page) {
		String group = tasks.group();
		if (tasks.state() != TaskState.AGGREGATING) {
			return this.inspector.listTasks(tasks.queue(), tasks.state(), page);
		}
		if (group == null) {
			throw new AsynqException("Parameter 'group' is missing: aggregating tasks are listed by group");
		}
		return this.inspector.listAggregatingTasks(tasks.queue(), group, page);
	}

	private long count(TaskSelection tasks) {
		if (tasks.state() != TaskState.AGGREGATING) {
			return this.inspector.queueInfo(tasks.queue()).size(tasks.state());
		}
		return this.inspector.groups(tasks.queue())
			.stream()
			.filter((group) -> group.name().equals(tasks.group()))
			.mapToLong(GroupInfo::size)
			.sum();
	}

	private List<TaskActionResult> act(TaskAction action, String queue, List<String> ids,
			List<TaskActionResult> results) {
		switch (action) {
			case RUN -> results.addAll(this.inspector.runTasks(queue, ids));
			case ARCHIVE -> results.addAll(this.inspector.archiveTasks(queue, ids));
			case DELETE -> results.addAll(this.inspector.deleteTasks(queue, ids));
			case CANCEL -> ids.forEach((id) -> results.add(cancel(queue, id)));
		}
		return results;
	}

	/** A request to cancel needs no queue, so that a wrong one would not be noticed. */
	private void cancelIfActive(String queue, String id) {
		TaskState state = this.inspector.taskInfo(queue, id).state();
		if (state != TaskState.ACTIVE) {
			throw new TaskStateException(queue, id, state, "cannot be cancelled: no server is working on it");
		}
		this.inspector.cancelTask(id);
	}

	private TaskActionResult cancel(String queue, String id) {
		try {
			cancelIfActive(queue, id);
			return new TaskActionResult(id, null);
		}
		catch (AsynqException ex) {
			return new TaskActionResult(id, ex);
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
