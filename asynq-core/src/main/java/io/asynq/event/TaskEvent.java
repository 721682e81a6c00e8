package io.asynq.event;

import java.time.Duration;
import java.time.Instant;

import io.asynq.AsynqException;
import io.asynq.TaskState;
import org.jspecify.annotations.Nullable;

/**
 * Something that has happened to a task, as far as this application has a part in it.
 * Events of outcomes are told when Redis has taken the outcome. Immutable, except for the
 * payload's bytes.
 */
public sealed interface TaskEvent {

	/**
	 * Returns the task as it was at the time of the event.
	 */
	TaskFacts facts();

	/**
	 * This application has stored a task: its client, or its scheduler for a periodic
	 * task.
	 *
	 * @param state pending, scheduled or aggregating
	 * @param processAt when it may run, {@code null} if that depends on its group
	 */
	record Enqueued(TaskFacts facts, TaskState state, @Nullable Instant processAt) implements TaskEvent {
	}

	/**
	 * A task that waited for a transaction was not stored, although the transaction has
	 * committed or may have: this application's client cannot throw an exception any
	 * more.
	 *
	 * @param error why not: what {@code enqueue} throws without a transaction. After a
	 * {@link io.asynq.BrokerUnavailableException} the task may be stored all the same
	 */
	record NotEnqueued(TaskFacts facts, AsynqException error) implements TaskEvent {
	}

	/**
	 * A handler of this server is about to be called.
	 */
	record Started(TaskFacts facts) implements TaskEvent {
	}

	/**
	 * An attempt has succeeded.
	 */
	record Succeeded(TaskFacts facts) implements TaskEvent {
	}

	/**
	 * An attempt has failed, and counts as failed. Another event says what follows.
	 *
	 * @param error the text that is stored with the task
	 * @param cause what the handler has thrown, {@code null} if the attempt was another
	 * server's, which is gone
	 */
	record Failed(TaskFacts facts, String error, @Nullable Throwable cause) implements TaskEvent {
	}

	/**
	 * A task will be retried after an error.
	 *
	 * @param error the text that is stored with the task
	 * @param delay after which time
	 * @param counted {@code false} if a {@code FailurePredicate} says that the error is
	 * no failure
	 */
	record Retried(TaskFacts facts, String error, Duration delay, boolean counted) implements TaskEvent {
	}

	/**
	 * A task could not run yet and will be tried later; nothing is counted.
	 *
	 * @param delay after which time, rounded up to whole seconds
	 */
	record Postponed(TaskFacts facts, Duration delay) implements TaskEvent {
	}

	/**
	 * A server has archived a task after a failure.
	 *
	 * @param error the text that is stored with the task
	 * @param cause what the handler has thrown, {@code null} if there is nothing of the
	 * kind
	 * @param reason why it is not retried
	 */
	record Archived(TaskFacts facts, String error, @Nullable Throwable cause,
			ArchiveReason reason) implements TaskEvent {
	}

	/**
	 * A limit has ended a task without success: its last attempt has failed, also if its
	 * server died, or it has taken down too many servers. It is in the archive. Told
	 * after {@link Archived}; the place for what must be done about dead letters.
	 *
	 * @param error the text that is stored with the task
	 * @param cause what the handler has thrown, {@code null} if there is nothing of the
	 * kind
	 * @param reason which limit
	 */
	record Exhausted(TaskFacts facts, String error, @Nullable Throwable cause,
			ArchiveReason reason) implements TaskEvent {
	}

	/**
	 * A handler has revoked its task, or somebody has cancelled it to have it deleted: it
	 * is done and did not fail.
	 *
	 * @param cause what has ended the attempt, {@code null} if its server was gone
	 */
	record Revoked(TaskFacts facts, @Nullable Throwable cause) implements TaskEvent {
	}

	/**
	 * An attempt is ended because its task was cancelled by its id. The events of a
	 * failure follow.
	 */
	record Cancelled(TaskFacts facts) implements TaskEvent {
	}

	/**
	 * This server has brought back a task of a server that is gone. If this counts as a
	 * failure, its events follow.
	 *
	 * @param state retry, archived, or pending if its handler had not begun
	 */
	record Recovered(TaskFacts facts, TaskState state) implements TaskEvent {
	}

	/**
	 * This server has lost the lease of a task during an attempt: nothing is written
	 * about the attempt, and the task is recovered.
	 */
	record LeaseLost(TaskFacts facts) implements TaskEvent {
	}

	/**
	 * Tasks of a group became one task.
	 *
	 * @param facts the task that they became, which is stored
	 * @param members how many tasks it replaces
	 */
	record Aggregated(TaskFacts facts, String group, int members) implements TaskEvent {
	}

	/**
	 * A handler continues long after its attempt has ended, and keeps its worker.
	 *
	 * @param patience for how long at least ({@code asynq.server.stuck-handler-timeout})
	 * @param where has the stack trace of the handler's thread
	 */
	record Stuck(TaskFacts facts, Duration patience, Exception where) implements TaskEvent {
	}

}
