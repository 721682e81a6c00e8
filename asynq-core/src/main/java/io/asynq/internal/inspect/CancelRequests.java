package io.asynq.internal.inspect;

import io.asynq.CancelMode;
import io.asynq.QueueNotFoundException;
import io.asynq.TaskState;
import io.asynq.TaskStateException;
import io.asynq.inspect.CancelResult;
import io.asynq.inspect.TaskCancellation;
import io.asynq.internal.cancel.CancelChannel;
import io.asynq.internal.fleet.FleetReader;
import io.asynq.internal.inspect.TaskMove.Result.Status;
import io.asynq.internal.lane.LaneThreads;
import io.asynq.internal.lane.Lanes;

final class CancelRequests implements TaskCancellation {

	private final QueueReader queues;

	private final TaskKeeper tasks;

	private final FleetReader fleet;

	private final CancelChannel channel;

	private final Lanes lanes;

	private final LaneThreads threads;

	CancelRequests(QueueReader queues, TaskKeeper tasks, FleetReader fleet, CancelChannel channel, Lanes lanes) {
		this.queues = queues;
		this.tasks = tasks;
		this.fleet = fleet;
		this.channel = channel;
		this.lanes = lanes;
		this.threads = lanes.threads("asynq-inspector");
	}

	@Override
	public void cancelTask(String id) {
		Arguments.requireText("id", id);
		this.channel.cancel(id);
	}

	@Override
	public CancelResult cancelTask(String queue, String id, CancelMode mode) {
		Arguments.requireText("queue", queue);
		Arguments.requireText("id", id);
		Arguments.requireValue("mode", mode);
		CancelResult result = cancel(queue, id, mode, false);
		if (result != CancelResult.SIGNAL_SENT || mode == CancelMode.RETRY) {
			return result;
		}
		if (isServedByJava(queue)) {
			// Go has it, but ours will settle it; it may wait by now
			result = cancel(queue, id, mode, true);
		}
		if (result == CancelResult.SIGNAL_SENT || result == CancelResult.RECORDED) {
			this.channel.cancel(queue, id);
		}
		return result;
	}

	/** The list of servers may lie on a master that hangs, unlike the task. */
	private boolean isServedByJava(String queue) {
		return Boolean.TRUE.equals(this.lanes.ask(this.threads, "servers", () -> this.fleet.hasJavaServer(queue)));
	}

	private CancelResult cancel(String queue, String id, CancelMode mode, boolean lasting) {
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
		if (state == null || state == TaskState.ACTIVE) {
			return (result.status() == Status.RECORDED) ? CancelResult.RECORDED : CancelResult.SIGNAL_SENT;
		}
		return (mode == CancelMode.ARCHIVE) ? CancelResult.ARCHIVED : CancelResult.DELETED;
	}

}
