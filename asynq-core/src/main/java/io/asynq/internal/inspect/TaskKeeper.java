package io.asynq.internal.inspect;

import java.util.List;
import java.util.Optional;

import io.asynq.CancelMode;
import io.asynq.TaskInfo;
import io.asynq.TaskState;

/** Counts nothing; lists are in Go's order, without tasks that cannot be decoded. */
public interface TaskKeeper {

	Optional<TaskInfo> find(String queue, String id);

	List<TaskInfo> list(String queue, TaskState state, long offset, int limit);

	List<TaskInfo> listGroup(String queue, String group, long offset, int limit);

	/** When this throws, the first of the tasks may have moved. */
	List<TaskMove.Result> move(String queue, TaskMove move, List<String> ids);

	/** Moves about as many as there are at first, so that it ends; may fail halfway. */
	long moveAll(String queue, TaskMove move, TaskState from);

	/** Moves about as many as there are at first, so that it ends; may fail halfway. */
	long moveGroup(String queue, TaskMove move, String group);

	/**
	 * For an active task of a Java server the wish is recorded, instead of an earlier
	 * one, and servers are told, of a retry in any case; {@code lasting} records it
	 * whoever has the task, and tells nobody.
	 */
	TaskMove.Result cancel(String queue, String id, CancelMode mode, boolean lasting);

	TaskMove.Result updatePayload(String queue, String id, byte[] payload);

}
