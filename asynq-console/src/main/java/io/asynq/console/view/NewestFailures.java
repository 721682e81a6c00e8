package io.asynq.console.view;

import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

import io.asynq.TaskInfo;
import io.asynq.TaskState;
import io.asynq.inspect.QueueInfo;
import io.asynq.operations.Confidential;
import io.asynq.operations.survey.FailureKey;
import io.asynq.operations.survey.TaskSurvey;

/**
 * Finds the tasks that have failed last in all queues. A queue is looked at again only
 * when its counters say that something has failed, or failures have left. Of its archive
 * the newest are read, of its retries those that are due first and last: the time at
 * which they failed is known to each task alone.
 */
final class NewestFailures {

	private static final int SHOWN = 10;

	private static final int LOOKED_AT = 20;

	/** So many queues are looked at in one call, those with the most failures today. */
	private static final int QUEUES = 20;

	private final TaskSurvey tasks;

	private final Map<String, Seen> seen = new HashMap<>();

	NewestFailures(TaskSurvey tasks) {
		this.tasks = tasks;
	}

	synchronized List<TaskInfo> read(List<QueueInfo> queues) {
		List<TaskInfo> newest = new ArrayList<>();
		Map<String, Seen> still = new HashMap<>();
		queues.stream()
			.filter((queue) -> queue.size(TaskState.RETRY) + queue.size(TaskState.ARCHIVED) > 0)
			.sorted(Comparator.comparingLong((QueueInfo queue) -> -queue.failed()).thenComparing(QueueInfo::queue))
			.limit(QUEUES)
			.forEach((queue) -> {
				Mark mark = new Mark(queue.failedTotal(), queue.size(TaskState.RETRY), queue.size(TaskState.ARCHIVED));
				Seen before = this.seen.get(queue.queue());
				Seen now = (before != null && before.mark().equals(mark)) ? before : new Seen(mark, look(queue));
				still.put(queue.queue(), now);
				newest.addAll(now.tasks());
			});
		this.seen.clear();
		this.seen.putAll(still);
		return newest(newest);
	}

	private List<TaskInfo> look(QueueInfo queue) {
		List<TaskInfo> found = new ArrayList<>();
		long archived = queue.size(TaskState.ARCHIVED);
		if (archived > 0) {
			add(queue.queue(), TaskState.ARCHIVED, Math.max(0, archived - LOOKED_AT), found);
		}
		long retry = queue.size(TaskState.RETRY);
		if (retry > 0) {
			add(queue.queue(), TaskState.RETRY, 0, found);
			if (retry > LOOKED_AT) {
				add(queue.queue(), TaskState.RETRY, Math.max(LOOKED_AT, retry - LOOKED_AT), found);
			}
		}
		return newest(found);
	}

	private void add(String queue, TaskState state, long offset, List<TaskInfo> found) {
		this.tasks.slice(queue, state, null, offset, LOOKED_AT).tasks().forEach((task) -> {
			if (task.lastFailedAt() != null && FailureKey.hasFailed(task)) {
				// Payloads may be large, and nobody may see them here
				found.add(Confidential.hide(task));
			}
		});
	}

	private static List<TaskInfo> newest(List<TaskInfo> tasks) {
		return tasks.stream()
			.sorted(Comparator.comparing(NewestFailures::failedAt).reversed().thenComparing(TaskInfo::id))
			.limit(SHOWN)
			.toList();
	}

	private static Instant failedAt(TaskInfo task) {
		Instant at = task.lastFailedAt();
		return (at != null) ? at : Instant.MIN;
	}

	private record Mark(long failed, long retry, long archived) {
	}

	private record Seen(Mark mark, List<TaskInfo> tasks) {
	}

}
