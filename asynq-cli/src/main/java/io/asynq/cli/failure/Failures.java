package io.asynq.cli.failure;

import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

import io.asynq.QueueNotFoundException;
import io.asynq.TaskInfo;
import io.asynq.TaskState;
import io.asynq.cli.command.GoErrors;
import io.asynq.cli.command.Invocation;
import io.asynq.cli.connect.Session;
import io.asynq.inspect.QueueInfo;
import io.asynq.operations.survey.FailureGroup;
import io.asynq.operations.survey.FailureGroups;
import io.asynq.operations.survey.FoundTasks;
import io.asynq.operations.survey.QueueBoard.Board;
import io.asynq.operations.survey.TaskSearch;
import org.jspecify.annotations.Nullable;

/**
 * Reads all failures, part by part.
 */
final class Failures {

	private final FailureGroups groups;

	private final Collection<TaskState> states;

	private final List<QueueInfo> queues;

	private final Invocation invocation;

	/**
	 * @param queue the queue, {@code null} for all
	 * @param states in which states failures count
	 */
	Failures(Invocation invocation, Session session, @Nullable String queue, Collection<TaskState> states) {
		this.invocation = invocation;
		this.groups = session.failures();
		this.states = states;
		this.queues = (queue != null) ? List.of(one(session, queue)) : all(invocation, session);
	}

	/** Returns the groups, the largest first. */
	List<Group> groups() {
		Map<String, Group> byKey = new HashMap<>();
		long left = 0;
		String cursor = null;
		do {
			FailureGroups.Found<String> part = this.groups.find(this.queues, this.states, null, cursor, TaskInfo::id);
			part.groups().forEach((group) -> byKey.merge(group.key(), Group.of(group), Group::plus));
			left += part.groupCount() - part.groups().size();
			cursor = part.next();
		}
		while (cursor != null);
		if (left > 0) {
			this.invocation.tell("warning: " + left + " small groups are left out: --queue looks at fewer failures");
		}
		return byKey.values()
			.stream()
			.sorted(Comparator.comparing(Group::count).reversed().thenComparing(Group::key))
			.toList();
	}

	/** Returns the ids of the tasks of a group by queue. */
	Map<String, List<String>> tasks(Group group) {
		Map<String, List<String>> ids = new TreeMap<>();
		String cursor = null;
		do {
			FoundTasks<TaskInfo> part = this.groups.tasks(this.queues, this.states, group.key(), cursor,
					TaskSearch.MOST, (task) -> task);
			part.entries()
				.forEach((task) -> ids.computeIfAbsent(task.queue(), (queue) -> new ArrayList<>()).add(task.id()));
			cursor = part.next();
		}
		while (cursor != null);
		return ids;
	}

	private static QueueInfo one(Session session, String queue) {
		try {
			return session.inspector().queueInfo(queue);
		}
		catch (QueueNotFoundException ex) {
			throw Invocation.failed("error: " + GoErrors.ofQueue(queue, ex));
		}
	}

	private static List<QueueInfo> all(Invocation invocation, Session session) {
		Board board = session.board().read();
		invocation.tellUnreadable(board);
		return board.queues();
	}

	/**
	 * Tasks of one type that have failed for the same reason.
	 *
	 * @param key identifies the group
	 * @param type the type
	 * @param signature what their errors have in common
	 * @param count how many there are
	 * @param queues how many by queue
	 * @param states how many by state
	 * @param lastFailure when one of them has failed last
	 */
	record Group(String key, String type, String signature, long count, Map<String, Long> queues,
			Map<TaskState, Long> states, @Nullable Instant lastFailure) {

		static Group of(FailureGroup<?> group) {
			return new Group(group.key(), group.type(), group.signature(), group.count(), new TreeMap<>(group.queues()),
					new TreeMap<>(group.states()), group.latestLastFailure());
		}

		Group plus(Group other) {
			Map<String, Long> allQueues = new TreeMap<>(this.queues);
			other.queues.forEach((queue, number) -> allQueues.merge(queue, number, Long::sum));
			Map<TaskState, Long> allStates = new TreeMap<>(this.states);
			other.states.forEach((state, number) -> allStates.merge(state, number, Long::sum));
			Instant later = (this.lastFailure == null
					|| other.lastFailure != null && other.lastFailure.isAfter(this.lastFailure)) ? other.lastFailure
							: this.lastFailure;
			return new Group(this.key, this.type, this.signature, this.count + other.count, allQueues, allStates,
					later);
		}

	}

}
