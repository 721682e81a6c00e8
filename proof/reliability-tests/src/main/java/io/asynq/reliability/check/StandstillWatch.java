package io.asynq.reliability.check;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.locks.LockSupport;

/** Notices when the machine stands still: a thread that wakes often wakes too late. */
public final class StandstillWatch implements AutoCloseable {

	private static final Duration PAUSE = Duration.ofMillis(20);

	/** Shorter ones are part of what a busy machine does to every program. */
	private static final Duration SHORTEST = Duration.ofMillis(500);

	private final Clock clock;

	private final List<Standstill> noticed = new CopyOnWriteArrayList<>();

	private final Thread thread = new Thread(this::watch, "standstill-watch");

	private volatile boolean ended;

	private StandstillWatch(Clock clock) {
		this.clock = clock;
		this.thread.setDaemon(true);
	}

	public static StandstillWatch start(Clock clock) {
		StandstillWatch watch = new StandstillWatch(clock);
		watch.thread.start();
		return watch;
	}

	public List<Standstill> noticed() {
		return List.copyOf(this.noticed);
	}

	@Override
	public void close() {
		this.ended = true;
		LockSupport.unpark(this.thread);
	}

	private void watch() {
		while (!this.ended) {
			long before = System.nanoTime();
			LockSupport.parkNanos(PAUSE.toNanos());
			Duration late = Duration.ofNanos(System.nanoTime() - before).minus(PAUSE);
			if (late.compareTo(SHORTEST) > 0) {
				Instant now = this.clock.instant();
				this.noticed.add(new Standstill(now.minus(late), now));
			}
		}
	}

	/**
	 * The machine did not run the judge, which does next to nothing, and so no worker.
	 */
	public record Standstill(Instant start, Instant end) {

		public Duration within(Instant from, Instant until) {
			Instant first = this.start.isAfter(from) ? this.start : from;
			Instant last = this.end.isBefore(until) ? this.end : until;
			return last.isAfter(first) ? Duration.between(first, last) : Duration.ZERO;
		}

	}

}
