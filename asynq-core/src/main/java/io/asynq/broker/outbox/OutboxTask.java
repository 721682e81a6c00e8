package io.asynq.broker.outbox;

import org.jspecify.annotations.Nullable;

/**
 * A task with everything that its sending needs, fixed when it was written; its mark
 * tells it from all others of all outboxes, even from a later one with its id.
 */
public record OutboxTask(String mark, String queue, String id, String type, byte[] message, @Nullable Long dueSeconds,
		@Nullable Long lockSeconds, boolean replacesArchived) {

	@Override
	public String toString() {
		return "OutboxTask[id=" + this.id + ", queue=" + this.queue + ", type=" + this.type + "]";
	}

}
