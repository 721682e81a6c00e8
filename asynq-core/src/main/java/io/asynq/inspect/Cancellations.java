package io.asynq.inspect;

import io.asynq.CancelMode;
import io.asynq.QueueNotFoundException;
import io.asynq.TaskState;
import io.asynq.TaskStateException;
import io.asynq.broker.FleetReader;
import io.asynq.broker.QueueReader;
import io.asynq.broker.Signals;
import io.asynq.broker.TaskKeeper;
import io.asynq.broker.message.TaskMove;
import io.asynq.broker.message.TaskMove.Result.Status;

/**
 * Cancels tasks and translates results to errors.
 */
final class Cancellations implements TaskCancellation {

	private final QueueReader queues;

	private final TaskKeeper tasks;

	private final FleetReader fleet;

	private final Signals signals;

	Cancellations(QueueReader queues, TaskKeeper tasks, FleetReader fleet, Signals signals) {
		this.queues = queues;
		this.tasks = tasks;
		this.fleet = fleet;
		this.signals = signals;
	}

	@Override
	public void cancelTask(String id) {
		Arguments.requireText("id", id);
		this.signals.cancel(id);
	}

	@Override
	public CancelResult cancelTask(String queue, String id, CancelMode mode) {
		Arguments.requireText("queue", queue);
		Arguments.requireText("id", id);
		Arguments.requireValue("mode", mode);
		boolean lasting = mode == CancelMode.RETRY;
		TaskState state = cancel(queue, id, mode, lasting);
		if (state == TaskState.ACTIVE && !lasting && this.fleet.hasJavaServer(queue)) {
			lasting = true;
			// It may wait by now
			state = cancel(queue, id, mode, lasting);
		}
		if (state != TaskState.ACTIVE) {
			return (mode == CancelMode.ARCHIVE) ? CancelResult.ARCHIVED : CancelResult.DELETED;
		}
		this.signals.cancel(id);
		return (lasting && mode != CancelMode.RETRY) ? CancelResult.RECORDED : CancelResult.SIGNAL_SENT;
	}

	/**
	 * Cancels a task.
	 * @return the state that it had
	 */
	private TaskState cancel(String queue, String id, CancelMode mode, boolean lasting) {
		TaskMove.Result result = this.tasks.cancel(queue, id, mode, lasting);
		TaskState state = result.state();
		if (result.status() == Status.NOT_FOUND && !this.queues.exists(queue)) {
			throw new QueueNotFoundException(queue);
		}
		if (result.status() == Status.WRONG_STATE && state != null) {
			throw new TaskStateException(queue, id, state,
					"cannot be cancelled: " + ((state == TaskState.ARCHIVED || state == TaskState.COMPLETED)
							? "it has ended"
							: "no server is working on it; another CancelMode archives or deletes tasks that wait"));
		}
		TaskActions.throwIfPresent(TaskActions.error(queue, id, "cancelled", result));
		return (state != null) ? state : TaskState.ACTIVE;
	}

}
