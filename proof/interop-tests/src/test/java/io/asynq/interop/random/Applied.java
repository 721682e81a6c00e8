package io.asynq.interop.random;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;

import io.asynq.AsynqClient;
import io.asynq.DuplicateTaskException;
import io.asynq.QueueNotFoundException;
import io.asynq.QueueStateException;
import io.asynq.Task;
import io.asynq.TaskIdConflictException;
import io.asynq.TaskNotFoundException;
import io.asynq.TaskOptions;
import io.asynq.TaskState;
import io.asynq.TaskStateException;
import io.asynq.inspect.AsynqInspector;
import io.asynq.inspect.TaskActionResult;
import io.asynq.interop.random.Operation.Action;
import io.asynq.interop.random.Operation.Cancel;
import io.asynq.interop.random.Operation.Enqueue;
import io.asynq.interop.random.Operation.EnqueueTogether;
import io.asynq.interop.random.Operation.Pause;
import io.asynq.interop.random.Operation.Place;
import io.asynq.interop.random.Operation.ToAll;
import io.asynq.interop.random.Operation.ToMany;
import io.asynq.interop.random.Operation.ToOne;
import io.asynq.interop.random.Operation.UpdatePayload;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Performs operations. Operations that are refused because of the current state are
 * expected.
 */
final class Applied {

	static final String QUEUE = "random";

	/** The second name looks like a staged set of the first, except for its end. */
	static final List<String> GROUPS = List.of("group", "group:2");

	private static final Set<TaskState> RUNNABLE = EnumSet.of(TaskState.SCHEDULED, TaskState.RETRY, TaskState.ARCHIVED);

	private static final Set<TaskState> ARCHIVABLE = EnumSet.of(TaskState.PENDING, TaskState.SCHEDULED,
			TaskState.RETRY);

	private static final Set<TaskState> DELETABLE = EnumSet.of(TaskState.PENDING, TaskState.SCHEDULED, TaskState.RETRY,
			TaskState.ARCHIVED, TaskState.COMPLETED);

	private final List<Enqueue> enqueued = new ArrayList<>();

	private final AsynqClient client;

	private final AsynqInspector inspector;

	private final Attempts attempts;

	Applied(AsynqClient client, AsynqInspector inspector, Attempts attempts) {
		this.client = client;
		this.inspector = inspector;
		this.attempts = attempts;
	}

	void apply(Operation operation) {
		try {
			if (operation instanceof Enqueue enqueue) {
				this.enqueued.add(enqueue);
				this.client.enqueue(task(enqueue), options(enqueue, this.enqueued.size() - 1));
			}
			else if (operation instanceof EnqueueTogether together) {
				enqueueAll(together.tasks());
			}
			else if (operation instanceof Pause pause) {
				pause(pause.paused());
			}
			else if (operation instanceof Cancel cancel) {
				this.attempts.cancel(cancel.attempt());
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
			// Permitted
		}
	}

	void resume() {
		apply(new Pause(false));
	}

	private void toTask(Operation operation) {
		if (operation instanceof Operation.EnqueueAgain again) {
			int number = again.task() % this.enqueued.size();
			this.client.enqueue(task(this.enqueued.get(number)), options(this.enqueued.get(number), number));
		}
		else if (operation instanceof UpdatePayload update) {
			this.inspector.updateTaskPayload(QUEUE, id(update.task() % this.enqueued.size()),
					payload(update.payload()).getBytes(StandardCharsets.UTF_8));
		}
		else if (operation instanceof ToMany many) {
			toMany(many.action(), many.tasks().stream().map((task) -> id(task % this.enqueued.size())).toList());
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

	private void enqueueAll(List<Enqueue> tasks) {
		int first = this.enqueued.size();
		this.enqueued.addAll(tasks);
		List<Task> all = IntStream.range(0, tasks.size())
			.mapToObj((i) -> task(tasks.get(i)).withOptions(options(tasks.get(i), first + i)))
			.toList();
		this.client.enqueueAll(all).forEach((attempt) -> {
			if (!attempt.enqueued()) {
				assertThatExceptionOfType(DuplicateTaskException.class).isThrownBy(attempt::orThrow);
			}
		});
	}

	private void toMany(Action action, List<String> ids) {
		List<TaskActionResult> results = switch (action) {
			case RUN -> this.inspector.runTasks(QUEUE, ids);
			case ARCHIVE -> this.inspector.archiveTasks(QUEUE, ids);
			case DELETE -> this.inspector.deleteTasks(QUEUE, ids);
		};
		assertThat(results).extracting(TaskActionResult::id).isEqualTo(ids);
		assertThat(results).filteredOn((result) -> !result.done())
			.extracting(TaskActionResult::error)
			.allMatch((error) -> error instanceof TaskNotFoundException || error instanceof TaskStateException);
	}

	private void toAll(Action action, TaskState state) {
		boolean group = state == TaskState.AGGREGATING;
		switch (action) {
			case RUN -> {
				if (group) {
					GROUPS.forEach((name) -> this.inspector.runAllAggregatingTasks(QUEUE, name));
				}
				else if (RUNNABLE.contains(state)) {
					this.inspector.runAllTasks(QUEUE, state);
				}
			}
			case ARCHIVE -> {
				if (group) {
					GROUPS.forEach((name) -> this.inspector.archiveAllAggregatingTasks(QUEUE, name));
				}
				else if (ARCHIVABLE.contains(state)) {
					this.inspector.archiveAllTasks(QUEUE, state);
				}
			}
			case DELETE -> {
				if (group) {
					GROUPS.forEach((name) -> this.inspector.deleteAllAggregatingTasks(QUEUE, name));
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

	private static Task task(Enqueue enqueue) {
		return Task.of(enqueue.fate().type(), payload(enqueue.payload()));
	}

	private static TaskOptions options(Enqueue enqueue, int number) {
		return TaskOptions.of((builder) -> {
			builder.queue(QUEUE).taskId(id(number)).maxRetry(enqueue.maxRetry());
			builder.retention(enqueue.retained() ? Duration.ofHours(1) : Duration.ZERO);
			if (enqueue.unique()) {
				builder.unique(Duration.ofHours(2));
			}
			if (enqueue.place() == Place.GROUP) {
				builder.group(GROUPS.get(enqueue.payload() % GROUPS.size()));
			}
			else if (enqueue.place() != Place.PENDING) {
				builder.processIn((enqueue.place() == Place.SOON) ? Duration.ofSeconds(1) : Duration.ofHours(1));
			}
		});
	}

	private static String payload(int number) {
		return "payload " + number;
	}

	private static String id(int number) {
		return "task-" + number;
	}

}
