package io.asynq.internal.worker;

import java.time.Duration;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.IntSupplier;
import java.util.function.LongSupplier;

/**
 * Workers tell it of handlers from any thread, the thread that fetches of its calls.
 */
public final class TaskFlow {

	private static final double SMOOTHING = 4;

	/** One long handler counts until some tens of short ones have ended. */
	private static final int FORGETTING = 16;

	private static final long LONGEST_HANDLER = 1_000_000_000;

	private static final double LONGEST_SPAN = 50_000_000;

	private final boolean on;

	private final int concurrency;

	private final IntSupplier fleet;

	private final LongSupplier nanoTime;

	private final LongAdder ended = new LongAdder();

	private volatile long handlerNanos = LONGEST_HANDLER;

	private boolean measured;

	private long endedBefore;

	private long began;

	private double perNano;

	private double roundTripNanos;

	/**
	 * @param fleet returns how many servers there are, 0 if unknown or if nothing may be
	 * fetched ahead beside one of them
	 */
	public TaskFlow(boolean on, int concurrency, IntSupplier fleet, LongSupplier nanoTime) {
		this.on = on;
		this.concurrency = concurrency;
		this.fleet = fleet;
		this.nanoTime = nanoTime;
	}

	/** Concurrent updates may be lost; it is an estimate. */
	public void ran(long nanos) {
		if (!this.on) {
			return;
		}
		this.ended.increment();
		long known = this.handlerNanos;
		long next = (nanos >= known) ? Math.min(nanos, LONGEST_HANDLER) : known - (known - nanos) / FORGETTING - 1;
		if (next != known) {
			this.handlerNanos = next;
		}
	}

	public long fetching() {
		return this.nanoTime.getAsLong();
	}

	public void fetched(long start) {
		long now = this.nanoTime.getAsLong();
		long count = this.ended.sum();
		double span = Math.max(1, start - this.began);
		double rate = (count - this.endedBefore) / span;
		double weight = (this.measured && span < LONGEST_SPAN) ? 1 / SMOOTHING : 1;
		this.perNano += (rate - this.perNano) * weight;
		this.roundTripNanos += (now - start - this.roundTripNanos) * (this.measured ? 1 / SMOOTHING : 1);
		this.measured = true;
		this.began = start;
		this.endedBefore = count;
	}

	public boolean mayFetchAhead() {
		return this.on && this.fleet.getAsInt() > 0;
	}

	public FetchAhead ahead(long backlog) {
		if (!this.on) {
			return FetchAhead.NONE;
		}
		long each = (long) this.concurrency + FetchAhead.LARGEST_BUFFER;
		return new FetchAhead(this.perNano * 1e9, roundTrip(), Duration.ofNanos(this.handlerNanos), backlog,
				each * this.fleet.getAsInt());
	}

	public Duration roundTrip() {
		return Duration.ofNanos((long) this.roundTripNanos);
	}

}
