package io.asynq.interop.random;

import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;

import io.asynq.DuplicateTaskException;
import io.asynq.QueueNotFoundException;
import io.asynq.QueueStateException;
import io.asynq.Task;
import io.asynq.TaskIdConflictException;
import io.asynq.TaskNotFoundException;
import io.asynq.TaskOptions;
import io.asynq.TaskState;
import io.asynq.TaskStateException;
import io.asynq.client.AsynqClient;
import io.asynq.inspect.AsynqInspector;
import io.asynq.interop.random.Operation.Action;
import io.asynq.interop.random.Operation.Enqueue;
import io.asynq.interop.random.Operation.Pause;
import io.asynq.interop.random.Operation.Place;
import io.asynq.interop.random.Operation.ToAll;
import io.asynq.interop.random.Operation.ToOne;

/**
 * Carries operations out. What is refused because of the state something happens to be in
 * is part of the game.
 */
final class Applied {

	static final String QUEUE = "random";

	static final String GROUP = "group";

	private static final Set<TaskState> RUNNABLE = EnumSet.of(TaskState.SCHEDULED, TaskState.RETRY, TaskState.ARCHIVED);

	private static final Set<TaskState> ARCHIVABLE = EnumSet.of(TaskState.PENDING, TaskState.SCHEDULED,
			TaskState.RETRY);

	private static final Set<TaskState> DELETABLE = EnumSet.of(TaskState.PENDING, TaskState.SCHEDULED, TaskState.RETRY,
			TaskState.ARCHIVED, TaskState.COMPLETED);

	private final List<Enqueue> enqueued = new ArrayList<>();

	private final AsynqClient client;

	private final AsynqInspector inspector;

	Applied(AsynqClient client, AsynqInspector inspector) {
		this.client = client;
		this.inspector = inspector;
	}

	void apply(Operation operation) {
		try {
			if (operation instanceof Enqueue enqueue) {
				this.enqueued.add(enqueue);
				enqueue(enqueue, this.enqueued.size() - 1);
			}
			else if (operation instanceof Pause pause) {
				pause(pause.paused());
			}
			else if (operation instanceof ToAll toAll) {
				toAll(toAll.action(), toAll.state());
			}
			else if (!this.enqueued.isEmpty()) {
				toTask(operation);
			}
		}
		catch (DuplicateTaskException | TaskIdConflictException | TaskNotFoundException | TaskStateException
				| QueueStateException | QueueNotFoundException ex) {
			// As it may be
		}
	}

	void resume() {
		apply(new Pause(false));
	}

	private void toTask(Operation operation) {
		if (operation instanceof Operation.EnqueueAgain again) {
			int number = again.task() % this.enqueued.size();
			enqueue(this.enqueued.get(number), number);
		}
		else if (operation instanceof ToOne one) {
			String id = id(one.task() % this.enqueued.size());
			switch (one.action()) {
				case RUN -> this.inspector.runTask(QUEUE, id);
				case ARCHIVE -> this.inspector.archiveTask(QUEUE, id);
				case DELETE -> this.inspector.deleteTask(QUEUE, id);
			}
		}
	}

	private void enqueue(Enqueue enqueue, int number) {
		TaskOptions options = TaskOptions.of((builder) -> {
			builder.queue(QUEUE).taskId(id(number)).maxRetry(enqueue.maxRetry());
			builder.retention(enqueue.retained() ? Duration.ofHours(1) : Duration.ZERO);
			if (enqueue.unique()) {
				builder.unique(Duration.ofHours(2));
			}
			if (enqueue.place() == Place.GROUP) {
				builder.group(GROUP);
			}
			else if (enqueue.place() != Place.PENDING) {
				builder.processIn((enqueue.place() == Place.SOON) ? Duration.ofSeconds(1) : Duration.ofHours(1));
			}
		});
		this.client.enqueue(Task.of(enqueue.fate().type(), "payload " + enqueue.payload()), options);
	}

	private void toAll(Action action, TaskState state) {
		boolean group = state == TaskState.AGGREGATING;
		switch (action) {
			case RUN -> {
				if (group) {
					this.inspector.runAllAggregatingTasks(QUEUE, GROUP);
				}
				else if (RUNNABLE.contains(state)) {
					this.inspector.runAllTasks(QUEUE, state);
				}
			}
			case ARCHIVE -> {
				if (group) {
					this.inspector.archiveAllAggregatingTasks(QUEUE, GROUP);
				}
				else if (ARCHIVABLE.contains(state)) {
					this.inspector.archiveAllTasks(QUEUE, state);
				}
			}
			case DELETE -> {
				if (group) {
					this.inspector.deleteAllAggregatingTasks(QUEUE, GROUP);
				}
				else if (DELETABLE.contains(state)) {
					this.inspector.deleteAllTasks(QUEUE, state);
				}
			}
		}
	}

	private void pause(boolean paused) {
		if (paused) {
			this.inspector.pauseQueue(QUEUE);
		}
		else {
			this.inspector.resumeQueue(QUEUE);
		}
	}

	private static String id(int number) {
		return "task-" + number;
	}

}
