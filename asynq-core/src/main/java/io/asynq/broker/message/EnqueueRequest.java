package io.asynq.broker.message;

import java.time.Duration;
import java.util.Map;

import org.jspecify.annotations.Nullable;

/**
 * A task to be stored.
 *
 * @param message the message; the broker fills in the unique key
 * @param placement where it goes
 * @param lockTtl life of its unique lock from now, {@code null} for no lock
 * @param lockKey what the lock is named by, {@code null} for the payload
 * @param replacesArchived whether it takes the place of an archived task with its id
 */
public record EnqueueRequest(TaskMessage message, Placement placement, @Nullable Duration lockTtl,
		@Nullable String lockKey, boolean replacesArchived) {

	public EnqueueRequest(TaskMessage message, Placement placement, @Nullable Duration lockTtl) {
		this(message, placement, lockTtl, null, false);
	}

	/** Returns whether the task is not to be processed at once. */
	public boolean isScheduled() {
		return this.placement instanceof Placement.Scheduled;
	}

	/** Returns the request with other headers of its task. */
	public EnqueueRequest withHeaders(Map<String, String> headers) {
		return (headers == this.message.headers()) ? this
				: with(this.message.toBuilder().headers(headers).build(), this.placement);
	}

	/** Returns the request with its task changed, and another place for it. */
	public EnqueueRequest with(TaskMessage message, Placement placement) {
		return new EnqueueRequest(message, placement, this.lockTtl, this.lockKey, this.replacesArchived);
	}

}
