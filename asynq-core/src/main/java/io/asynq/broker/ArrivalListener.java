package io.asynq.broker;

import org.jspecify.annotations.Nullable;

/**
 * Calls may be spurious.
 */
public interface ArrivalListener {

	/** Earlier arrivals may have been missed. */
	void onReady();

	/** A task may be pending, or a pause may have ended. */
	void onPending(String queue);

	/** A task was scheduled or is to be retried, perhaps sooner than any other. */
	void onDelayed(String queue);

	/**
	 * The Redis that is listened to no longer serves a watched queue, which is not
	 * watched any more; the address of the one that does is {@code null} while unknown.
	 */
	void onMoved(String queue, @Nullable String master);

}
