package io.asynq.lifecycle;

import java.time.Instant;
import java.util.concurrent.TimeUnit;

import io.asynq.AsynqException;
import io.asynq.BrokerUnavailableException;
import io.asynq.logging.OneLineLogger;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;

/**
 * Logs errors of loops: at most one line every three seconds for all loops that share it,
 * because they all fail at once when Redis is away. Safe for concurrent use.
 */
public final class LoopErrorLog {

	private static final Logger logger = OneLineLogger.of(LoopErrorLog.class);

	private static final long INTERVAL_NANOS = TimeUnit.SECONDS.toNanos(3);

	private @Nullable Long lastNanos;

	private long unlogged;

	private @Nullable Last last;

	/**
	 * Logs an error, or counts it for the next line. The stack trace is logged only for
	 * errors that are not ours.
	 */
	public synchronized void warn(String subject, Throwable error) {
		long now = System.nanoTime();
		this.last = new Last(subject, text(error), now);
		if (this.lastNanos != null && now - this.lastNanos < INTERVAL_NANOS) {
			this.unlogged++;
			return;
		}
		String more = (this.unlogged > 0) ? " (and " + this.unlogged + " more errors since the last line)" : "";
		UserCode.tell(error, (shown) -> warn(subject, shown, more));
		this.lastNanos = now;
		this.unlogged = 0;
	}

	/**
	 * Returns the last error, logged or not.
	 * @return the error, {@code null} if there was none
	 */
	public synchronized @Nullable Last last() {
		return this.last;
	}

	/**
	 * Returns what may be shown of an error. Messages of errors that are not ours may
	 * quote a payload.
	 */
	static String text(Throwable error) {
		String type = error.getClass().getName() + " (see the log)";
		try {
			return (error instanceof AsynqException) ? String.valueOf(error.getMessage()) : type;
		}
		catch (Throwable ex) {
			// A subclass of users may fail here
			return type;
		}
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
	 * An error.
	 *
	 * @param subject what met it
	 * @param error what may be shown of it
	 * @param nanos when, as {@link System#nanoTime()} tells it
	 */
	public record Last(String subject, String error, long nanos) {

		/** Returns when it happened. */
		public Instant at(Instant now) {
			return now.minusNanos(System.nanoTime() - this.nanos);
		}

	}

}
