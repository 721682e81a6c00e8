package io.asynq.internal.redis;

import java.util.Optional;

import io.asynq.AsynqException;
import io.asynq.BrokerException;
import io.asynq.DuplicateTaskException;
import io.asynq.TaskIdConflictException;

public final class Refusal {

	private Refusal() {
	}

	public static Optional<AsynqException> of(TaskMessage message, long code) {
		return switch ((int) code) {
			case 1 -> Optional.empty();
			case 0 -> Optional.of(idConflict(message));
			case -1 -> Optional.of(duplicate(message));
			case -3 -> Optional.of(lockLife(message));
			default -> Optional.of(wrongType(message));
		};
	}

	public static void throwIfAny(TaskMessage message, long code) {
		of(message, code).ifPresent((error) -> {
			throw error;
		});
	}

	private static AsynqException duplicate(TaskMessage message) {
		return new DuplicateTaskException(task(message) + " is a duplicate: another task with the same type and "
				+ (Keys.isUniqueByKey(message.uniqueKey()) ? "unique key" : "payload")
				+ " holds the unique lock until it is done or the lock expires; treat this as success, or enqueue"
				+ " without option 'unique'");
	}

	private static AsynqException idConflict(TaskMessage message) {
		return new TaskIdConflictException(task(message) + " conflicts with another task of this id, which may also be"
				+ " archived or completed: choose another 'taskId', delete that task first, or replace it if it is archived"
				+ " (option 'replaceArchived')");
	}

	private static AsynqException lockLife(TaskMessage message) {
		return new BrokerException(task(message) + " was refused: Redis cannot keep its unique lock that long; choose"
				+ " a shorter time for option 'unique'", null);
	}

	private static AsynqException wrongType(TaskMessage message) {
		return new BrokerException(task(message) + " was refused: one of the queue's keys in Redis has the wrong type;"
				+ " find out what else writes keys named asynq:{" + message.queue() + "}:… and delete the wrong one",
				null);
	}

	private static String task(TaskMessage message) {
		return "Task " + message.id() + " (" + message.type() + ") in queue " + message.queue();
	}

}
