package io.asynq.server.fetch;

import java.util.function.LongSupplier;

/**
 * Decides among how many calls the workers of a fetch may be shared out: while handlers
 * take long, a call for each queue costs little and gives every queue its share in each
 * fetch, but with short tasks the calls would take longer than the tasks, so that queues
 * take turns; used by one thread at a time.
 */
final class FetchPace {

	/**
	 * Calls beyond the first may take this fraction (1/8) of the time between two
	 * fetches.
	 */
	private static final int PART = 8;

	private final LongSupplier nanoTime;

	private long began;

	private long ended;

	private long nanosPerCall;

	FetchPace(LongSupplier nanoTime) {
		this.nanoTime = nanoTime;
	}

	/** Returns how many calls the fetch may make to share out, at least 1. */
	int begin() {
		this.began = this.nanoTime.getAsLong();
		if (this.nanosPerCall == 0) {
			return Integer.MAX_VALUE;
		}
		return (int) Math.min(Integer.MAX_VALUE, 1 + (this.began - this.ended) / PART / this.nanosPerCall);
	}

	void end(int calls) {
		if (calls > 0) {
			this.ended = this.nanoTime.getAsLong();
			this.nanosPerCall = Math.max(1, (this.ended - this.began) / calls);
		}
	}

}
