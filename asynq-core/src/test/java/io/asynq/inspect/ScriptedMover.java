package io.asynq.inspect;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

import io.asynq.TaskState;
import io.asynq.broker.TaskMove;
import io.asynq.broker.TaskMoveResult;
import io.asynq.broker.TaskMoveResult.Status;
import io.asynq.broker.TaskMover;
import io.asynq.BrokerUnavailableException;

/**
 * Moves everything but what it was told of.
 */
final class ScriptedMover implements TaskMover {

	final Map<String, TaskMoveResult> results = new HashMap<>();

	final List<String> calls = new ArrayList<>();

	/** How many calls it takes until Redis is gone. */
	int callsLeft = Integer.MAX_VALUE;

	@Override
	public List<TaskMoveResult> move(String queue, TaskMove move, List<String> ids) {
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
	public TaskMoveResult updatePayload(String queue, String id, byte[] payload) {
		this.calls.add(queue + " update " + id + " " + payload.length);
		return result(id);
	}

	private TaskMoveResult result(String id) {
		return this.results.getOrDefault(id, new TaskMoveResult(Status.DONE, TaskState.SCHEDULED));
	}

}
