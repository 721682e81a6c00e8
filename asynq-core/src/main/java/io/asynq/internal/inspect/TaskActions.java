package io.asynq.internal.inspect;

import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Set;

import io.asynq.AsynqException;
import io.asynq.BrokerException;
import io.asynq.QueueNotFoundException;
import io.asynq.TaskInfo;
import io.asynq.TaskNotFoundException;
import io.asynq.TaskState;
import io.asynq.TaskStateException;
import io.asynq.inspect.QueueStats;
import io.asynq.inspect.RunOptions;
import io.asynq.inspect.TaskActionResult;
import io.asynq.internal.inspect.TaskMove.Result.Status;
import io.asynq.internal.text.GoText;
import org.jspecify.annotations.Nullable;

final class TaskActions {

	private static final Map<TaskMove, Set<TaskState>> SOURCES = new EnumMap<>(Map.of(TaskMove.RUN,
			EnumSet.of(TaskState.SCHEDULED, TaskState.RETRY, TaskState.ARCHIVED), TaskMove.RUN_FRESH,
			EnumSet.of(TaskState.SCHEDULED, TaskState.RETRY, TaskState.ARCHIVED), TaskMove.ARCHIVE,
			EnumSet.of(TaskState.PENDING, TaskState.SCHEDULED, TaskState.RETRY), TaskMove.DELETE, EnumSet
				.of(TaskState.PENDING, TaskState.SCHEDULED, TaskState.RETRY, TaskState.ARCHIVED, TaskState.COMPLETED)));

	/** If Redis fails, the results of so many are unknown. */
	private static final int AT_ONCE = 100;

	private final QueueReader queues;

	private final TaskKeeper tasks;

	TaskActions(QueueReader queues, TaskKeeper tasks) {
		this.queues = queues;
		this.tasks = tasks;
	}

	void one(String queue, TaskMove move, String id) {
		Arguments.requireText("queue", queue);
		Arguments.requireText("id", id);
		TaskMove.Result result = this.tasks.move(queue, move, List.of(id)).get(0);
		requireQueue(queue, result);
		throwIfPresent(error(queue, id, participle(move), result));
	}

	List<TaskActionResult> each(String queue, TaskMove move, Collection<String> ids) {
		Arguments.requireText("queue", queue);
		Arguments.requireValue("ids", ids);
		requireQueue(queue);
		List<String> all = new ArrayList<>(ids);
		Iterator<@Nullable AsynqException> errors = errors(queue, move,
				all.stream().filter(TaskActions::isText).toList())
			.iterator();
		List<TaskActionResult> results = new ArrayList<>(all.size());
		for (String id : all) {
			results.add(new TaskActionResult(String.valueOf(id), isText(id) ? errors.next()
					: new AsynqException("The id of a task must not be blank, but is '" + id + "'")));
		}
		return results;
	}

	long run(String queue, TaskState from, RunOptions options, Instant now) {
		return options.hasConditions() ? some(queue, from, options, now) : all(queue, move(options), from);
	}

	static TaskMove move(RunOptions options) {
		return options.isFresh() ? TaskMove.RUN_FRESH : TaskMove.RUN;
	}

	long all(String queue, TaskMove move, TaskState from) {
		requireSource(queue, move, from);
		return this.tasks.moveAll(queue, move, from);
	}

	/** Looks at about as many tasks as there are at the beginning, so that it ends. */
	private long some(String queue, TaskState from, RunOptions options, Instant now) {
		TaskMove move = move(options);
		requireSource(queue, move, from);
		QueueStats stats = this.queues.stats(queue).orElseThrow(() -> new QueueNotFoundException(queue));
		long size = stats.sizes().getOrDefault(from, 0L);
		long offset = 0;
		long moved = 0;
		while (offset < size) {
			List<String> chosen = this.tasks.list(queue, from, offset, AT_ONCE)
				.stream()
				.filter((task) -> options.chooses(task, now))
				.map(TaskInfo::id)
				.toList();
			long done = chosen.isEmpty() ? 0
					: this.tasks.move(queue, move, chosen)
						.stream()
						.filter((result) -> result.status() == Status.DONE)
						.count();
			moved += done;
			// Those behind the ones that have left have moved up
			offset += AT_ONCE - done;
			size -= done;
		}
		return moved;
	}

