package io.asynq.broker.outbox;

import org.jspecify.annotations.Nullable;

/**
 * A task as it is kept in an outbox: everything that its sending needs, fixed when it was
 * written.
 *
 * @param mark what tells this task from all others of all outboxes, even from a later one
 * with the same id; short, because Redis keeps it for a while
 * @param message the message as Redis will have it
 * @param dueSeconds when it is to be processed, Unix seconds; {@code null} for at once
 * @param lockSeconds life of its unique lock from the sending on, {@code null} for no
 * lock
 * @param replacesArchived whether it takes the place of an archived task with its id
 */
public record OutboxTask(String mark, String queue, String id, String type, byte[] message, @Nullable Long dueSeconds,
		@Nullable Long lockSeconds, boolean replacesArchived) {

	@Override
	public String toString() {
		return "OutboxTask[id=" + this.id + ", queue=" + this.queue + ", type=" + this.type + "]";
	}

}
