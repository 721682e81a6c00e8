package io.asynq.internal.enqueue;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;

import io.asynq.AsynqException;
import io.asynq.TaskInfo;
import io.asynq.TaskState;
import io.asynq.event.TaskEvent;
import io.asynq.internal.event.TaskEvents;
import io.asynq.internal.redis.TaskMessage;
import org.jspecify.annotations.Nullable;

public final class StoredTasks {

	private final Clock clock;

	private final TaskEvents events;

	public StoredTasks(Clock clock, TaskEvents events) {
		this.clock = clock;
		this.events = events;
	}

	public TaskInfo stored(EnqueueRequest request) {
		TaskInfo info = info(request, state(request.placement()), nextProcessAt(request.placement()));
		if (this.events.isWanted(TaskEvent.Enqueued.class)) {
			this.events.tell(new TaskEvent.Enqueued(request.message().facts(), info.state(), info.nextProcessAt()));
		}
		return info;
	}

	TaskInfo deferred(EnqueueRequest request) {
		boolean scheduled = request.placement() instanceof Placement.Scheduled;
		return info(request, TaskState.DEFERRED, scheduled ? nextProcessAt(request.placement()) : null);
	}

	void notStored(EnqueueRequest request, AsynqException error) {
		this.events.tell(new TaskEvent.NotEnqueued(request.message().facts(), error));
	}

	private TaskInfo info(EnqueueRequest request, TaskState state, @Nullable Instant nextProcessAt) {
		TaskMessage message = request.message();
		return TaskInfo.builder(message.id(), message.queue(), message.toTask(), state)
			.maxRetry(message.maxRetry())
			.timeout(Duration.ofSeconds(message.timeoutSeconds()))
			.deadline((message.deadlineSeconds() != 0) ? Instant.ofEpochSecond(message.deadlineSeconds()) : null)
			.retention(Duration.ofSeconds(message.retentionSeconds()))
			.group(message.group().isEmpty() ? null : message.group())
			.nextProcessAt(nextProcessAt)
			.build();
	}

	private static TaskState state(Placement placement) {
		if (placement instanceof Placement.Scheduled) {
			return TaskState.SCHEDULED;
		}
		return (placement instanceof Placement.Grouped) ? TaskState.AGGREGATING : TaskState.PENDING;
	}

	private @Nullable Instant nextProcessAt(Placement placement) {
		if (placement instanceof Placement.Scheduled scheduled) {
			return Instant.ofEpochSecond(scheduled.at().getEpochSecond());
		}
		return (placement instanceof Placement.Grouped) ? null : this.clock.instant();
	}

}
