package io.asynq.interop.oracle;

import java.time.Clock;
import java.time.Instant;
import java.util.SortedMap;
import java.util.TreeMap;

import com.google.protobuf.Timestamp;

/**
 * Collects the values of a database by path. Equal paths, as of two random ids, are
 * numbered.
 */
final class Cells {

	/** By how much one side may be later than the other. */
	static final double TOLERANCE = 5;

	/** Heartbeats come every five seconds in Go. */
	static final double HEARTBEAT_TOLERANCE = 7;

	private final SortedMap<String, Cell> cells = new TreeMap<>();

	private final Instant start;

	Cells(Instant start) {
		this.start = start;
	}

	SortedMap<String, Cell> all() {
		return this.cells;
	}

	void text(String path, Object text) {
		put(path, new Cell.Text(Names.normalised(String.valueOf(text))));
	}

	void seconds(String path, long seconds) {
		if (seconds == 0) {
			text(path, "none");
		}
		else {
			time(path, seconds);
		}
	}

	void timestamp(String path, Timestamp timestamp) {
		if (timestamp.getSeconds() <= 0) {
			text(path, "never, as " + timestamp.getSeconds());
		}
		else {
			time(path, timestamp.getSeconds());
		}
	}

	void time(String path, double seconds) {
		put(path, new Cell.Time(seconds - this.start.getEpochSecond(), tolerance(path)));
	}

	void expiry(String path, double secondsLeft) {
		time(path, Clock.systemUTC().millis() / 1000.0 + secondsLeft);
	}

	void score(String path, double score) {
		if (score == Math.rint(score)) {
			time(path, score);
		}
		else {
			text(path, "not a whole number: " + score);
		}
	}

	private void put(String path, Cell cell) {
		String free = Names.normalised(path);
		int number = 1;
		while (this.cells.putIfAbsent(free, cell) != null) {
			free = Names.normalised(path) + "#" + (++number);
		}
	}

	private static double tolerance(String path) {
		boolean renewed = path.matches("asynq:(\\{[^}]*}:lease|servers|workers|schedulers).*");
		return renewed ? HEARTBEAT_TOLERANCE : TOLERANCE;
	}

}
