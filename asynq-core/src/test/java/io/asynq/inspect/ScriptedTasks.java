package io.asynq.inspect;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

import io.asynq.BrokerUnavailableException;
import io.asynq.CancelMode;
import io.asynq.TaskInfo;
import io.asynq.TaskState;
import io.asynq.internal.inspect.TaskKeeper;
import io.asynq.internal.inspect.TaskMove;
import io.asynq.internal.inspect.TaskMove.Result.Status;

/**
 * Finds and lists the given tasks, and moves all tasks except those with a scripted
 * result.
 */
final class ScriptedTasks extends TaskKeeper {

	final Map<String, TaskMove.Result> results = new HashMap<>();

	final Map<List<String>, TaskInfo> infos = new HashMap<>();

	final List<String> calls = new ArrayList<>();

	/** The number of calls until Redis becomes unavailable. */
	int callsLeft = Integer.MAX_VALUE;

	ScriptedTasks() {
		super(null, null, null);
	}

	@Override
	public Optional<TaskInfo> find(String queue, String id) {
		return Optional.ofNullable(this.infos.get(List.of(queue, id)));
	}

	@Override
	public List<TaskInfo> list(String queue, TaskState state, long offset, int limit) {
		this.calls.add(queue + " " + state + " " + offset + " " + limit);
		return List.of();
	}

	@Override
	public List<TaskInfo> listGroup(String queue, String group, long offset, int limit) {
		this.calls.add(queue + " group " + group + " " + offset + " " + limit);
		return List.of();
	}

	@Override
	public List<TaskMove.Result> move(String queue, TaskMove move, List<String> ids) {
		if (this.callsLeft-- == 0) {
			throw new BrokerUnavailableException("Redis cannot be reached", null);
		}
		this.calls.add(queue + " " + move + " " + ids);
		return ids.stream().map(this::result).toList();
	}

	@Override
	public long moveAll(String queue, TaskMove move, TaskState from) {
		this.calls.add(queue + " " + move + " all " + from);
		return 7;
	}

	@Override
	public long moveGroup(String queue, TaskMove move, String group) {
		this.calls.add(queue + " " + move + " group " + group);
		return 8;
	}

	@Override
	public TaskMove.Result cancel(String queue, String id, CancelMode mode, boolean lasting) {
		this.calls.add(queue + " cancel " + id + " " + mode + " " + lasting);
		return result(id);
	}

	@Override
	public TaskMove.Result updatePayload(String queue, String id, byte[] payload) {
		this.calls.add(queue + " update " + id + " " + payload.length);
		return result(id);
	}

	private TaskMove.Result result(String id) {
		return this.results.getOrDefault(id, new TaskMove.Result(Status.DONE, TaskState.SCHEDULED));
	}

}
