package io.asynq.reliability.worker;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;

/** Ahead of the system clock by the milliseconds in a file. */
final class SteppedClock extends Clock {

	private static final long LOOK_NANOS = Duration.ofMillis(50).toNanos();

	private final Clock system = Clock.systemUTC();

	private final Path file;

	private volatile long lookedNanos = System.nanoTime() - LOOK_NANOS;

	private volatile long ahead;

	SteppedClock(Path file) {
		this.file = file;
	}

	@Override
	public Instant instant() {
		long now = System.nanoTime();
		if (now - this.lookedNanos >= LOOK_NANOS) {
			this.lookedNanos = now;
			look();
		}
		return this.system.instant().plusMillis(this.ahead);
	}

	@Override
	public ZoneId getZone() {
		return this.system.getZone();
	}

	@Override
	public Clock withZone(ZoneId zone) {
		throw new UnsupportedOperationException();
	}

	private void look() {
		try {
			String text = Files.readString(this.file);
			// It may not be completely written yet
			if (text.endsWith("\n")) {
				this.ahead = Long.parseLong(text.trim());
			}
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

}
