package io.asynq.internal.worker;

import java.time.Duration;

/**
 * Fetches ahead what will start while the next call is on its way, so that workers of
 * short handlers need not wait.
 *
 * @param backlog how many tasks the queue still has, 0 if unknown
 * @param fleetBuffers how many tasks all servers together could have, 0 if unknown; a
 * shorter queue is left to whoever has an idle worker
 */
public record FetchAhead(double startsPerSecond, Duration roundTrip, Duration handler, long backlog,
		long fleetBuffers) {

	public static final int LARGEST_BUFFER = 256;

	public static final FetchAhead NONE = new FetchAhead(0, Duration.ZERO, Duration.ZERO, 0, 0);

	private static final int MOST_PER_CALL = 64;

	private static final Duration LONG = Duration.ofMillis(10);

	/** A server that is short of tasks starts fewer than it could. */
	private static final double GROWTH = 2;

	/** Close to Redis, calls for a few tasks each would cost more than they gain. */
	private static final Duration SHORTEST = Duration.ofNanos(500_000);

	/**
	 * Tasks that start during one round trip: the next fetch is due when fewer are
	 * buffered.
	 */
	public int mark() {
		if (this.handler.compareTo(LONG) >= 0 || this.fleetBuffers == 0 || this.backlog <= this.fleetBuffers) {
			return 0;
		}
		long nanos = Math.max(SHORTEST.toNanos(), this.roundTrip.toNanos());
		return (int) Math.min(LARGEST_BUFFER, GROWTH * this.startsPerSecond * nanos / 1e9);
	}

	public int tasks(int buffered) {
		int mark = mark();
		return (buffered < mark) ? Math.min(Math.min(mark, MOST_PER_CALL), LARGEST_BUFFER - buffered) : 0;
	}

}
