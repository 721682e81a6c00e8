package io.asynq.client;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;

import io.asynq.AsynqException;
import io.asynq.BrokerException;
import io.asynq.DuplicateTaskException;
import io.asynq.Task;
import io.asynq.TaskIdConflictException;
import io.asynq.TaskInfo;
import io.asynq.TaskState;
import io.asynq.broker.EnqueueRequest;
import io.asynq.broker.EnqueueResult;
import io.asynq.broker.EnqueueStatus;
import io.asynq.broker.Placement;
import io.asynq.broker.TaskMessage;
import org.jspecify.annotations.Nullable;

/**
 * From the broker's answers to what the caller sees.
 */
final class EnqueueAnswers {

	private final Clock clock;

	EnqueueAnswers(Clock clock) {
		this.clock = clock;
	}

	TaskInfo infoOrThrow(EnqueueRequest request, EnqueueStatus status) {
		if (status != EnqueueStatus.ENQUEUED) {
			throw error(request.message(), status);
		}
		return info(request);
	}

	EnqueueAttempt attempt(@Nullable Task task, EnqueueRequest request, EnqueueResult result) {
		EnqueueStatus status = result.status();
		if (status == EnqueueStatus.ENQUEUED) {
			return new EnqueueAttempt(task, info(request), null);
		}
		AsynqException error = (status != null) ? error(request.message(), status) : result.error();
		return new EnqueueAttempt(task, null, error);
	}

	private TaskInfo info(EnqueueRequest request) {
		TaskMessage message = request.message();
		TaskState state = state(request.placement());
		return TaskInfo.builder(message.id(), message.queue(), message.toTask(), state)
			.maxRetry(message.maxRetry())
			.timeout(Duration.ofSeconds(message.timeoutSeconds()))
			.deadline((message.deadlineSeconds() != 0) ? Instant.ofEpochSecond(message.deadlineSeconds()) : null)
			.retention(Duration.ofSeconds(message.retentionSeconds()))
			.group(message.group().isEmpty() ? null : message.group())
			.nextProcessAt(nextProcessAt(request.placement()))
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

	private static AsynqException error(TaskMessage message, EnqueueStatus status) {
		String task = "Task '" + message.id() + "' of type '" + message.type() + "'";
		String queue = "queue '" + message.queue() + "'";
		return switch (status) {
			case DUPLICATE -> new DuplicateTaskException(task + " is a duplicate in " + queue
					+ ": a task with the same type and payload holds the unique lock until it is done or the lock's"
					+ " time is over; treat this as done, or enqueue without option 'unique'");
			case ID_CONFLICT -> new TaskIdConflictException(task + " conflicts with another task of this id in " + queue
					+ ", which may also be archived or completed: choose another 'taskId', or delete that task first");
			default -> new BrokerException(task + " was refused by " + queue
					+ ": one of the queue's keys in Redis has the wrong type; find out what else writes keys named"
					+ " asynq:{" + message.queue() + "}:… and delete the wrong one", null);
		};
	}

}
