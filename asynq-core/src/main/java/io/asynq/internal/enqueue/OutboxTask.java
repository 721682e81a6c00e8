package io.asynq.internal.enqueue;

import org.jspecify.annotations.Nullable;

/**
 * All that its sending needs, fixed when written; its mark differs even from that of a
 * later task with the same id.
 */
public record OutboxTask(String mark, String queue, String id, String type, byte[] message, @Nullable Long dueSeconds,
		@Nullable Long lockSeconds, boolean replacesArchived) {

	@Override
	public String toString() {
		return "OutboxTask[id=" + this.id + ", queue=" + this.queue + ", type=" + this.type + "]";
	}

}
