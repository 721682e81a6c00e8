package io.asynq.internal.lifecycle;

import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

import io.asynq.AsynqException;
import io.asynq.BrokerUnavailableException;
import io.asynq.internal.text.OneLineLogger;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;

/**
 * Logs at most one line every three seconds for all loops that share it, because they all
 * fail at once when Redis is away, and the same line at most once a minute, unless the
 * loop has worked meanwhile.
 */
public final class LoopErrorLog {

	private static final Logger logger = OneLineLogger.of(LoopErrorLog.class);

	private static final long INTERVAL_NANOS = TimeUnit.SECONDS.toNanos(3);

	private static final long INTERVAL_OF_SAME_NANOS = TimeUnit.MINUTES.toNanos(1);

	private static final int REMEMBERED = 100;

	/** Names in a text have no limit. */
	private static final int COMPARED = 500;

	private final LongSupplier nanoTime;

	private final Map<Line, Long> logged = new LinkedHashMap<>() {

		@Override
		protected boolean removeEldestEntry(Map.Entry<Line, Long> eldest) {
			return size() > REMEMBERED;
		}

	};

	private @Nullable Long lastNanos;

	private long unlogged;

	private @Nullable Last last;

	public LoopErrorLog() {
		this(System::nanoTime);
	}

	LoopErrorLog(LongSupplier nanoTime) {
		this.nanoTime = nanoTime;
	}

	/** The stack trace is logged only for errors that are not ours. */
	public synchronized void warn(String subject, Throwable error) {
		long now = this.nanoTime.getAsLong();
		String text = text(error);
		this.last = new Last(subject, text, now);
		Line line = new Line(subject, text.substring(0, Math.min(text.length(), COMPARED)));
		if (isWithin(INTERVAL_NANOS, this.lastNanos, now)
				|| isWithin(INTERVAL_OF_SAME_NANOS, this.logged.get(line), now)) {
			this.unlogged++;
			return;
		}
		String more = (this.unlogged > 0) ? " (and " + this.unlogged + " more errors since the last line)" : "";
		UserCode.tell(error, (shown) -> warn(subject, shown, more));
		this.logged.remove(line);
		this.logged.put(line, now);
		this.lastNanos = now;
		this.unlogged = 0;
	}

	synchronized void over(String subject) {
		this.logged.keySet().removeIf((line) -> line.subject().equals(subject));
	}

	/** Includes errors that were not logged. */
	public synchronized @Nullable Last last() {
		return this.last;
	}

	/** Messages of errors that are not ours may quote a payload. */
	public static String text(Throwable error) {
		String type = error.getClass().getName() + " (see the log)";
		try {
			return (error instanceof AsynqException) ? String.valueOf(error.getMessage()) : type;
		}
		catch (Throwable ex) {
			// A subclass of users may fail here
			return type;
		}
	}

	private static boolean isWithin(long interval, @Nullable Long before, long now) {
		return before != null && now - before < interval;
	}

	private static void warn(String subject, Throwable error, String more) {
		if (error instanceof BrokerUnavailableException) {
			logger.warn("{}: {}; retrying{}", subject, error.getMessage(), more);
		}
		else if (error instanceof AsynqException) {
			logger.warn("{}: {}{}", subject, error.getMessage(), more);
		}
		else {
			logger.warn("{}: failed, continuing{}", subject, more, error);
		}
		logger.debug("{}", subject, error);
	}

	/**
	 * @param nanos when, as {@link System#nanoTime()} tells it
	 */
	public record Last(String subject, String error, long nanos) {

		public Instant at(Instant now) {
			return now.minusNanos(System.nanoTime() - this.nanos);
		}

	}

	private record Line(String subject, String text) {
	}

}