	private void requireSource(String queue, TaskMove move, TaskState from) {
		Arguments.requireText("queue", queue);
		Arguments.requireValue("state", from);
		Set<TaskState> sources = SOURCES.get(move);
		if (!sources.contains(from)) {
			throw new AsynqException("All tasks of a state can be " + participle(move) + " from "
					+ sources.stream().map(TaskState::wireName).toList() + ", not from " + from.wireName()
					+ ((from == TaskState.AGGREGATING) ? ": name their group" : ""));
		}
		requireQueue(queue);
	}

	long group(String queue, TaskMove move, String group) {
		Arguments.requireText("queue", queue);
		Arguments.requireText("group", group);
		requireQueue(queue);
		return this.tasks.moveGroup(queue, move, group);
	}

	void updatePayload(String queue, String id, byte[] payload) {
		Arguments.requireText("queue", queue);
		Arguments.requireText("id", id);
		Arguments.requireValue("payload", payload);
		TaskMove.Result result = this.tasks.updatePayload(queue, id, payload);
		requireQueue(queue, result);
		if (result.status() == Status.WRONG_STATE && result.state() != null) {
			throw new TaskStateException(queue, id, result.state(),
					"keeps its payload: only that of a scheduled task can be replaced");
		}
		throwIfPresent(error(queue, id, "changed", result));
	}

	private List<@Nullable AsynqException> errors(String queue, TaskMove move, List<String> ids) {
		List<@Nullable AsynqException> errors = new ArrayList<>(ids.size());
		try {
			while (errors.size() < ids.size()) {
				List<String> some = ids.subList(errors.size(), Math.min(errors.size() + AT_ONCE, ids.size()));
				List<TaskMove.Result> results = this.tasks.move(queue, move, some);
				for (int i = 0; i < some.size(); i++) {
					errors.add(error(queue, some.get(i), participle(move), results.get(i)));
				}
			}
		}
		catch (BrokerException ex) {
			// Earlier results are returned all the same
			errors.addAll(Collections.nCopies(ids.size() - errors.size(), ex));
		}
		return errors;
	}

	private void requireQueue(String queue, TaskMove.Result result) {
		if (result.status() == Status.NOT_FOUND) {
			requireQueue(queue);
		}
	}

	private void requireQueue(String queue) {
		if (!this.queues.exists(queue)) {
			throw new QueueNotFoundException(queue);
		}
	}

	static @Nullable AsynqException error(String queue, String id, String verb, TaskMove.Result result) {
		TaskState state = result.state();
		String subject = "Task '" + id + "' of queue '" + queue + "'";
		return switch (result.status()) {
			case DONE, RECORDED -> null;
			case NOT_FOUND -> new TaskNotFoundException(queue, id);
			case WRONG_STATE ->
				new TaskStateException(queue, id, (state != null) ? state : TaskState.ACTIVE, reason(verb, state));
			case MISPLACED ->
				(state == TaskState.AGGREGATING) ? new TaskStateException(queue, id, state,
						"cannot be " + verb + ": it has left its group; either it is being aggregated at this moment,"
								+ " or it was lost, which QueueRepair repairs")
						: new BrokerException(
								subject + " cannot be " + verb + ": it is not in the container of its state '"
										+ ((state != null) ? state.wireName() : "") + "'; QueueRepair repairs that",
								null);
			case BROKEN -> new BrokerException(subject + " cannot be " + verb + ": a key of the queue has the wrong"
					+ " type, or its message cannot be decoded; QueueRepair.diagnose tells which", null);
			case CONTENDED ->
				new BrokerException(subject + " cannot be " + verb + ": it keeps changing; try again", null);
		};
	}

	private static String reason(String verb, @Nullable TaskState state) {
		return "cannot be " + verb + ": " + ((state == TaskState.ACTIVE)
				? "a server is working on it; AsynqInspector.cancelTask asks the server to stop" : "it already is");
	}

	private static String participle(TaskMove move) {
		return switch (move) {
			case RUN, RUN_FRESH -> "run";
			case ARCHIVE -> "archived";
			case DELETE -> "deleted";
		};
	}

	static void throwIfPresent(@Nullable AsynqException error) {
		if (error != null) {
			throw error;
		}
	}

	private static boolean isText(String id) {
		return !GoText.isBlank(id);
	}

}
