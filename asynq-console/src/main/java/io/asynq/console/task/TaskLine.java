package io.asynq.console.task;

import java.time.Instant;
import java.util.List;
import java.util.Map;

import io.asynq.TaskState;
import org.jspecify.annotations.Nullable;

/**
 * A task in a list.
 *
 * @param id its id
 * @param queue its queue
 * @param type its type
 * @param state its state
 * @param retried how often it was retried
 * @param maxRetry how often it may be retried
 * @param lastError its last error, cut at 2,000 characters
 * @param lastFailedAt when it failed last
 * @param nextProcessAt when it is due
 * @param pendingSince since when it is pending
 * @param waitsFor limits that it waits for in retry, which is no failure
 * @param completedAt when it was completed
 * @param group its group
 * @param orphaned whether it is active and its lease has ended
 * @param startedAt when its attempt was started, as its server says
 * @param deadline when its attempt must have ended, as its server says
 * @param server the id of its server
 * @param payloadPreview the beginning of its payload, {@code null} if that is hidden or
 * there is none
 * @param payloadSize how many bytes its payload has
 * @param headers its headers; values may be hidden
 */
public record TaskLine(String id, String queue, String type, TaskState state, int retried, int maxRetry,
		@Nullable String lastError, @Nullable Instant lastFailedAt, @Nullable Instant nextProcessAt,
		@Nullable Instant pendingSince, List<String> waitsFor, @Nullable Instant completedAt, @Nullable String group,
		boolean orphaned, @Nullable Instant startedAt, @Nullable Instant deadline, @Nullable String server,
		@Nullable String payloadPreview, int payloadSize, Map<String, @Nullable String> headers) {

	/** Returns the same with what a server says of it. */
	TaskLine at(String server, Instant startedAt, Instant deadline) {
		return new TaskLine(this.id, this.queue, this.type, this.state, this.retried, this.maxRetry, this.lastError,
				this.lastFailedAt, this.nextProcessAt, this.pendingSince, this.waitsFor, this.completedAt, this.group,
				this.orphaned, startedAt, deadline, server, this.payloadPreview, this.payloadSize, this.headers);
	}

}
