package io.asynq.console.view;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

import io.asynq.inspect.QueueInfo;
import io.asynq.operations.survey.QueueBoard;

/**
 * How much was processed and has failed in the last quarter of an hour, from what the
 * counters of the queues say at each reading. In memory. Safe for concurrent use.
 */
final class RateHistory {

	static final Duration WINDOW = Duration.ofMinutes(15);

	/** More often, rates only jump. */
	private static final Duration SHORTEST = Duration.ofMillis(900);

	/** Over a longer time without a reading, a rate says nothing. */
	private static final Duration LONGEST = Duration.ofSeconds(60);

	private final Deque<Point> points = new ArrayDeque<>();

	private Map<String, long[]> last = new HashMap<>();

	private Instant lastAt = Instant.EPOCH;

	public synchronized void add(QueueBoard.Board board) {
		Duration passed = Duration.between(this.lastAt, board.at());
		if (passed.compareTo(SHORTEST) < 0 && !passed.isNegative()) {
			return;
		}
		Map<String, long[]> read = new HashMap<>();
		long processed = 0;
		long failed = 0;
		for (QueueInfo queue : board.queues()) {
			long[] totals = { queue.processedTotal(), queue.failedTotal() };
			long[] before = this.last.get(queue.queue());
			read.put(queue.queue(), totals);
			if (before != null) {
				// A counter that begins anew was deleted with its queue
				processed += Math.max(0, totals[0] - before[0]);
				failed += Math.max(0, totals[1] - before[1]);
			}
		}
		if (!passed.isNegative() && passed.compareTo(LONGEST) <= 0) {
			double seconds = passed.toMillis() / 1000.0;
			this.points.addLast(new Point(board.at(), rate(processed, seconds), rate(failed, seconds)));
		}
		while (!this.points.isEmpty() && this.points.peekFirst().at().isBefore(board.at().minus(WINDOW))) {
			this.points.removeFirst();
		}
		this.last = read;
		this.lastAt = board.at();
	}

	public synchronized Rates rates() {
		return new Rates(List.copyOf(this.points), WINDOW.toSeconds());
	}

	private static double rate(long count, double seconds) {
		return Math.round(count / seconds * 100) / 100.0;
	}

	public record Rates(List<Point> points, long windowSeconds) {
	}

	public record Point(Instant at, double processed, double failed) {
	}

}
