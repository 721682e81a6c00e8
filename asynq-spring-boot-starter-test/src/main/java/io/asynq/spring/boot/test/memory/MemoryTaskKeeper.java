package io.asynq.spring.boot.test.memory;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

import io.asynq.CancelMode;
import io.asynq.TaskInfo;
import io.asynq.TaskState;
import io.asynq.internal.inspect.TaskKeeper;
import io.asynq.internal.inspect.TaskMove;
import io.asynq.internal.inspect.TaskMove.Result.Status;
import org.jspecify.annotations.Nullable;

/**
 * Reads, moves and changes tasks on request.
 */
final class MemoryTaskKeeper implements TaskKeeper {

	private final MemoryStore store;

	MemoryTaskKeeper(MemoryStore store) {
		this.store = store;
	}

	@Override
	public Optional<TaskInfo> find(String queue, String id) {
		synchronized (this.store) {
			return Optional.ofNullable(this.store.queue(queue).find(id)).map((task) -> task.info(this.store.now()));
		}
	}

	@Override
	public List<TaskInfo> list(String queue, TaskState state, long offset, int limit) {
		synchronized (this.store) {
			return infos(this.store.queue(queue).in(state), offset, limit);
		}
	}

	@Override
	public List<TaskInfo> listGroup(String queue, String group, long offset, int limit) {
		synchronized (this.store) {
			return infos(this.store.queue(queue).inGroup(group), offset, limit);
		}
	}

	@Override
	public List<TaskMove.Result> move(String name, TaskMove move, List<String> ids) {
		synchronized (this.store) {
			MemoryQueue queue = this.store.queue(name);
			List<TaskMove.Result> results = new ArrayList<>(ids.size());
			List<StoredTask> moved = new ArrayList<>();
			for (String id : ids) {
				StoredTask task = queue.find(id);
				TaskState state = moved.contains(task) ? target(move) : (task != null) ? task.state : null;
				results.add(result(move, state));
				if (task != null && results.get(results.size() - 1).status() == Status.DONE) {
					moved.add(task);
				}
			}
			apply(queue, move, moved);
			return results;
		}
	}

	@Override
	public long moveAll(String name, TaskMove move, TaskState from) {
		synchronized (this.store) {
			MemoryQueue queue = this.store.queue(name);
			return apply(queue, move, queue.in(from));
		}
	}

	@Override
	public long moveGroup(String name, TaskMove move, String group) {
		synchronized (this.store) {
			MemoryQueue queue = this.store.queue(name);
			return apply(queue, move, queue.inGroup(group));
		}
	}

	@Override
	public TaskMove.Result cancel(String name, String id, CancelMode mode, boolean lasting) {
		synchronized (this.store) {
			MemoryQueue queue = this.store.queue(name);
			StoredTask task = queue.find(id);
			if (task == null) {
				return new TaskMove.Result(Status.NOT_FOUND, null);
			}
			TaskState state = task.state;
			if (state == TaskState.ACTIVE && lasting && mode != CancelMode.RETRY) {
				throw Unsupported.operation("TaskKeeper.cancel", "the cancellation of an active task");
			}
			if (state != TaskState.ACTIVE
					&& (mode == CancelMode.RETRY || state == TaskState.ARCHIVED || state == TaskState.COMPLETED)) {
				return new TaskMove.Result(Status.WRONG_STATE, state);
			}
			if (state != TaskState.ACTIVE) {
				apply(queue, (mode == CancelMode.ARCHIVE) ? TaskMove.ARCHIVE : TaskMove.DELETE, List.of(task));
			}
			return new TaskMove.Result(Status.DONE, state);
		}
	}

	@Override
	public TaskMove.Result updatePayload(String queue, String id, byte[] payload) {
		synchronized (this.store) {
			StoredTask task = this.store.queue(queue).find(id);
			if (task == null) {
				return new TaskMove.Result(Status.NOT_FOUND, null);
			}
			if (task.state != TaskState.SCHEDULED) {
				return new TaskMove.Result(Status.WRONG_STATE, task.state);
			}
			task.message = task.message.toBuilder().payload(payload.clone()).build();
			return new TaskMove.Result(Status.DONE, TaskState.SCHEDULED);
		}
	}

	private static TaskMove.Result result(TaskMove move, @Nullable TaskState state) {
		if (state == null) {
			return new TaskMove.Result(Status.NOT_FOUND, null);
		}
		boolean wrong = state == TaskState.ACTIVE || state == target(move);
		return new TaskMove.Result(wrong ? Status.WRONG_STATE : Status.DONE, state);
	}

	private static @Nullable TaskState target(TaskMove move) {
		return switch (move) {
			case RUN, RUN_FRESH -> TaskState.PENDING;
			case ARCHIVE -> TaskState.ARCHIVED;
			case DELETE -> null;
		};
	}

	private long apply(MemoryQueue queue, TaskMove move, List<StoredTask> tasks) {
		switch (move) {
			case RUN -> tasks.forEach((task) -> queue.toPending(task, this.store.now()));
			case RUN_FRESH -> tasks.forEach((task) -> {
				task.message = task.message.toBuilder().retried(0).build();
				queue.toPending(task, this.store.now());
			});
			case ARCHIVE ->
				queue.toArchive(tasks, this.store.seconds()).forEach((gone) -> this.store.release(gone.message));
			case DELETE -> tasks.forEach((task) -> {
				queue.delete(task);
				this.store.release(task.message);
			});
		}
		return tasks.size();
	}

	private List<TaskInfo> infos(List<StoredTask> tasks, long offset, int limit) {
		return tasks.stream().skip(offset).limit(limit).map((task) -> task.info(this.store.now())).toList();
	}

}
