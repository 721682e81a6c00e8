package io.asynq.broker;

import io.asynq.AsynqException;
import org.jspecify.annotations.Nullable;

/**
 * The answer to one {@link EnqueueRequest}.
 *
 * @param status what became of it, {@code null} when that is unknown because Redis could
 * not be reached or failed
 * @param error why it is unknown
 */
public record EnqueueResult(@Nullable EnqueueStatus status, @Nullable AsynqException error) {

	public static EnqueueResult of(EnqueueStatus status) {
		return new EnqueueResult(status, null);
	}

	public static EnqueueResult unknown(AsynqException error) {
		return new EnqueueResult(null, error);
	}

}
