package io.asynq.internal.arrival;

import org.jspecify.annotations.Nullable;

/** Calls may be spurious. */
public interface ArrivalListener {

	/** Earlier arrivals may have been missed. */
	void onReady();

	/** A task may be pending, or a pause may have ended. */
	void onPending(String queue);

	/** A task was scheduled or is to be retried, perhaps sooner than any other. */
	void onDelayed(String queue);

	/**
	 * The queue has moved to another Redis, {@code null} if unknown, and is not watched.
	 */
	void onMoved(String queue, @Nullable String master);

}
