package io.asynq.internal.worker;

import java.util.function.LongSupplier;

/**
 * A call for each queue gives every queue its share in each fetch, but takes longer than
 * short tasks do, so that their queues take turns; used by one thread at a time.
 */
final class FetchPace {

	/** Calls beyond the first may take 1/8 of the time between two fetches. */
	private static final int PART = 8;

	private final LongSupplier nanoTime;

	private long began;

	private long ended;

	private long nanosPerCall;

	FetchPace(LongSupplier nanoTime) {
		this.nanoTime = nanoTime;
	}

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
