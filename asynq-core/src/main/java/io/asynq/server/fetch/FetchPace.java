package io.asynq.server.fetch;

import java.util.function.LongSupplier;

/**
 * Decides among how many calls the workers of a fetch may be shared out. While handlers
 * take long, a call for each queue costs little, and every queue gets its share in each
 * fetch. With short tasks the calls would take longer than the tasks; a fetch is then a
 * single call, and queues take turns. Used by one thread at a time.
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
	 * Ends a fetch.
	 */
	void end(int calls) {
		if (calls > 0) {
			this.ended = this.nanoTime.getAsLong();
			this.nanosPerCall = Math.max(1, (this.ended - this.began) / calls);
		}
	}

}
