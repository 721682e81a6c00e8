package io.asynq.cli;

import java.io.PrintWriter;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

import org.jspecify.annotations.Nullable;

/**
 * One line that says how far long work has come, only on a terminal and only if the work
 * takes longer than a second.
 */
// No library: me.tongfei's needs JLine 3 beside 4, and prints into pipes as well
final class Progress implements AutoCloseable {

	/**
	 * A million of a million fits into half a terminal, so no width must be asked for.
	 */
	private static final int WIDTH = 15;

	private final PrintWriter err;

	private final long total;

	private final LongSupplier done;

	private final ScheduledExecutorService timer;

	private int shown;

	private boolean closed;

	private Progress(PrintWriter err, long total, LongSupplier done, ScheduledExecutorService timer) {
		this.err = err;
		this.total = total;
		this.done = done;
		this.timer = timer;
	}

	/** Asks {@code done} once per second; there is none without a terminal. */
	static @Nullable Progress start(Surroundings surroundings, long total, LongSupplier done) {
		if (total <= 0 || !surroundings.terminal().isThere()) {
			return null;
		}
		ScheduledExecutorService timer = Executors.newSingleThreadScheduledExecutor((task) -> {
			Thread thread = new Thread(task, "progress");
			thread.setDaemon(true);
			return thread;
		});
		Progress progress = new Progress(surroundings.err(), total, done, timer);
		timer.scheduleAtFixedRate(progress::show, 1, 1, TimeUnit.SECONDS);
		return progress;
	}

	@Override
	public void close() {
		this.timer.shutdownNow();
		try {
			this.timer.awaitTermination(1, TimeUnit.SECONDS);
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
		}
		synchronized (this) {
			// Whoever still asks how much is done comes too late
			this.closed = true;
			if (this.shown > 0) {
				this.err.print("\r" + " ".repeat(this.shown) + "\r");
				this.err.flush();
			}
		}
	}

	private void show() {
		try {
			String line = line(this.done.getAsLong(), this.total);
			synchronized (this) {
				if (this.closed) {
					return;
				}
				this.err.print("\r" + line + " ".repeat(Math.max(0, this.shown - line.length())));
				this.shown = Math.max(this.shown, line.length());
				this.err.flush();
			}
		}
		catch (RuntimeException ex) {
			// The work itself will tell what is wrong
		}
	}

	/** Such as {@code [###-----] 3000 of 8000}. */
	static String line(long done, long total) {
		long part = Math.max(0, Math.min(done, total));
		int full = (int) (part * WIDTH / total);
		return "[" + "#".repeat(full) + "-".repeat(WIDTH - full) + "] " + part + " of " + total;
	}

}
