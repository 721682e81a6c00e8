package io.asynq.internal.enqueue;

import java.time.Duration;
import java.util.Map;

import io.asynq.internal.redis.TaskMessage;
import org.jspecify.annotations.Nullable;

/** The broker fills in the unique key; a lock without a key goes by the payload. */
public record EnqueueRequest(TaskMessage message, Placement placement, @Nullable Duration lockTtl,
		@Nullable String lockKey, boolean replacesArchived) {

	public EnqueueRequest(TaskMessage message, Placement placement, @Nullable Duration lockTtl) {
		this(message, placement, lockTtl, null, false);
	}

	public boolean isScheduled() {
		return this.placement instanceof Placement.Scheduled;
	}

	public EnqueueRequest withHeaders(Map<String, String> headers) {
		return (headers == this.message.headers()) ? this
				: with(this.message.toBuilder().headers(headers).build(), this.placement);
	}

	public EnqueueRequest with(TaskMessage message, Placement placement) {
		return new EnqueueRequest(message, placement, this.lockTtl, this.lockKey, this.replacesArchived);
	}

}
