package io.asynq.server;

import java.util.function.LongSupplier;

/**
 * Says among how many calls the workers of a fetch may be shared out. While handlers take
 * long, a call for each queue costs nothing beside them, and every queue gets its share
 * of each fetch at once. Between short tasks the calls would take longer than the tasks,
 * so a fetch is one call then, and queues take turns. Used by one thread at a time.
 */
final class FetchPace {

	/** Calls beyond the first may take as much of the time between two fetches. */
	private static final int PART = 8;

	private final LongSupplier nanoTime;

	private long began;

	private long ended;

	private long nanosPerCall;

	FetchPace(LongSupplier nanoTime) {
		this.nanoTime = nanoTime;
	}

	/**
	 * Begins a fetch.
	 * @return how many calls it may make to share out, at least 1
	 */
	int begin() {
		this.began = this.nanoTime.getAsLong();
		if (this.nanosPerCall == 0) {
			return Integer.MAX_VALUE;
		}
		return (int) Math.min(Integer.MAX_VALUE, 1 + (this.began - this.ended) / PART / this.nanosPerCall);
	}

	/**
	 * Ends it.
	 * @param calls how many it has made
	 */
	void end(int calls) {
		if (calls > 0) {
			this.ended = this.nanoTime.getAsLong();
			this.nanosPerCall = Math.max(1, (this.ended - this.began) / calls);
		}
	}

}
