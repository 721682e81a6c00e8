package io.asynq.broker;

import java.util.List;
import java.util.Optional;

import io.asynq.CancelMode;
import io.asynq.TaskInfo;
import io.asynq.TaskState;
import io.asynq.broker.message.TaskMove;

/**
 * Reads, moves and changes tasks on request, and counts nothing; lists are in Go's order,
 * without tasks that cannot be decoded or are gone.
 */
public interface TaskKeeper {

	Optional<TaskInfo> find(String queue, String id);

	List<TaskInfo> list(String queue, TaskState state, long offset, int limit);

	List<TaskInfo> listGroup(String queue, String group, long offset, int limit);

	/** When this throws, the first of the tasks may have moved. */
	List<TaskMove.Result> move(String queue, TaskMove move, List<String> ids);

	/**
	 * Moves about as many as there are when it begins, so that it ends; when it throws,
	 * some may have moved.
	 */
	long moveAll(String queue, TaskMove move, TaskState from);

	/**
	 * Moves about as many as there are when it begins, so that it ends; when it throws,
	 * some may have moved.
	 */
	long moveGroup(String queue, TaskMove move, String group);

	/**
	 * Archives or deletes a task that waits, and records the wish for an active one of a
	 * Java server in place of an earlier one; servers are told of a retry in any case,
	 * while {@code lasting} records the wish whoever has the task, and tells nobody.
	 */
	TaskMove.Result cancel(String queue, String id, CancelMode mode, boolean lasting);

	TaskMove.Result updatePayload(String queue, String id, byte[] payload);

}
